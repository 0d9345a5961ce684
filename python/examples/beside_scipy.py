"""The examples of SciPy's manual, solved by SciPy and by Dalembert: calls of the function, error and processor time, as a table.

Both have the same tolerances. Errors are |difference|/(1 + |value|) at the end, against a run of the other one at 1e-12.
"""

import sys
import time
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np
from scipy.integrate import solve_ivp

import dalembert


def exponential_decay(t: float, y: Any) -> Any:
    return -0.5 * y


def upward_cannon(t: float, y: Any) -> Any:
    return [y[1], -0.5]


def lotka_volterra(t: float, z: Any) -> Any:
    x, y = z
    return [1.5 * x - x * y, -3 * y + x * y]


def lorenz(t: float, y: Any) -> Any:
    return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]


def robertson(t: float, y: Any) -> Any:
    slow, fast = -0.04 * y[0] + 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
    return [slow, -slow - fast, fast]


def van_der_pol(t: float, y: Any) -> Any:
    return [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]]


class Case(NamedTuple):
    name: str
    fun: Callable[[float, Any], Any]
    end: float
    start: Sequence[float]
    method: str  # of SciPy
    rtol: float
    atol: float


CASES = [
    Case("exponential decay", exponential_decay, 10, [2, 4, 8], "RK45", 1e-6, 1e-6),
    Case("cannon", upward_cannon, 30, [0, 10], "RK45", 1e-6, 1e-6),
    Case("Lotka-Volterra", lotka_volterra, 15, [10, 5], "RK45", 1e-6, 1e-6),
    Case("Lotka-Volterra", lotka_volterra, 15, [10, 5], "DOP853", 1e-9, 1e-9),
    Case("Lorenz", lorenz, 5, [1, 1, 1], "DOP853", 1e-9, 1e-9),
    Case("Robertson", robertson, 1e4, [1, 0, 0], "Radau", 1e-6, 1e-10),
    Case("Robertson", robertson, 1e4, [1, 0, 0], "BDF", 1e-6, 1e-10),
    Case("van der Pol, mu = 1000", van_der_pol, 2000, [2, 0], "Radau", 1e-6, 1e-6),
    Case("van der Pol, mu = 1000", van_der_pol, 2000, [2, 0], "BDF", 1e-6, 1e-6),
]


def error(found: Any, reference: Any) -> float:
    return float(np.max(np.abs(found.y[:, -1] - reference) / (1 + np.abs(reference))))


def measured(solve: Any, case: Case, reference: Any, repeat: int, **more: Any) -> str:
    """calls | error | time"""
    best, found = np.inf, None
    for _ in range(repeat):
        begin = time.process_time()
        found = solve(case.fun, (0, case.end), case.start, rtol=case.rtol, atol=case.atol, **more)
        best = min(best, time.process_time() - begin)
    assert found is not None and found.success, found
    return f"{found.nfev} | {error(found, reference):.0e} | {1e3 * best:.1f}"


def table(repeat: int = 3) -> str:
    lines = [
        "| problem | rtol | method | SciPy: calls | error | ms | ours: calls | error | ms | without witness: calls | error | ms |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for case in CASES:
        stiff = case.method in ("Radau", "BDF")
        truth = solve_ivp(
            case.fun, (0, case.end), case.start, method="Radau" if stiff else "DOP853", rtol=1e-12, atol=1e-14 if stiff else 1e-12
        ).y[:, -1]
        cells = [
            measured(solve_ivp, case, truth, repeat, method=case.method),
            measured(dalembert.solve_ivp, case, truth, repeat, method=case.method),
            measured(dalembert.solve_ivp, case, truth, repeat, method=case.method, witness=False),
        ]
        lines.append(f"| {case.name} | {case.rtol:g} | {case.method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(repeat: Optional[str] = None) -> None:
    print(table(int(repeat or 3)))


if __name__ == "__main__":
    main(*sys.argv[1:])
