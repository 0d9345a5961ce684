"""solve_ivp as SciPy has it, and the same for equations that SciPy does not solve."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _core
from ._call import Call, OdeResult
from ._complex import Halves
from ._errors import Error
from ._functions import Array, Function, address_of, dense, function, is_complex, places, square, vector


def _jacobian(jac: Any, n: int, args: Optional[Sequence[Any]], lband: Optional[int], uband: Optional[int]) -> Any:
    """jac as a function of (t, y); with bands it returns its diagonals, one below the other: packed[i - j + uband, j]."""
    if jac is None or address_of(jac) is not None:
        return function(jac, "jac", args)
    if not callable(jac):
        constant = square(jac, n, "jac")
        return lambda t, y: constant
    called = function(jac, "jac", args)
    if lband is None and uband is None:
        return called
    up = int(uband or 0)
    i, j = places(None, lband, uband, n).astype(int).T  # type: ignore[union-attr]

    def unpacked(t: float, y: Array) -> Array:
        packed = np.asarray(called(t, y), dtype=float)
        rows = up + int(lband or 0) + 1
        if packed.shape == (n, n) != (rows, n):
            return packed  # the whole, as for methods of SciPy that know no bands
        if packed.shape != (rows, n):
            raise Error(f"jac returned shape {packed.shape}", f"with lband and uband it is ({rows}, {n}): packed[i - j + uband, j]")
        matrix = np.zeros((n, n))
        matrix[i, j] = packed[i - j + up, j]
        return matrix

    return unpacked


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
    method: Any = None,
    t_eval: Any = None,
    dense_output: bool = False,
    events: Any = None,
    vectorized: bool = False,
    args: Optional[Sequence[Any]] = None,
    *,
    rtol: Any = 1e-3,
    atol: Any = 1e-6,
    first_step: Optional[float] = None,
    max_step: float = np.inf,
    min_step: float = 0,
    jac: Any = None,
    jac_sparsity: Any = None,
    lband: Optional[int] = None,
    uband: Optional[int] = None,
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
    `atol`, `first_step`, `max_step`, `min_step`, `jac`, `jac_sparsity`, `lband` and `uband` mean what they mean there; `y0` may be
    complex. The result has the same fields, and `outcome`, `defect` (what the motion leaves of the equations, in units of the
    tolerance), `warnings` and `summary`.

    method: a name of `dalembert methods`, or one of SciPy's (RK45, DOP853, Radau, BDF, ...). None: the equations choose, and the choice
        changes where they turn out to be stiff.
    rtol: one number; of several, one for each entry, the smallest holds for all.
    mass: M, a matrix or its diagonal. Where it is singular the equations are differential-algebraic.
    index: of those, found at the start unless given: a number for all algebraic entries, or one for each entry.
    constraints: g(t, y), what every solution keeps: states are brought back to 0 = g after each step. Where f does not keep
        them the call is refused, or the run ends as untrusted.
    step: a fixed step, for methods without step control.
    options: of the method, by name.
    witness: steps are looked at between their ends, which costs evaluations, and `defect` says what was found. False: the method's own
        error test decides alone.

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
    if is_complex(y0):
        halves = Halves(np.size(y0), args, vectorized)
        if lband is not None or uband is not None:
            raise Error("lband and uband are given, and y0 is complex", "give jac_sparsity")
        return halves.joined(
            solve_ivp(
                halves.fun(fun), t_span, halves.split(np.atleast_1d(y0)), method, t_eval, dense_output, halves.events(events),
                rtol=halves.each(rtol), atol=halves.each(atol), first_step=first_step, max_step=max_step, min_step=min_step,
                jac=halves.jac(jac), jac_sparsity=None if jac_sparsity is None else np.tile(dense(jac_sparsity), (2, 2)),
                mass=None if mass is None else halves.matrix(mass, "mass"), constraints=halves.constraints(constraints),
                index=halves.each(index), step=step, options=options, witness=witness, formulation=formulation,
            )
        )  # fmt: skip
    call = Call(t_span, method, t_eval, dense_output, events, args, rtol, atol, first_step, max_step, step, options, witness, formulation, min_step)
    start = vector(y0, "y0")
    n = start.size
    if n == 0:
        raise Error("y0 is empty", "there is nothing to solve")
    called = call.function(fun, "fun")
    if vectorized and callable(called):
        inner = called
        called = lambda t, y: np.asarray(inner(t, y[:, None])).ravel()  # noqa: E731
    equations = call.equations(
        start, f=called, f_name=getattr(fun, "__name__", "fun"), jacobian=_jacobian(jac, n, args, lband, uband), jacobian_name="jac",
        sparsity=places(jac_sparsity, lband, uband, n), index=_indices(index, n),
    )  # fmt: skip
    singular = False
    if mass is not None:
        if callable(mass):
            raise TypeError("mass is a function; it must be a matrix here. M(t, y) y' = f is solve_dae's, M(t, q) solve_mechanical's")
        equations["mass"] = square(mass, n, "mass")
        singular = bool(np.linalg.matrix_rank(equations["mass"]) < n)
    if index is not None and not singular:
        raise Error("index is given, and mass is not singular", "these are ordinary differential equations")
    if constraints is None:
        return call.solve(_core.implicit(equations) if singular else _core.ode(equations))
    if singular:
        raise Error("constraints are given, and mass is singular", "put them among the equations")
    rows = call.function(constraints, "constraints")
    if not callable(rows):
        raise Error("constraints is a C function", "it must be one of Python here")
    equations.update(rows=rows, rows_name="constraints", row_count=_row_count(rows, call.begin, start))
    return call.solve(_core.ode(equations), project="on")


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
    rtol: Any = 1e-6,
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
    call = Call(t_span, method, t_eval, dense_output, events, args, rtol, atol, first_step, max_step, step, options, witness)
    start = vector(y0, "y0")
    if start.size == 0:
        raise Error("y0 is empty", "there is nothing to solve")
    equations = call.equations(start, f=call.function(F, "F"), f_name=getattr(F, "__name__", "F"), index=_indices(index, start.size))
    if yp0 is not None:
        equations["rate"] = vector(yp0, "yp0")
        if equations["rate"].size != start.size:
            raise Error(f"yp0 has {equations['rate'].size} entries, and y0 {start.size}", "give one rate for each entry, or leave it out")
    return call.solve(_core.implicit(equations))


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
    rtol: Any = 1e-6,
    atol: Any = 1e-6,
    first_step: Optional[float] = None,
    max_step: float = np.inf,
    step: Optional[float] = None,
    options: Optional[dict[str, Any]] = None,
    witness: bool = True,
) -> OdeResult:
    """Solves q' = v, M(t,q) v' = f(t,q,v) - G' lam, 0 = g(t,q) with G = dg/dq: constraints hold, in position and in velocity.

    M is a matrix, its diagonal, or a function M(t, q); f(t, q, v), g(t, q) and G(t, q) return arrays. G, and `bias` (what
    d/dt (G v + dg/dt) is beside G v'), are differences of g where they are not given, and compared with these at the start and along
    the way where they are. `energy(t, q, v)`, if given, is watched. A start off the constraints is moved onto them, as little as can be. Events are functions of (t, q, v).
    The result has q, v and lam beside the fields of solve_ivp, where y is all three.

    A pendulum of length 1, let go horizontally:

    >>> import dalembert, numpy as np
    >>> sol = dalembert.solve_mechanical([1, 1], lambda t, q, v: [0, -9.81], lambda t, q: q @ q - 1,
    ...                                  t_span=(0, 10), q0=[1, 0], rtol=1e-8)
    >>> bool(abs(np.sum(sol.q ** 2, axis=0) - 1).max() < 1e-12)
    True
    """
    call = Call(t_span, method, t_eval, dense_output, events, args, rtol, atol, first_step, max_step, step, options, witness, formulation)
    if call.end < call.begin:
        raise Error("t_span goes backwards", "velocities would change their sign; give -t as the time yourself")
    for name, given in (("g", g), ("G", G)):
        if given is not None and not callable(given) and address_of(given) is None:
            raise TypeError(f"{name} must be a function, and is {type(given).__name__}; t_span, q0 and v0 are given by name")
    q = vector(q0, "q0")
    v = np.zeros_like(q) if v0 is None else vector(v0, "v0")
    n = q.size
    if n == 0:
        raise Error("q0 is empty", "there is nothing to solve")
    if v.size != n:
        raise Error(f"q0 has {n} entries, and v0 {v.size}", "give one velocity for each position, or leave v0 out: it rests then")
    equations = call.equations(
        np.concatenate([q, v]), f=call.function(f, "f"), f_name="f", jacobian=call.function(G, "G"), jacobian_name="G",
        bias=call.function(bias, "bias"), bias_name="bias", energy=call.function(energy, "energy"), energy_name="energy",
    )  # fmt: skip
    if callable(M) or address_of(M) is not None:
        equations.update(mass_function=call.function(M, "M"), mass_function_name="M")
    else:
        equations["mass"] = square(M, n, "M")
    if g is not None:
        held = call.function(g, "g")
        equations.update(rows=held, rows_name="g", row_count=_rows(held, "g", call.begin, q) if rows is None else rows)
    elif G is not None or bias is not None:
        raise Error("G or bias is given, and g is not", "g(t, q) are the constraints that they are derivatives of")
    found = call.solve(_core.mechanical(equations))
    found["q"], found["v"], found["lam"] = found.y[:n], found.y[n : 2 * n], found.y[2 * n :]
    return found
