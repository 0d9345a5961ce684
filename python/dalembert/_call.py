"""What every call of solve_ivp, solve_dae and solve_mechanical says of its run, whatever the equations are; and what it comes to."""

from __future__ import annotations

import difflib
import inspect
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence

import numpy as np

from ._errors import Error
from ._functions import Array, function, happenings, number, span, times_in, vector
from ._motion import OdeSolution, Rest

# SciPy's names for what has other names here; LSODA chooses, and so does auto.
SCIPY_METHODS = {"RK45": "dopri5", "RK23": "bs32", "DOP853": "dop853", "Radau": "radau", "BDF": "bdf", "LSODA": "auto"}


class OdeResult(dict[str, Any]):
    """What a run came to, by name and as attributes: SciPy's fields, and outcome, defect and summary."""

    t: Array
    y: Array
    sol: Optional[OdeSolution]
    t_events: Optional[list[Array]]
    y_events: Optional[list[Array]]
    nfev: int
    njev: int
    nlu: int
    status: int
    message: str
    success: bool
    outcome: str
    defect: dict[str, Any]
    warnings: list[str]
    summary: dict[str, Any]
    q: Array
    v: Array
    lam: Array

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"a result has no '{name}'; it has {', '.join(self)}") from None

    def __dir__(self) -> Iterator[str]:
        return iter([*super().__dir__(), *self])

    def __repr__(self) -> str:
        report = str(self["summary"]["report"]).rstrip()
        return f"{report}\nt            {len(self.t)} times, from {self.t[0]:g} to {self.t[-1]:g}" if len(self.t) else report


@dataclass
class Call:
    """The arguments that all of them have."""

    t_span: Sequence[float]
    method: Any
    t_eval: Any
    dense_output: bool
    events: Any
    args: Optional[Sequence[Any]]
    rtol: Any
    atol: Any
    first_step: Optional[float]
    max_step: float
    step: Optional[float]
    options: Optional[dict[str, Any]]
    witness: bool
    formulation: Optional[str] = None
    min_step: float = 0

    def __post_init__(self) -> None:
        self.begin, self.end = span(self.t_span)
        self.times = times_in(self.t_eval, self.begin, self.end)
        if self.args is not None and not hasattr(self.args, "__iter__"):
            raise TypeError(f"args is {self.args!r}; it must be a tuple, as in args=({self.args!r},)")

    def function(self, given: Any, name: str) -> Any:
        """One of the functions that the equations are made of."""
        return function(given, name, self.args)

    def equations(self, y: Array, **given: Any) -> dict[str, Any]:
        """What the compiled part is told of them."""
        return {"begin": self.begin, "end": self.end, "y": y, "events": happenings(self.events, self.args), **given}

    def solve(self, problem: Any, **more: Any) -> OdeResult:
        """The run, with the fields that SciPy's has."""
        settings = {
            "method": _method(self.method),
            "formulation": self.formulation,
            "options": self.options,
            **self._steps(),
            **self._tolerances(problem.labels),
            **more,
        }
        settings = {name: value for name, value in settings.items() if value is not None}
        try:
            found = OdeResult(problem.solve(settings, self.times, self.dense_output, self.witness, number(self.min_step, "min_step")))
        except Error as error:
            near = difflib.get_close_matches(str(self.method), SCIPY_METHODS, 1)
            if error.what.startswith("unknown method") and near and "did you mean" not in error.hint:
                raise Error(error.what, f"did you mean '{near[0]}'? `dalembert methods` lists those that are not SciPy's") from None
            raise
        summary = found["summary"]
        for name in ("outcome", "message", "defect", "warnings"):
            found[name] = summary[name]
        found["status"] = {"ok": 0, "stopped": 1}.get(summary["outcome"], -1)
        found["success"] = found["status"] >= 0
        if self.begin == self.end and self.dense_output and found["success"]:
            found["sol"] = OdeSolution(Rest(self.begin, found["start"]))
        elif found["sol"] is not None:
            found["sol"] = OdeSolution(found["sol"]) if found["sol"].times else None
        del found["start"]
        if self.events is None:
            found["t_events"] = found["y_events"] = None
        return found

    def _tolerances(self, labels: Sequence[str]) -> dict[str, Any]:
        relative, absolute = vector(self.rtol, "rtol"), vector(self.atol, "atol")
        for name, given in (("rtol", relative), ("atol", absolute)):
            if given.size not in (1, len(labels)):
                hint = f"it is one number, or {len(labels)} for {', '.join(labels[:9])}" + (", ..." if len(labels) > 9 else "")
                raise Error(f"{name} has {given.size} entries, and the state {len(labels)}", hint)
        rtol = float(relative.min())  # of several the strictest: what each asks for is then met
        if absolute.size == 1:
            return {"rtol": rtol, "atol": float(absolute[0])}
        return {"rtol": rtol, "atol": dict(zip(labels, map(float, absolute)))}

    def _steps(self) -> dict[str, Any]:
        if self.first_step is not None and self.step is not None:
            raise Error("both first_step and step are given", "step is the length of all steps")
        found: dict[str, Any] = {}
        longest = number(self.max_step, "max_step")
        if not longest > 0:
            raise Error(f"max_step is {self.max_step!r}", "it must be positive")
        if np.isfinite(longest):
            found["max_step"] = longest
        if self.first_step is not None:
            first = number(self.first_step, "first_step")
            if not 0 < first <= abs(self.end - self.begin) and self.end != self.begin:
                raise Error(f"first_step is {first:g}", f"it must be positive, and not longer than t_span ({abs(self.end - self.begin):g})")
            found.update(step=first, controller="pi")
        if self.step is not None:
            found["step"] = number(self.step, "step")
        return found


def _method(given: Any) -> Optional[str]:
    """A name of ours, or one of SciPy's; its classes stand for their names."""
    if given is None:
        return None
    name = given.__name__ if inspect.isclass(given) else given
    if isinstance(name, str) and (isinstance(given, str) or name in SCIPY_METHODS):
        return SCIPY_METHODS.get(name, name)
    what = f"class {name}" if inspect.isclass(given) else repr(given)
    raise TypeError(
        f"method is {what}; it must be a name of `dalembert methods`, or one of SciPy's ({', '.join(SCIPY_METHODS)}). "
        "Solvers written for SciPy cannot be used here"
    )
