"""A pendulum as an ordinary differential equation drifts off its circle; held on its constraint it does not.

Both solve x'' = -2 lam x, y'' = -2 lam y - g with 0 = x^2 + y^2 - 1, at the same tolerance. Differentiated twice the constraint gives lam, and
SciPy can solve what remains; nothing there remembers the circle.
"""

import sys

import numpy as np
from matplotlib import pyplot
from scipy.integrate import solve_ivp

import dalembert

g = 9.81


def differentiated(t: float, s: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> list[float]:
    x, y, u, v = s
    lam = (u * u + v * v - g * y) / (2 * (x * x + y * y))
    return [u, v, -2 * lam * x, -2 * lam * y - g]


def main(picture: str = "pendulum_drift.png") -> None:
    end, rtol = 60, 1e-6
    free = solve_ivp(differentiated, (0, end), [1, 0, 0, 0], rtol=rtol, atol=rtol)
    held = dalembert.solve_mechanical(
        [1, 1], lambda t, q, v: [0, -g], lambda t, q: [q @ q - 1], lambda t, q: [2 * q],
        t_span=(0, end), q0=[1, 0], rtol=rtol, atol=rtol, method="dop853",
    )  # fmt: skip
    off = abs(free.y[0] ** 2 + free.y[1] ** 2 - 1), abs((held.q**2).sum(axis=0) - 1)
    print(f"off the circle after {end} s: {off[0][-1]:.1e} as differentiated, {off[1].max():.0e} at most as held")
    figure, ax = pyplot.subplots(figsize=(7, 4), constrained_layout=True)
    ax.semilogy(free.t[1:], off[0][1:], label="differentiated twice, RK45 of SciPy")
    ax.semilogy(held.t[1:], np.maximum(off[1][1:], 1e-17), label=f"held on its constraint, {held.summary['method']}")
    ax.set_xlabel("t [s]")
    ax.set_ylabel("$|x^2 + y^2 - 1|$")
    ax.set_title(f"A pendulum at rtol = {rtol:g}")
    ax.legend()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
