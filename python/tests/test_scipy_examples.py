"""Do the examples of SciPy's manual run with the import changed, and come to what SciPy comes to?"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_solve_ivp

from dalembert import solve_ivp


def test_exponential_decay():
    def exponential_decay(t, y):
        return -0.5 * y

    sol = solve_ivp(exponential_decay, [0, 10], [2, 4, 8])
    assert sol.t[0] == 0 and sol.t[-1] == 10 and sol.y.shape == (3, len(sol.t))
    assert sol.y[:, -1] == pytest.approx(np.array([2, 4, 8]) * np.exp(-5), rel=2e-3)
    sol = solve_ivp(exponential_decay, [0, 10], [2, 4, 8], t_eval=[0, 1, 2, 4, 10])
    assert sol.t.tolist() == [0, 1, 2, 4, 10]
    assert sol.y == pytest.approx(np.outer([2, 4, 8], np.exp(-0.5 * sol.t)), rel=3e-3)


def test_cannon_fired_upward():
    def upward_cannon(t, y):
        return [y[1], -0.5]

    def hit_ground(t, y):
        return y[0]

    hit_ground.terminal = True
    hit_ground.direction = -1
    sol = solve_ivp(upward_cannon, [0, 100], [0, 10], events=hit_ground)
    assert sol.t_events[0] == pytest.approx([40]) and sol.t[-1] == pytest.approx(40)

    def apex(t, y):
        return y[1]

    sol = solve_ivp(upward_cannon, [0, 100], [0, 10], events=(hit_ground, apex), dense_output=True)
    assert sol.t_events[0] == pytest.approx([40]) and sol.t_events[1] == pytest.approx([20])
    assert sol.sol(sol.t_events[1][0]) == pytest.approx([100, 0], abs=1e-10)
    assert sol.y_events[0] == pytest.approx(np.array([[0, -10]]), abs=1e-10)
    assert sol.y_events[1] == pytest.approx(np.array([[100, 0]]), abs=1e-10)
    assert sol.status == 1 and sol.success


def test_lotka_volterra():
    def lotkavolterra(t, z, a, b, c, d):
        x, y = z
        return [a * x - b * x * y, -c * y + d * x * y]

    sol = solve_ivp(lotkavolterra, [0, 15], [10, 5], args=(1.5, 1, 3, 1), dense_output=True, rtol=1e-6)
    theirs = scipy_solve_ivp(
        lotkavolterra, [0, 15], [10, 5], args=(1.5, 1, 3, 1), dense_output=True, rtol=1e-10, atol=1e-10, method="DOP853"
    )
    t = np.linspace(0, 15, 300)
    assert np.abs(sol.sol(t) - theirs.sol(t)).max() < 1e-3


def test_lorenz():
    def lorenz(t, y):
        return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]

    ours = solve_ivp(lorenz, (0, 5), [1, 1, 1], rtol=1e-9, atol=1e-9)
    theirs = scipy_solve_ivp(lorenz, (0, 5), [1, 1, 1], rtol=1e-12, atol=1e-12, method="DOP853")
    assert ours.y[:, -1] == pytest.approx(theirs.y[:, -1], abs=1e-6)


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA", None])
def test_robertson(method):
    def robertson(t, y):
        x, y, z = y
        return [-0.04 * x + 1e4 * y * z, 0.04 * x - 1e4 * y * z - 3e7 * y**2, 3e7 * y**2]

    def jac(t, y):
        x, y, z = y
        return [[-0.04, 1e4 * z, 1e4 * y], [0.04, -1e4 * z - 6e7 * y, -1e4 * y], [0, 6e7 * y, 0]]

    sol = solve_ivp(robertson, [0, 40], [1, 0, 0], method=method, jac=jac, rtol=1e-7, atol=[1e-9, 1e-13, 1e-9])
    assert sol.success
    assert sol.y[:, -1] == pytest.approx([0.7158270688, 0.918553476e-5, 0.2841637457], rel=1e-5)


@pytest.mark.parametrize("method", ["Radau", "BDF", None])
def test_van_der_pol(method):
    def vdp(t, y, mu):
        return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]

    sol = solve_ivp(vdp, [0, 2000], [2, 0], method=method, args=(1000,), rtol=1e-7, atol=1e-9)
    theirs = scipy_solve_ivp(vdp, [0, 2000], [2, 0], method="Radau", args=(1000,), rtol=1e-9, atol=1e-11)
    assert sol.success and sol.y[0, -1] == pytest.approx(theirs.y[0, -1], abs=1e-4)
