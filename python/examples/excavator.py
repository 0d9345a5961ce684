"""A hydraulic excavator digs: the path of its bucket and the force on its foot."""

import os
import sys

from matplotlib import pyplot

import dalembert

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models", "excavator.toml")


def main(picture: str = "excavator.png") -> None:
    result = dalembert.Model.from_file(MODEL).run()
    print(result.summary["message"])
    print(f"largest force on the foot: {1e-3 * result['foot.norm'].max():.1f} kN")
    figure, (path, force) = pyplot.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    path.plot(result["tip.x"], result["tip.y"])
    path.plot(result["tip.x"][:1], result["tip.y"][:1], "o", label="start")
    path.set_aspect("equal")
    path.set_xlabel("x of the tip [m]")
    path.set_ylabel("y of the tip [m]")
    path.legend()
    force.plot(result.t, 1e-3 * result["foot.norm"])
    force.set_xlabel("t [s]")
    force.set_ylabel("force on the foot [kN]")
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
