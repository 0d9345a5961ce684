"""Runs on Dask: a function of one case on its threads, or on the workers of a cluster. Needs python3-dask."""

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
        dask: Any = importlib.import_module("dask")
    except ImportError:
        print("skipped: Dask is not installed (python3-dask)")
        return
    lengths = np.linspace(0.5, 2, 7)
    # Runs do not hold the interpreter, so threads are enough on one machine; scheduler="processes" and clusters work alike.
    lowest = dask.compute(*[dask.delayed(swing)(length) for length in lengths], scheduler="threads")
    for length, y in zip(lengths, lowest):
        print(f"l = {length:.2f} m: lowest at {y:.6f} m")


if __name__ == "__main__":
    main()
