"""Runs on MPI: `mpirun -n 4 python3 on_mpi.py` shares them between processes. Needs python3-mpi4py."""

import importlib
from typing import Any

import numpy as np

import dalembert


def swing(length: float) -> float:
    """The lowest place of the pendulum."""
    result = dalembert.problems["pendulum"](l=length).run(end=3, rtol=1e-8)
    return float(result["q.y"].min())


def main() -> None:
    try:
        futures: Any = importlib.import_module("mpi4py.futures")
    except ImportError:
        print("skipped: mpi4py is not installed (python3-mpi4py)")
        return
    lengths = np.linspace(0.5, 2, 7)
    # Of mpirun's processes the first one is here and the others work; without mpirun there is one, which works itself.
    with futures.MPICommExecutor() as executor:
        if executor is None:
            return
        lowest = list(executor.map(swing, lengths))
    for length, y in zip(lengths, lowest):
        print(f"l = {length:.2f} m: lowest at {y:.6f} m")


if __name__ == "__main__":
    main()
