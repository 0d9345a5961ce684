"""Are compiled functions called without the interpreter, and come to the same?"""

import ctypes
import threading
import time

import numpy as np
import pytest

import dalembert
from dalembert import solve_dae, solve_ivp, solve_mechanical

numba = pytest.importorskip("numba")
number = numba.types.float64
pointer = numba.types.CPointer(number)
one = numba.types.void(number, pointer, pointer)
two = numba.types.void(number, pointer, pointer, pointer)


@numba.cfunc(one)
def lorenz(t, y, dy):
    dy[0] = 10 * (y[1] - y[0])
    dy[1] = y[0] * (28 - y[2]) - y[1]
    dy[2] = y[0] * y[1] - 8 / 3 * y[2]


def lorenz_of_python(t, y):
    return [10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]]


def test_a_compiled_function_makes_the_same_run():
    compiled = solve_ivp(lorenz, (0, 3), [1, 1, 1], rtol=1e-8)
    plain = solve_ivp(lorenz_of_python, (0, 3), [1, 1, 1], rtol=1e-8)
    assert compiled.nfev == plain.nfev
    assert compiled.y == pytest.approx(plain.y, abs=1e-9)


def test_jacobians_and_events_may_be_compiled_too():
    @numba.cfunc(one)
    def decay(t, y, dy):
        dy[0] = -1000 * (y[0] - np.cos(t))

    @numba.cfunc(one)
    def jac(t, y, rows):
        rows[0] = -1000

    @numba.cfunc(number(number, pointer))
    def zero(t, y):
        return y[0]

    res = solve_ivp(decay, (0, 3), [0.5], method="Radau", jac=jac, events=[zero], rtol=1e-8, atol=1e-8)
    assert res.t_events[0] == pytest.approx([np.pi / 2], abs=2e-3)
    assert res.njev > 0


def test_pointers_of_ctypes_are_taken():
    @ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))
    def oscillator(t, y, dy):
        dy[0] = y[1]
        dy[1] = -y[0]

    # a callback of ctypes takes the interpreter itself when it is called
    res = solve_ivp(oscillator, (0, 1), [0, 1], rtol=1e-9, atol=1e-9)
    assert res.y[0, -1] == pytest.approx(np.sin(1), abs=1e-7)


def test_implicit_and_mechanical_equations_may_be_compiled():
    @numba.cfunc(two)
    def F(t, y, yp, r):
        r[0] = yp[0] - y[1]
        r[1] = y[1] + y[0] - t

    res = solve_dae(F, (0, 1), [1, -1], rtol=1e-8)
    assert res.y[0, -1] == pytest.approx(2 * np.exp(-1), abs=1e-7)

    @numba.cfunc(two)
    def force(t, q, v, f):
        f[0] = 0
        f[1] = -9.81

    @numba.cfunc(one)
    def circle(t, q, g):
        g[0] = q[0] * q[0] + q[1] * q[1] - 1

    res = solve_mechanical([1, 1], force, circle, rows=1, t_span=(0, 2), q0=[1, 0], rtol=1e-8)
    assert abs((res.q**2).sum(axis=0) - 1).max() < 1e-12
    with pytest.raises(dalembert.Error, match="rows="):
        solve_mechanical([1, 1], force, circle, t_span=(0, 2), q0=[1, 0])


def test_args_of_compiled_functions_are_refused():
    with pytest.raises(dalembert.Error, match="takes no args"):
        solve_ivp(lorenz, (0, 1), [1, 1, 1], args=(1,))


def test_functions_of_other_arguments_are_refused():
    @numba.cfunc(number(number, number))
    def decay(t, y):
        return -y

    with pytest.raises(dalembert.Error, match="float64, float64"):
        solve_ivp(decay, (0, 1), [1])


def test_other_threads_run_while_compiled_functions_do():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    # How long a run takes, and how soon a busy machine wakes a thread, nobody knows: a longer one, if need be. A run that kept
    # the interpreter to itself would have no tick inside, however long it is.
    inside = 0
    for end in [200, 2000, 20000]:
        began = time.perf_counter()
        solve_ivp(lorenz, (0, end), [1, 1, 1], rtol=1e-9, atol=1e-9, t_eval=[end])
        ended = time.perf_counter()
        inside = sum(began < t < ended for t in ticks)
        if inside > 5:
            break
    done.set()
    thread.join()
    assert inside > 5
