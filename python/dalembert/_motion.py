"""Motions as functions of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import Error
from ._functions import Array, vector


class _Polynomials:
    """A motion without the run it came from: each of its steps is a polynomial of degree 16 at most, through its values at the points of Chebyshev."""

    degree = 16
    points = np.sin(np.pi * (2 * np.arange(degree + 1) - degree) / (2 * degree))
    weights = np.where(np.arange(degree + 1) % 2 == 0, 1.0, -1.0) * np.where(abs(points) > 0.999999, 0.5, 1.0)

    def __init__(self, motion: Any) -> None:
        self.times = list(motion.times)
        t = np.asarray(self.times)
        middle, half = (t[1:] + t[:-1]) / 2, (t[1:] - t[:-1]) / 2
        at = middle[:, None] + half[:, None] * self.points
        at[:, 0], at[:, -1] = t[:-1], t[1:]
        self.values: Array = motion(at.ravel().tolist()).reshape(len(middle), self.degree + 1, -1)

    def __call__(self, times: list[float]) -> Array:
        ends, t = np.asarray(self.times), np.asarray(times)
        sign = np.sign(ends[-1] - ends[0])
        k = np.clip(np.searchsorted(sign * ends, sign * t, side="right") - 1, 0, len(ends) - 2)
        x = 2 * (t - ends[k]) / (ends[k + 1] - ends[k]) - 1
        distance = x[:, None] - self.points
        met = distance == 0
        part = np.where(met.any(axis=1)[:, None], met, self.weights / np.where(met, 1, distance))
        part = part / part.sum(axis=1)[:, None]
        states: Array = np.einsum("kj,kjn->kn", part, self.values[k])
        return states


class Rest:
    """The motion of no time at all: one state."""

    def __init__(self, t: float, y: Array) -> None:
        self.times = [t]
        self.y = y

    def __call__(self, times: list[float]) -> Array:
        return np.tile(self.y, (len(times), 1))


def inside(t: Array, ts: Array) -> Array:
    """Times of a motion: what rounding puts beside its ends is at its ends, and what is further away is refused."""
    first, last = float(ts.min()), float(ts.max())
    off = (t < first) | (t > last)
    slack = 1e-13 * max(abs(first), abs(last))
    if np.any((t < first - slack) | (t > last + slack)):
        raise Error(
            f"t = {t[off][0]:g} is not in the trajectory, which goes from {ts[0]:g} to {ts[-1]:g}",
            "compute a longer one; nothing is extrapolated",
        )
    clipped: Array = np.clip(t, first, last)
    return clipped


class OdeSolution:
    """A motion as a function of time: sol(t) is a state, sol([t1, t2]) has a column for each time. Times outside of the motion are refused."""

    def __init__(self, motion: Any, complex: bool = False) -> None:
        self._motion = motion
        self._complex = complex
        self.ts: Array = np.asarray(motion.times)
        self.t_min, self.t_max = float(self.ts.min()), float(self.ts.max())
        self.n_segments = len(self.ts) - 1

    def __call__(self, t: Any) -> Any:
        times = inside(vector(t, "t"), self.ts)
        states = self._motion(times.tolist()).T
        if self._complex:
            half = len(states) // 2
            states = states[:half] + 1j * states[half:]
        return states[:, 0] if np.ndim(t) == 0 else states

    def __reduce__(self) -> tuple[Any, ...]:
        kept = self._motion if isinstance(self._motion, (_Polynomials, Rest)) else _Polynomials(self._motion)
        return OdeSolution, (kept, self._complex)
