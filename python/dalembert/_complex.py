"""Equations of complex numbers: z = a + ib is solved as the real state (a, b)."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
import numpy.typing as npt

from ._call import OdeResult
from ._errors import Error
from ._functions import Array, address_of, dense
from ._motion import OdeSolution


class Halves:
    """The real and the imaginary parts of n numbers, one after the other."""

    def __init__(self, n: int, args: Optional[Sequence[Any]], vectorized: bool) -> None:
        self.n = n
        self.args = tuple(args or ())
        self.vectorized = vectorized

    def split(self, z: Any) -> Array:
        return np.concatenate([np.real(z), np.imag(z)])

    def join(self, y: Array) -> npt.NDArray[np.complex128]:
        joined: npt.NDArray[np.complex128] = y[: self.n] + 1j * y[self.n :]
        return joined

    def called(self, given: Any, name: str) -> Any:
        """given(t, z, *args) as a function of (t, y)."""
        if address_of(given) is not None:
            raise Error(f"{name} is a C function, and y0 is complex", "C functions take real numbers; give real and imaginary parts")
        if not callable(given):
            raise TypeError(f"{name} must be a function, and is {type(given).__name__}")
        return lambda t, y: given(t, self.join(y), *self.args)

    def fun(self, given: Any) -> Any:
        """The right-hand side."""
        self.called(given, "fun")
        name = getattr(given, "__name__", "fun")

        def real(t: float, y: Array) -> Array:
            z = self.join(y)
            rate = np.asarray(given(t, z[:, None] if self.vectorized else z, *self.args)).ravel()
            if rate.size != self.n:
                raise ValueError(f"{name} returned {rate.size} numbers, and must return {self.n}")
            return self.split(rate)

        real.__name__ = name
        return real

    def matrix(self, given: Any, name: str) -> Array:
        """A + iB as it acts on (a, b)."""
        z = np.asarray(dense(given))
        z = np.diag(z) if z.ndim == 1 else z
        if z.shape != (self.n, self.n):
            raise Error(f"{name} has shape {z.shape}", f"it must be ({self.n}, {self.n})")
        return np.block([[z.real, -z.imag], [z.imag, z.real]])

    def jac(self, given: Any) -> Any:
        if given is None:
            return None
        if not callable(given):
            return self.matrix(given, "jac")
        called = self.called(given, "jac")
        return lambda t, y: self.matrix(called(t, y), "what jac returned")

    def constraints(self, given: Any) -> Any:
        if given is None:
            return None
        called = self.called(given, "constraints")

        def rows(t: float, y: Array) -> Array:
            given_rows = np.atleast_1d(np.asarray(called(t, y)))
            real: Array = self.split(given_rows) if np.iscomplexobj(given_rows) else given_rows
            return real

        return rows

    def events(self, given: Any) -> Any:
        if given is None:
            return None
        if callable(given):
            return self.event(given)
        return [self.event(each) for each in given]

    def event(self, given: Any) -> Any:
        called = self.called(given, "an event")
        made = lambda t, y: called(t, y)  # noqa: E731
        made.__name__ = getattr(given, "__name__", "event")
        for attribute in ("terminal", "direction"):
            if hasattr(given, attribute):
                setattr(made, attribute, getattr(given, attribute))
        return made

    def each(self, given: Any) -> Any:
        """One number for both parts of each entry."""
        return given if given is None or np.ndim(given) == 0 else np.tile(given, 2)

    def joined(self, found: OdeResult) -> OdeResult:
        """What was found, in complex numbers again."""
        found["y"] = self.join(found["y"])
        if found["y_events"] is not None:
            found["y_events"] = [self.join(each.T).T for each in found["y_events"]]
        if found["sol"] is not None:
            found["sol"] = OdeSolution(found["sol"]._motion, complex=True)
        return found
