"""Many runs on all cores: what a longer rod does to the largest force in the bearing of a driven slider crank."""

import sys

import numpy as np
from matplotlib import pyplot

import dalembert


def slider_crank() -> dalembert.Planar:
    m = dalembert.Planar("a driven slider crank", gravity=[0, 0], parameters={"crank": 0.05, "rod": 0.2, "rpm": 3000})
    wheel = m.body("crank", mass=0.5, inertia=0.001, position=[0, 0])
    rod = m.body("rod", mass=0.6, inertia="mass*rod^2/12", position=["crank + rod/2", 0])
    piston = m.point("piston", mass=0.4, position=["crank + rod", 0])
    shaft = m.revolute("shaft", bodies=["ground", wheel], at=[0, 0])
    m.revolute("pin", bodies=[wheel, rod], at=["crank", 0])
    m.revolute("wrist", bodies=[rod, piston], at=["crank + rod", 0])
    m.slot("bore", bodies=["ground", piston], at=["crank + rod", 0], along=[1, 0])
    m.drive_joint(joint=shaft, motion="rpm*2*pi/60*t")
    m.watch_reaction("bearing", reaction=shaft)
    return m


def main(picture: str = "sweep.png") -> None:
    rods = np.linspace(0.12, 0.4, 29)
    found = dalembert.sweep(slider_crank(), vary={"rod": rods}, result=["max(bearing.x)", "min(bearing.x)"], end=0.04)
    print(f"{found['cases']} runs in {found['seconds']:.2f} s")
    columns = found["columns"]
    figure, ax = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    ax.plot(1e3 * columns["rod"], columns["max(bearing.x)"], "o-", label="largest")
    ax.plot(1e3 * columns["rod"], columns["min(bearing.x)"], "o-", label="least")
    ax.set_xlabel("rod [mm]")
    ax.set_ylabel("force on the bearing along the bore [N]")
    ax.legend()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
