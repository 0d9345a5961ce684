"""A four-bar linkage put together in Python: the path of a point of its coupler, and what its bearing carries."""

import sys

from matplotlib import pyplot

import dalembert


def linkage() -> dalembert.Planar:
    m = dalembert.Planar("a four-bar linkage, driven at 120 rpm")
    crank = m.body("crank", mass=0.4, inertia=0.001, position=[0, 0.05])
    coupler = m.body("coupler", mass=1.2, inertia=0.012, position=[0.14, 0.17], angle="atan2(0.14, 0.28)")
    rocker = m.body("rocker", mass=0.9, inertia=0.008, position=[0.29, 0.12])
    shaft = m.revolute("shaft", bodies=["ground", crank], at=[0, 0])
    m.revolute("A", bodies=[crank, coupler], at=[0, 0.1])
    m.revolute("B", bodies=[coupler, rocker], at=[0.28, 0.24])
    m.revolute("pivot", bodies=["ground", rocker], at=[0.3, 0])
    m.drive_joint(joint=shaft, motion="4*pi*t")
    m.watch_point("P", point={"body": coupler, "at": [0.1, 0.28]})
    m.watch_reaction("bearing", reaction=shaft)
    return m


def main(picture: str = "four_bar.png") -> None:
    m = linkage()
    found = m.check()
    print(f"{found['degrees_of_freedom']} degrees of freedom beside the drive, {found['redundant_rows']} redundant rows")
    result = m.run(end=0.5, rtol=1e-8)
    print(f"{result.outcome}: {result.summary['method']}, {result.summary['statistics']['steps']} steps")
    figure, (path, load) = pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    result.plot("P.x:P.y", ax=path)
    path.set_aspect("equal")
    path.set_title("path of P")
    result.plot("bearing.x", "bearing.y", ax=load)
    load.set_title("what the bearing carries")
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
