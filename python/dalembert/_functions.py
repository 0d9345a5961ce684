"""Functions that callers give, checked and made into what the compiled part takes: callables, or addresses of C functions."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._errors import Error

Array = npt.NDArray[np.float64]
Function = Union[Callable[..., Any], int, Any]


_pointers: Any = ctypes.CFUNCTYPE(None).__mro__[1]  # the base of all function pointers of ctypes


def address_of(function: Any) -> Optional[int]:
    """The address of a C function, of numba's cfunc or of ctypes; None for what Python has to call."""
    if isinstance(getattr(function, "address", None), int):
        return int(function.address)
    if isinstance(function, _pointers):
        return ctypes.cast(function, ctypes.c_void_p).value
    return None


def _check_signature(given: Any, name: str) -> None:
    """numba's functions know what they take: t, and pointers to numbers. Called with anything else they would read what is not there."""
    takes = [str(each) for each in getattr(getattr(given, "_sig", None), "args", ("float64",))]
    if takes[0] != "float64" or any(each != "float64*" for each in takes[1:]):
        raise Error(f"{name} is a C function of ({', '.join(takes)})", "it takes t as float64, and pointers: float64, CPointer(float64), ...")


def function(given: Any, name: str, args: Optional[Sequence[Any]] = None) -> Any:
    """What the compiled part calls: an address, or a callable with `args` put behind its own arguments."""
    if given is None:
        return None
    if (address := address_of(given)) is not None:
        if args:
            raise Error(f"{name} is a C function, which takes no args", "compile their values into it")
        _check_signature(given, name)
        return address
    if not callable(given):
        raise TypeError(f"{name} must be a function, and is {type(given).__name__}")
    if not args:
        return given
    return lambda *own: given(*own, *args)


def vector(given: Any, name: str) -> Array:
    """A vector of finite real numbers, or an exception that names it."""
    all_of_it = np.asarray(given)
    if all_of_it.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold real numbers, and has dtype {all_of_it.dtype}")
    if all_of_it.ndim > 1:
        raise Error(f"{name} has shape {all_of_it.shape}", "it must be a vector")
    numbers: Array = np.atleast_1d(all_of_it).astype(np.float64)
    if not np.all(np.isfinite(numbers)):
        raise Error(f"{name} is not finite: {numbers}")
    return numbers


def span(t_span: Any) -> tuple[float, float]:
    """Begin and end of a run."""
    numbers = vector(t_span, "t_span")
    if numbers.shape != (2,):
        raise Error(f"t_span has {numbers.size} entries", "it is (t0, tf)")
    begin, end = map(float, numbers)
    if begin == end:
        raise Error(f"t_span begins and ends at {begin:g}")
    return begin, end


def times_in(t_eval: Any, begin: float, end: float) -> Optional[list[float]]:
    """Times of t_eval, in the order of the run; backwards runs count -t."""
    if t_eval is None:
        return None
    sign = 1.0 if end > begin else -1.0
    times = sign * vector(t_eval, "t_eval")
    if np.any(times < sign * begin) or np.any(times > sign * end):
        raise Error("t_eval has times outside of t_span")
    if np.any(np.diff(times) <= 0):
        raise Error("t_eval is not sorted in the direction of t_span")
    return [float(t) for t in times]


def happenings(events: Any, args: Optional[Sequence[Any]]) -> list[tuple[Any, float, int, str]]:
    """Events with their attributes `direction` and `terminal`, as SciPy reads them."""
    if events is None:
        return []
    listed = [events] if callable(events) or address_of(events) is not None else list(events)
    found: list[tuple[Any, float, int, str]] = []
    for k, event in enumerate(listed):
        terminal = getattr(event, "terminal", None)
        direction = float(getattr(event, "direction", 0) or 0)
        if isinstance(terminal, float) and not terminal.is_integer() or (terminal or 0) < 0:
            raise Error(f"terminal of event {k} is {terminal!r}", "it is True, False or how often it may happen")
        if math.isnan(direction):
            raise Error(f"direction of event {k} is not a number")
        name = getattr(event, "__name__", f"event {k}")
        if name == "<lambda>" or any(name == other for *_, other in found):
            name = f"event {k}"
        found.append((function(event, name, args), direction, int(terminal or 0), name))
    return found
