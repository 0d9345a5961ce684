"""A double wishbone suspension in space: how camber and toe change as the wheel goes up and down."""

import sys

import numpy as np
from matplotlib import pyplot

import dalembert


def suspension(tie_rod_height: float = 0.25) -> dalembert.Spatial:
    """x points forwards, y outwards, z upwards; lengths of a small car."""
    m = dalembert.Spatial("double wishbone suspension", parameters={"load": 2600, "amplitude": 1500})
    lower = m.body("lower", mass=3, inertia=[0.03, 0.02, 0.04], position=[0, 0.525, 0.19])
    upper = m.body("upper", mass=2, inertia=[0.01, 0.01, 0.02], position=[0, 0.54, 0.49])
    upright = m.body("upright", mass=25, inertia=[0.6, 0.9, 0.6], position=[0, 0.74, 0.33])
    m.revolute("lower-pivot", bodies=["ground", lower], at=[0, 0.35, 0.2], axis=[1, 0, 0])
    m.revolute("upper-pivot", bodies=["ground", upper], at=[0, 0.42, 0.48], axis=[1, 0, 0])
    m.spherical("lower-ball", bodies=[lower, upright], at=[0, 0.7, 0.18])
    m.spherical("upper-ball", bodies=[upper, upright], at=[0, 0.66, 0.5])
    m.distance(
        "tie-rod",
        from_={"body": "ground", "at": [-0.12, 0.38, tie_rod_height]},
        to={"body": upright, "at": [-0.12, 0.69, 0.25]},
    )
    m.spring(
        "strut",
        from_={"body": "ground", "at": [0, 0.5, 0.65]},
        to={"body": lower, "at": [0, 0.56, 0.2]},
        stiffness=60e3,
        length=0.52,
        damping=2500,
    )
    m.force("tyre", body=upright, at=[0, 0.78, 0.33], force=[0, 0, "load + amplitude*sin(2*pi*t)"])
    m.watch_point("centre", point={"body": upright, "at": [0, 0.78, 0.33]})
    m.watch_point("axle", point={"body": upright, "at": [0, 0.88, 0.33]})
    return m


def main(picture: str = "double_wishbone.png") -> None:
    figure, (camber, toe) = pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    for height in (0.24, 0.25, 0.26):
        result = suspension(height).run(end=3)
        print(f"tie rod at {height} m: {result.outcome}, {result.summary['statistics']['steps']} steps")
        late = result.t > 2  # the start has died down
        travel = 1e3 * (result["centre.z"][late] - 0.33)
        along = (result["axle"] - result["centre"])[late, :3]
        camber.plot(travel, np.degrees(np.arcsin(-along[:, 2] / 0.1)), label=f"tie rod at {height} m")
        toe.plot(travel, np.degrees(np.arctan2(along[:, 0], along[:, 1])), label=f"tie rod at {height} m")
    for ax, name in ((camber, "camber"), (toe, "toe")):
        ax.set_xlabel("wheel travel [mm]")
        ax.set_ylabel(f"{name} [deg]")
        ax.legend()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
