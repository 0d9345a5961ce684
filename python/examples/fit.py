"""Stiffness and damping of a suspension from a drop test: least squares, with standard errors."""

import sys

import numpy as np
from matplotlib import pyplot

import dalembert


def drop_test() -> dalembert.Planar:
    """Chassis and wheel have fallen from 0.1 m and touch the plate."""
    m = dalembert.Planar(
        "drop test", gravity=[0, -9.81], parameters={"k": 2e4, "d": 1e3, "sprung": 300, "v": "sqrt(2*9.81*0.1)"}
    )
    chassis = m.point("chassis", mass="sprung", position=[0, 0.8], velocity=[0, "-v"])
    wheel = m.point("wheel", mass=35, position=[0, 0.3], velocity=[0, "-v"])
    for body, height in ((chassis, 0.8), (wheel, 0.3)):
        m.slot(body + "_guide", bodies=["ground", body], at=[0, height], along=[0, 1])
    m.spring(
        "strut",
        from_={"body": wheel, "at": [0, 0.3]},
        to={"body": chassis, "at": [0, 0.8]},
        stiffness="k",
        damping="d",
        length=0.5,
    )
    m.spring(
        "tyre",
        from_={"body": "ground", "at": [0, 0]},
        to={"body": wheel, "at": [0, 0.3]},
        stiffness=2e5,
        damping=200,
        length=0.3,
    )
    return m


def main(picture: str = "fit.png") -> None:
    # What a test bench would have measured: a run with other values, and noise of 1 mm.
    true = {"k": 23500, "d": 1720}
    seen = drop_test().build(**true).run(end=1, rtol=1e-9, output=100)
    noise = np.random.default_rng(1).normal(0, 1e-3, seen.t.size)
    data = {"t": seen.t, "q.chassis.y": seen["q.chassis.y"] + noise}

    found = drop_test().fit(vary={"k": (5e3, 1e5, "log"), "d": (100, 5000)}, data=data)
    print(f"{found['ending']} after {found['runs']} runs")
    for name, value in found["values"].items():
        print(f"{name} = {value:.0f} +- {found['errors'][name]:.0f}, true: {true[name]}")

    figure, ax = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    column = found["columns"]["q.chassis.y"]
    ax.plot(found["t"], column["measured"], ".", label="measured")
    ax.plot(found["t"], column["fitted"], label="fitted")
    ax.set_xlabel("t [s]")
    ax.set_ylabel("height of the chassis [m]")
    ax.legend()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
