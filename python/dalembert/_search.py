"""Parameters that are found by runs: those of measured data, and those that make a number least."""

from __future__ import annotations

import csv
import os
import tempfile
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._commands import Subject, command
from ._errors import Error, ModelError

Range = Union[str, Sequence[Union[float, str]]]
Data = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def _range(name: str, given: Range) -> str:
    if isinstance(given, str):
        return given
    if np.ndim(given) == 0 or len(given) not in (2, 3):
        raise Error(f"'{name}' has no range", "give (low, high), or (low, high, 'log') to search in equal ratios")
    return ":".join(each if isinstance(each, str) else repr(float(each)) for each in given)


def _ranges(vary: Mapping[str, Range]) -> dict[str, str]:
    if not isinstance(vary, Mapping):
        raise TypeError(f"vary must be a dict of ranges, as in {{'k': (1e3, 1e5)}}, and is {type(vary).__name__}")
    return {name: _range(name, each) for name, each in vary.items()}


def _values(found: dict[str, Any]) -> dict[str, Any]:
    found["values"] = {p["name"]: p["value"] for p in found["parameters"]}
    found["history"] = np.array([np.nan if y is None else y for y in found["history"]])
    return found


def _array(numbers: Sequence[Optional[float]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([np.nan if y is None else y for y in numbers])


def _measured(name: str, numbers: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    if np.iscomplexobj(numbers):
        raise Error(f"column '{name}' is complex", "give its real and imaginary part as columns of their own")
    try:
        given = np.array(numbers, dtype=float)
    except (TypeError, ValueError) as error:
        raise Error(f"column '{name}' holds no numbers: {error}", "NaN stands for what was not measured") from None
    mask = getattr(numbers, "mask", None)  # of NumPy's masked arrays: it was not measured there
    if isinstance(numbers, np.ma.MaskedArray) and mask is not None:
        given[np.broadcast_to(mask, given.shape)] = np.nan
    return given


def _write(data: Mapping[str, Any], file: Any) -> None:
    if not hasattr(data, "keys"):
        raise TypeError(f"data must be a .csv file or columns by name (a dict, a DataFrame), and is {type(data).__name__}")
    columns = {str(name): _measured(str(name), data[name]) for name in data}
    if len({column.shape for column in columns.values()}) != 1 or next(iter(columns.values())).ndim != 1:
        raise Error("the columns of the data are not of one length", "give one number for each time; NaN where nothing was measured")
    lines = csv.writer(file)
    lines.writerow(columns)
    lines.writerows(["" if np.isnan(y) else repr(float(y)) for y in row] for row in zip(*columns.values()))


def fit(what: Subject, vary: Mapping[str, Range], data: Data, scale: Optional[Mapping[str, float]] = None, **options: Any) -> Any:
    """The parameters for which the motion is nearest to measured data, by least squares.

    `vary` has a range for each, (1e3, 1e5), or (1e3, 1e5, "log") to search in equal ratios. `data` is a .csv file, or columns by name (a dict, a
    DataFrame): "t", and watches or entries of the state. `scale` is the size of the errors of a column. Further options are those of `dalembert fit`.

    What is returned has under "values" what was found, under "errors" the standard errors, under "columns" arrays of what was measured and fitted.
    `ending` is "converged" if it is a minimum; `undetermined` names parameters that the data do not know; `warnings` says what is doubtful all the same; `status` is 0 if all is well.

    >>> import dalembert
    >>> pendulum = dalembert.problems["pendulum"]
    >>> seen = pendulum(l=1.2).run(end=2, rtol=1e-9, output=20)
    >>> found = pendulum.fit(vary={"l": (0.5, 2)}, data={"t": seen.t, "q.x": seen["q.x"], "q.y": seen["q.y"]})
    >>> found["ending"], round(found["values"]["l"], 6)
    ('converged', 1.2)
    """
    chosen: dict[str, Any] = {"vary": _ranges(vary), "scale": dict(scale or {}), **options}
    if isinstance(data, (str, os.PathLike)):
        found = command("fit", what, data=os.fspath(data), **chosen)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.csv")
            with open(path, "w", newline="", encoding="utf-8") as file:
                _write(data, file)
            try:
                found = command("fit", what, data=path, **chosen)
            except ModelError as error:  # there is no such file for the caller
                said = [each._replace(file="data", text="") for each in error.complaints if each.file == path]
                raise ModelError(said) if said else error from None
    found["errors"] = {p["name"]: p["error"] for p in found["parameters"]}
    found["t"] = np.array(found["t"])
    found["columns"] = {
        column["name"]: {**column, "measured": _array(column["measured"]), "fitted": _array(column["fitted"])} for column in found["columns"]
    }
    return _values(found)


def minimize(
    what: Subject,
    vary: Mapping[str, Range],
    objective: str,
    constraint: Union[str, Sequence[str], None] = None,
    **options: Any,
) -> Any:
    """The parameters that make a number of the run least, by NLopt.

    `objective` is "max(force)", min, mean, end, time or count alike; "-max(height)" for the largest, "time(turn)=2" for the nearest to 2. Each `constraint`
    is such a number with <, > or =. Further options are those of `dalembert minimize`: algorithm, starts, seed, runs, end.

    >>> import dalembert
    >>> pendulum = dalembert.problems["pendulum"]
    >>> found = pendulum.minimize(vary={"l": (0.8, 2)}, objective="end(q.x)=0", end=2)
    >>> round(found["values"]["l"], 4)
    1.1636
    """
    return _values(command("minimize", what, vary=_ranges(vary), objective=objective, constraint=constraint, **options))
