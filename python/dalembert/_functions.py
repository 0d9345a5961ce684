"""Functions that callers give, checked and made into what the compiled part takes: callables, or addresses of C functions."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any, Callable, Optional, Union

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


def _array(given: Any, name: str) -> Any:
    """Real numbers of whatever shape."""
    try:
        all_of_it = np.asarray(given)
    except ValueError:
        raise TypeError(f"{name} must hold real numbers, and its rows are not of one length") from None
    if all_of_it.dtype.kind not in "fiub" and all_of_it.size:
        what = f"is {given!r}" if given is None or isinstance(given, str) else f"has dtype {all_of_it.dtype}"
        what = "is a function" if callable(given) else what
        raise TypeError(f"{name} must hold real numbers, and {what}")
    return all_of_it


def vector(given: Any, name: str) -> Array:
    """A vector of finite real numbers, or an exception that names it."""
    all_of_it = _array(given, name)
    if all_of_it.ndim > 1:
        raise Error(f"{name} has shape {all_of_it.shape}", "it must be a vector: one number for each entry")
    numbers: Array = np.atleast_1d(all_of_it).astype(np.float64)
    if not np.all(np.isfinite(numbers)):
        k = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise Error(f"{name} is not finite: entry {k} is {numbers[k]}", "give numbers")
    return numbers


def is_complex(given: Any) -> bool:
    """Whatever it is: what is no array at all is refused elsewhere."""
    try:
        return bool(np.iscomplexobj(given))
    except ValueError:
        return False


def number(given: Any, name: str) -> float:
    """One real number; it may be infinite."""
    if np.ndim(given) == 0 and np.asarray(given).dtype.kind in "fiub" and not math.isnan(float(given)):
        return float(given)
    raise Error(f"{name} is {given!r}", "it must be a number")


def dense(given: Any) -> Any:
    """A matrix of SciPy's sparse ones, or whatever it was."""
    return given.toarray() if hasattr(given, "toarray") else given


def square(given: Any, n: int, name: str) -> Array:
    """A matrix, or one that is given by its diagonal."""
    all_of_it = _array(dense(given), name)
    matrix: Array = (np.diag(all_of_it) if all_of_it.ndim == 1 else all_of_it).astype(np.float64)
    if matrix.shape != (n, n):
        raise Error(f"{name} has shape {all_of_it.shape}", f"it must be ({n}, {n}), or a diagonal of {n}")
    if not np.all(np.isfinite(matrix)):
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        raise Error(f"{name} is not finite: entry ({row}, {column}) is {matrix[row, column]}")
    return matrix


def places(jac_sparsity: Any, lband: Optional[int], uband: Optional[int], n: int) -> Optional[Array]:
    """Rows and columns where the Jacobian may be other than zero: as the pattern has them, or inside of the bands. None: everywhere."""
    if jac_sparsity is None and lband is None and uband is None:
        return None
    if jac_sparsity is None:
        low, up = int(lband or 0), int(uband or 0)
        if low < 0 or up < 0:
            raise Error(f"lband and uband are {low} and {up}", "they count diagonals below and above the main one")
        away = np.subtract.outer(np.arange(n), np.arange(n))
        pattern = (away <= low) & (-away <= up)
    else:
        pattern = np.asarray(dense(jac_sparsity)) != 0
        if pattern.shape != (n, n):
            raise Error(f"jac_sparsity has shape {pattern.shape}", f"it must be ({n}, {n})")
    found: Array = np.argwhere(pattern).astype(np.float64)
    return found


def span(t_span: Any) -> tuple[float, float]:
    """Begin and end of a run."""
    numbers = vector(t_span, "t_span")
    if numbers.shape != (2,):
        raise Error(f"t_span has {numbers.size} entries", "it is (t0, tf)")
    begin, end = map(float, numbers)
    return begin, end


def times_in(t_eval: Any, begin: float, end: float) -> Optional[list[float]]:
    """Times of t_eval, in the order of the run; backwards runs count -t."""
    if t_eval is None:
        return None
    sign = 1.0 if end >= begin else -1.0
    times = sign * vector(t_eval, "t_eval")
    outside = np.flatnonzero((times < sign * begin) | (times > sign * end))
    if outside.size:
        raise Error(f"t_eval has times outside of t_span: {sign * times[outside[0]]:g}", f"they are from {begin:g} to {end:g}")
    unsorted = np.flatnonzero(np.diff(times) <= 0)
    if unsorted.size:
        k = unsorted[0]
        raise Error(
            f"t_eval is not sorted in the direction of t_span: {sign * times[k + 1]:g} comes after {sign * times[k]:g}",
            "give each time once, in the order of the motion",
        )
    return [float(t) for t in times]


def happenings(events: Any, args: Optional[Sequence[Any]]) -> list[tuple[Any, float, int, str]]:
    """Events with their attributes `direction` and `terminal`, as SciPy reads them."""
    if events is None:
        return []
    if not callable(events) and address_of(events) is None and not isinstance(events, Sequence):
        raise TypeError(f"events must be a function or a list of functions, and is {type(events).__name__}")
    listed = [events] if callable(events) or address_of(events) is not None else list(events)
    found: list[tuple[Any, float, int, str]] = []
    for k, event in enumerate(listed):
        terminal = getattr(event, "terminal", None)
        try:
            times = float(terminal or 0)
        except (TypeError, ValueError):
            times = -1
        if times < 0 or not times.is_integer():
            raise Error(f"terminal of event {k} is {terminal!r}", "it is True, False or how often it may happen")
        which = getattr(event, "direction", 0)
        try:
            direction = float(which or 0)
        except (TypeError, ValueError):
            direction = math.nan
        if math.isnan(direction):
            raise Error(f"direction of event {k} is {which!r}", "it is 1 (rising), -1 (falling) or 0 (both)")
        name = getattr(event, "__name__", f"event {k}")
        if name == "<lambda>" or any(name == other for *_, other in found):
            name = f"event {k}"
        found.append((function(event, name, args), direction, int(times), name))
    return found
