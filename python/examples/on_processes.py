"""Runs on processes of concurrent.futures: a function of one case, made by whoever is free. Models can be pickled, so they go along.

For grids and draws `dalembert.sweep` is faster and resumable; this is for what Python does between the runs.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import dalembert


def swing(case: tuple[dalembert.Problem, float]) -> float:
    """The lowest place of the pendulum."""
    pendulum, length = case
    result = pendulum(l=length).run(end=3, rtol=1e-8)
    return float(result["q.y"].min())


def main() -> None:
    pendulum = dalembert.problems["pendulum"]
    lengths = np.linspace(0.5, 2, 7)
    with ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn")) as executor:
        lowest = list(executor.map(swing, [(pendulum, length) for length in lengths]))
    for length, y in zip(lengths, lowest):
        print(f"l = {length:.2f} m: lowest at {y:.6f} m")


if __name__ == "__main__":
    main()
