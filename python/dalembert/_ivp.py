"""solve_ivp as SciPy has it, and the same for equations that SciPy does not solve."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional, Sequence, Union

import numpy as np

from . import _core
from ._errors import Error
from ._functions import Array, Function, address_of, function, happenings, span, times_in, vector

# SciPy's names for what has other names here; LSODA chooses, and so does auto.
_scipy_methods = {"RK45": "dopri5", "RK23": "bs32", "DOP853": "dop853", "Radau": "radau", "BDF": "bdf", "LSODA": "auto"}


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
        if np.any(sign * t < sign * ends[0]) or np.any(sign * t > sign * ends[-1]):
            raise Error(f"t is not in the trajectory, which goes from {ends[0]:g} to {ends[-1]:g}")
        k = np.clip(np.searchsorted(sign * ends, sign * t, side="right") - 1, 0, len(ends) - 2)
        x = 2 * (t - ends[k]) / (ends[k + 1] - ends[k]) - 1
        distance = x[:, None] - self.points
        met = distance == 0
        part = np.where(met.any(axis=1)[:, None], met, self.weights / np.where(met, 1, distance))
        part = part / part.sum(axis=1)[:, None]
        states: Array = np.einsum("kj,kjn->kn", part, self.values[k])
        return states


class OdeSolution:
    """A motion as a function of time: sol(t) is a state, sol([t1, t2]) has a column for each time."""

    def __init__(self, motion: Any) -> None:
        self._motion = motion
        self.ts: Array = np.asarray(motion.times)
        self.t_min, self.t_max = float(self.ts.min()), float(self.ts.max())

    def __call__(self, t: Any) -> Array:
        times = vector(t, "t")
        states: Array = self._motion(times.tolist()).T
        return states[:, 0] if np.ndim(t) == 0 else states

    def __reduce__(self) -> tuple[Any, ...]:
        return OdeSolution, (self._motion if isinstance(self._motion, _Polynomials) else _Polynomials(self._motion),)


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
    summary: dict[str, Any]
    q: Array
    v: Array
    lam: Array

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> Iterator[str]:
        return iter([*super().__dir__(), *self])

    def __repr__(self) -> str:
        report = str(self["summary"]["report"]).rstrip()
        return f"{report}\nt            {len(self.t)} times, from {self.t[0]:g} to {self.t[-1]:g}" if len(self.t) else report


def _tolerances(rtol: Any, atol: Any, labels: Sequence[str]) -> dict[str, Any]:
    relative, absolute = vector(rtol, "rtol"), vector(atol, "atol")
    if relative.size != 1:
        raise Error("rtol must be one number", "give atol for each entry instead")
    if absolute.size == 1:
        return {"rtol": float(relative[0]), "atol": float(absolute[0])}
    if absolute.size != len(labels):
        raise Error(f"atol has {absolute.size} entries, and the state {len(labels)}")
    return {"rtol": float(relative[0]), "atol": dict(zip(labels, map(float, absolute)))}


def _steps(first_step: Optional[float], max_step: float, step: Optional[float]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if np.isfinite(max_step):
        found["max_step"] = float(max_step)
    if first_step is not None and step is not None:
        raise Error("both first_step and step are given", "step is the length of all steps")
    if first_step is not None:
        found.update(step=float(first_step), controller="pi")
    if step is not None:
        found["step"] = float(step)
    return found


def _solve(problem: Any, settings: dict[str, Any], times: Optional[list[float]], dense: bool, events: Any, witness: bool) -> OdeResult:
    found = OdeResult(problem.solve({k: x for k, x in settings.items() if x is not None}, times, dense, witness))
    summary = found["summary"]
    found["outcome"] = summary["outcome"]
    found["message"] = summary["message"]
    found["defect"] = summary["defect"]
    found["status"] = {"ok": 0, "stopped": 1}.get(summary["outcome"], -1)
    found["success"] = found["status"] >= 0
    if found["sol"] is not None:
        found["sol"] = OdeSolution(found["sol"]) if found["t"].size or found["success"] else None
    if events is None:
        found["t_events"] = found["y_events"] = None
    return found


def _method(name: Any) -> Optional[str]:
    if name is None:
        return None
    if not isinstance(name, str):
        raise TypeError("method must be a name; classes of SciPy cannot be used here")
    return _scipy_methods.get(name, name)


def _jacobian(jac: Any, n: int, args: Optional[Sequence[Any]]) -> Any:
    if jac is None or callable(jac) or address_of(jac) is not None:
        return function(jac, "jac", args)
    constant = np.asarray(jac.toarray() if hasattr(jac, "toarray") else jac, dtype=float)
    if constant.shape != (n, n):
        raise Error(f"jac has shape {constant.shape}", f"it must be ({n}, {n})")
    return lambda t, y: constant


def _indices(index: Union[int, Sequence[int], None], n: int) -> Optional[list[int]]:
    if index is None:
        return None
    listed = np.atleast_1d(index)
    if listed.dtype.kind not in "iu" or np.any(listed < 1) or np.any(listed > 3):
        raise Error(f"index is {index!r}", "it is 1, 2 or 3, for all algebraic entries or for each entry of the state")
    if listed.size not in (1, n):
        raise Error(f"index has {listed.size} entries, and the state {n}")
    return [int(i) for i in listed]


def _row_count(g: Any, begin: float, y: Array) -> int:
    """Of what a motion keeps: as many as there are where it begins, where they hold."""
    rows = np.atleast_1d(np.asarray(g(begin, y), dtype=float)).ravel()
    off = np.flatnonzero(~(abs(rows) <= 1e-8 * (1 + np.max(abs(y)))))
    if off.size:
        raise Error(f"y0 is off the constraints: row {off[0]} is {rows[off[0]]:g} there", "begin where they hold")
    return int(rows.size)


def _rows(g: Any, name: str, *at: Any) -> int:
    """How many rows a function has: it is called once."""
    if not callable(g):
        raise Error(f"{name} is a C function, and does not say how many rows it has", "give rows=")
    return int(np.size(np.asarray(g(*at))))


def solve_ivp(
    fun: Function,
    t_span: Sequence[float],
    y0: Any,
    method: Optional[str] = None,
    t_eval: Any = None,
    dense_output: bool = False,
    events: Any = None,
    vectorized: bool = False,
    args: Optional[Sequence[Any]] = None,
    *,
    rtol: float = 1e-3,
    atol: Any = 1e-6,
    first_step: Optional[float] = None,
    max_step: float = np.inf,
    jac: Any = None,
    jac_sparsity: Any = None,
    mass: Any = None,
    constraints: Optional[Callable[..., Any]] = None,
    index: Union[int, Sequence[int], None] = None,
    step: Optional[float] = None,
    options: Optional[dict[str, Any]] = None,
    witness: bool = True,
    formulation: Optional[str] = None,
) -> OdeResult:
    """Solves y' = f(t, y), called as SciPy's solve_ivp is; and M y' = f(t, y), M perhaps singular, and y' = f(t, y) on 0 = g(t, y).

    `fun`, `t_span`, `y0`, `t_eval`, `dense_output`, `events` (with `terminal` and `direction`), `vectorized`, `args`, `rtol`,
    `atol`, `first_step`, `max_step` and `jac` mean what they mean there. The result has the same fields, and `outcome`,
    `defect` (what the motion leaves of the equations, in units of the tolerance) and `summary`.

    method: a name of `dalembert methods`, or one of SciPy's (RK45, DOP853, Radau, BDF, ...). None: the equations choose, and the choice
        changes where they turn out to be stiff.
    mass: M, a matrix or its diagonal. Where it is singular the equations are differential-algebraic.
    index: of those, found at the start unless given: a number for all algebraic entries, or one for each entry.
    constraints: g(t, y), what every solution keeps: states are brought back to 0 = g after each step.
    step: a fixed step, for methods without step control.
    options: of the method, by name.
    witness: steps are looked at between their ends, which costs evaluations, and `defect` says what was found. False: the method's own
        error test decides alone.
    jac_sparsity: taken, and not used: Jacobians are dense here.

    `fun`, `jac` and `events` may be C functions (numba's cfunc, ctypes): void f(double t, const double* y, double* dy),
    void jac(double t, const double* y, double* rows), double event(double t, const double* y). If all of them are, the interpreter is not
    needed and other threads run meanwhile.

    >>> import dalembert
    >>> def exponential_decay(t, y): return -0.5 * y
    >>> sol = dalembert.solve_ivp(exponential_decay, [0, 10], [2, 4, 8], rtol=1e-8)
    >>> sol.y[:, -1].round(6)
    array([0.013476, 0.026952, 0.053904])
    >>> sol.outcome
    'ok'
    """
    begin, end = span(t_span)
    start = vector(y0, "y0")
    n = start.size
    if n == 0:
        raise Error("y0 is empty")
    fun_name = getattr(fun, "__name__", "fun")
    called = function(fun, "fun", args)
    if vectorized and callable(called):
        inner = called
        called = lambda t, y: np.asarray(inner(t, y[:, None])).ravel()  # noqa: E731
    equations: dict[str, Any] = {
        "begin": begin, "end": end, "y": start, "f": called, "f_name": fun_name,
        "jacobian": _jacobian(jac, n, args), "jacobian_name": "jac", "events": happenings(events, args),
    }  # fmt: skip
    settings: dict[str, Any] = {"method": _method(method), "options": options, "formulation": formulation}
    settings.update(_steps(first_step, max_step, step))
    singular = False
    if mass is not None:
        matrix = np.asarray(mass.toarray() if hasattr(mass, "toarray") else mass, dtype=float)
        matrix = np.diag(matrix) if matrix.ndim == 1 else matrix
        if matrix.shape != (n, n) or not np.all(np.isfinite(matrix)):
            raise Error(f"mass has shape {matrix.shape}, or entries that are not finite", f"it is ({n}, {n}) or a diagonal")
        equations["mass"] = matrix
        singular = bool(np.linalg.matrix_rank(matrix) < n)
    if index is not None and not singular:
        raise Error("index is given, and mass is not singular", "these are ordinary differential equations")
    if constraints is not None:
        if singular:
            raise Error("constraints are given, and mass is singular", "put them among the equations")
        rows = function(constraints, "constraints", args)
        if not callable(rows):
            raise Error("constraints is a C function", "it must be one of Python here")
        equations.update(rows=rows, rows_name="constraints", row_count=_row_count(rows, begin, start))
        settings["project"] = "on"
    equations["index"] = _indices(index, n)
    problem = _core.implicit(equations) if singular else _core.ode(equations)
    settings.update(_tolerances(rtol, atol, problem.labels))
    return _solve(problem, settings, times_in(t_eval, begin, end), dense_output, events, witness)


def solve_dae(
    F: Function,
    t_span: Sequence[float],
    y0: Any,
    yp0: Any = None,
    *,
    method: Optional[str] = None,
    t_eval: Any = None,
    dense_output: bool = False,
    events: Any = None,
    args: Optional[Sequence[Any]] = None,
    rtol: float = 1e-6,
    atol: Any = 1e-6,
    first_step: Optional[float] = None,
    max_step: float = np.inf,
    index: Union[int, Sequence[int], None] = None,
    step: Optional[float] = None,
    options: Optional[dict[str, Any]] = None,
    witness: bool = True,
) -> OdeResult:
    """Solves F(t, y, y') = 0 of index 1 to 3, from a start that is made consistent.

    F(t, y, yp) returns as many numbers as y has. `yp0` says which of several solutions is meant where F is not linear in y'; it must
    satisfy F(t0, y0, yp0) = 0, and is found where it is left out. `index` is found at the start up to 2; for index 3 give one for each
    entry (positions 1, velocities 2, multipliers 3). Everything else is as in solve_ivp; a C function is
    void F(double t, const double* y, const double* yp, double* residual).

    >>> import dalembert
    >>> def circuit(t, y, yp): return [yp[0] + y[0] - y[1], y[1] - 2 * y[0] ** 2]
    >>> sol = dalembert.solve_dae(circuit, (0, 1), [0.25, 0.1])
    >>> sol.success, sol.y[:, 0].round(6).tolist()
    (True, [0.25, 0.125])
    """
    begin, end = span(t_span)
    start = vector(y0, "y0")
    equations: dict[str, Any] = {
        "begin": begin, "end": end, "y": start, "f": function(F, "F", args), "f_name": getattr(F, "__name__", "F"),
        "events": happenings(events, args),
    }  # fmt: skip
    if yp0 is not None:
        equations["rate"] = vector(yp0, "yp0")
        if equations["rate"].size != start.size:
            raise Error(f"yp0 has {equations['rate'].size} entries, and y0 {start.size}")
    equations["index"] = _indices(index, start.size)
    problem = _core.implicit(equations)
    settings: dict[str, Any] = {"method": _method(method), "options": options}
    settings.update(_steps(first_step, max_step, step))
    settings.update(_tolerances(rtol, atol, problem.labels))
    return _solve(problem, settings, times_in(t_eval, begin, end), dense_output, events, witness)


def solve_mechanical(
    M: Any,
    f: Function,
    g: Optional[Function] = None,
    G: Optional[Function] = None,
    *,
    t_span: Sequence[float],
    q0: Any,
    v0: Any = None,
    bias: Optional[Function] = None,
    energy: Optional[Function] = None,
    rows: Optional[int] = None,
    method: Optional[str] = None,
    formulation: Optional[str] = None,
    t_eval: Any = None,
    dense_output: bool = False,
    events: Any = None,
    args: Optional[Sequence[Any]] = None,
    rtol: float = 1e-6,
    atol: Any = 1e-6,
    first_step: Optional[float] = None,
    max_step: float = np.inf,
    step: Optional[float] = None,
    options: Optional[dict[str, Any]] = None,
    witness: bool = True,
) -> OdeResult:
    """Solves q' = v, M(t,q) v' = f(t,q,v) - G' lam, 0 = g(t,q) with G = dg/dq: constraints hold, in position and in velocity.

    M is a matrix, its diagonal, or a function M(t, q); f(t, q, v), g(t, q) and G(t, q) return arrays. G, and `bias` (what
    d/dt (G v + dg/dt) is beside G v'), are differences of g where they are not given, and compared with these at the start where they are. `energy(t, q, v)`, if given,
    is watched. A start off the constraints is moved onto them, as little as can be. Events are functions of (t, q, v).
    The result has q, v and lam beside the fields of solve_ivp, where y is all three.

    A pendulum of length 1, let go horizontally:

    >>> import dalembert, numpy as np
    >>> sol = dalembert.solve_mechanical([1, 1], lambda t, q, v: [0, -9.81], lambda t, q: q @ q - 1,
    ...                                  t_span=(0, 10), q0=[1, 0], rtol=1e-8)
    >>> bool(abs(np.sum(sol.q ** 2, axis=0) - 1).max() < 1e-12)
    True
    """
    begin, end = span(t_span)
    if end < begin:
        raise Error("t_span goes backwards", "velocities would change their sign; give -t as the time yourself")
    q = vector(q0, "q0")
    v = np.zeros_like(q) if v0 is None else vector(v0, "v0")
    if v.size != q.size:
        raise Error(f"q0 has {q.size} entries, and v0 {v.size}")
    n = q.size
    equations: dict[str, Any] = {
        "begin": begin, "end": end, "y": np.concatenate([q, v]), "f": function(f, "f", args), "f_name": "f",
        "jacobian": function(G, "G", args), "jacobian_name": "G", "bias": function(bias, "bias", args), "bias_name": "bias",
        "energy": function(energy, "energy", args), "energy_name": "energy", "events": happenings(events, args),
    }  # fmt: skip
    if callable(M) or address_of(M) is not None:
        equations.update(mass_function=function(M, "M", args), mass_function_name="M")
    else:
        matrix = np.asarray(M, dtype=float)
        matrix = np.diag(matrix) if matrix.ndim == 1 else matrix
        if matrix.shape != (n, n):
            raise Error(f"M has shape {matrix.shape}", f"it must be ({n}, {n}), or a diagonal of {n}")
        equations["mass"] = matrix
    if g is not None:
        held = function(g, "g", args)
        equations.update(rows=held, rows_name="g", row_count=_rows(held, "g", begin, q) if rows is None else rows)
    elif G is not None or bias is not None:
        raise Error("G or bias is given, and g is not")
    problem = _core.mechanical(equations)
    settings: dict[str, Any] = {"method": _method(method), "formulation": formulation, "options": options}
    settings.update(_steps(first_step, max_step, step))
    settings.update(_tolerances(rtol, atol, problem.labels))
    found = _solve(problem, settings, times_in(t_eval, begin, end), dense_output, events, witness)
    found["q"], found["v"], found["lam"] = found.y[:n], found.y[n : 2 * n], found.y[2 * n :]
    return found
