"""Are calls that SciPy's solve_ivp takes taken here, with the same fields in the result? One line for each."""

import warnings

import numpy as np
import pytest
import scipy.integrate
import scipy.sparse

import dalembert


def decay(t, y):
    return -y


def rates(t, y, a, b):
    return [-a * y[0], -b * y[1]]


def spiral(t, y):
    return (-0.5 + 2j) * y


def heat(t, y):
    return 400 * (np.append(y[1:], 0) - 2 * y + np.append(0, y[:-1]))


def packed(t, y):
    return np.vstack([np.full(y.size, 400), np.full(y.size, -800), np.full(y.size, 400)])


def half(t, y):
    return y[0] - 0.5


def last(t, y):
    return y[0] - 0.5


last.terminal = True
BAND = np.eye(20) + np.eye(20, k=1) + np.eye(20, k=-1)
HILL = np.sin(np.pi * np.arange(1, 21) / 21)

CALLS = {
    "as it is": dict(fun=decay, t_span=(0, 2), y0=[1, 2]),
    "backwards": dict(fun=decay, t_span=(2, 0), y0=[1, 2]),
    "no time at all": dict(fun=decay, t_span=(3, 3), y0=[1, 2]),
    "t_eval": dict(fun=decay, t_span=(0, 2), y0=[1], t_eval=np.array([0.5, 1.5])),
    "t_eval backwards": dict(fun=decay, t_span=(2, 0), y0=[1], t_eval=np.array([2.0, 1.5, 0])),
    "t_eval at the start alone": dict(fun=decay, t_span=(0, 2), y0=[1], t_eval=np.array([0.0])),
    "t_eval of nothing": dict(fun=decay, t_span=(0, 2), y0=[1], t_eval=np.array([])),
    "t_eval and an end": dict(fun=decay, t_span=(0, 2), y0=[1], t_eval=np.array([0.1, 1.9]), events=last),
    "args": dict(fun=rates, t_span=(0, 2), y0=[1, 2], args=(1, 2)),
    "args in a list": dict(fun=rates, t_span=(0, 2), y0=[1, 2], args=[1, 2]),
    "rtol of each": dict(fun=decay, t_span=(0, 2), y0=[1, 2], rtol=[1e-3, 1e-6]),
    "atol of each": dict(fun=decay, t_span=(0, 2), y0=[1, 2], atol=[1e-3, 1e-6]),
    "a class": dict(fun=decay, t_span=(0, 2), y0=[1], method=scipy.integrate.RK45),
    "another class": dict(fun=decay, t_span=(0, 2), y0=[1], method=scipy.integrate.Radau),
    "a name": dict(fun=decay, t_span=(0, 2), y0=[1], method="DOP853"),
    "vectorized": dict(fun=heat, t_span=(0, 0.01), y0=HILL, method="BDF"),
    "steps": dict(fun=decay, t_span=(0, 2), y0=[1], first_step=0.01, max_step=0.1),
    "bands": dict(fun=heat, t_span=(0, 0.01), y0=HILL, method="LSODA", lband=1, uband=1),
    "bands with jac": dict(fun=heat, t_span=(0, 0.01), y0=HILL, method="LSODA", lband=1, uband=1, jac=packed),
    "least step": dict(fun=heat, t_span=(0, 0.01), y0=HILL, method="LSODA", min_step=1e-9),
    "sparsity": dict(fun=heat, t_span=(0, 0.01), y0=HILL, method="BDF", jac_sparsity=BAND),
    "sparse sparsity": dict(fun=heat, t_span=(0, 0.01), y0=HILL, method="Radau", jac_sparsity=scipy.sparse.csc_matrix(BAND)),
    "complex": dict(fun=spiral, t_span=(0, 2), y0=[1 + 0j, 1j]),
    "complex backwards": dict(fun=spiral, t_span=(2, 0), y0=[1 + 0j, 1j]),
    "complex with jac": dict(fun=spiral, t_span=(0, 2), y0=[1 + 0j], method="BDF", jac=lambda t, y: np.array([[-0.5 + 2j]])),
    "complex t_eval": dict(fun=spiral, t_span=(0, 2), y0=[1 + 0j], t_eval=np.array([0.5, 1])),
    "complex event": dict(fun=spiral, t_span=(0, 2), y0=[1 + 0j], events=lambda t, y: abs(y[0]) - 0.5, method="DOP853"),
    "an event": dict(fun=decay, t_span=(0, 2), y0=[1], events=half),
    "an event that ends": dict(fun=decay, t_span=(0, 2), y0=[1], events=[half, last]),
    "an event that does not happen": dict(fun=decay, t_span=(0, 0.1), y0=[1], events=half),
    "no events": dict(fun=decay, t_span=(0, 2), y0=[1], events=[]),
    "whole numbers": dict(fun=decay, t_span=(0, 2), y0=np.array([1, 2])),
    "dense output": dict(fun=decay, t_span=(0, 2), y0=[1, 2], dense_output=True),
    "dense output of no time": dict(fun=decay, t_span=(0, 0), y0=[1, 2], dense_output=True),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_of_scipy_is_a_call_here(name):
    call = dict(dict(rtol=1e-9, atol=1e-11), **CALLS[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = scipy.integrate.solve_ivp(**call)
    theirs.y = np.asarray(theirs.y)  # a list where nothing is asked for
    ours = dalembert.solve_ivp(**call)
    assert (ours.status, ours.success) == (theirs.status, theirs.success)
    assert ours.y.dtype == theirs.y.dtype and ours.y.shape == (np.size(call["y0"]), ours.t.size)
    if "t_eval" in call:
        assert ours.t.tolist() == np.asarray(theirs.t).tolist()
    if ours.t.size:
        assert ours.t[0] == theirs.t[0] and ours.t[-1] == pytest.approx(theirs.t[-1], abs=1e-6)
        loose = 10 * np.max(call["rtol"]) + 10 * np.max(call["atol"]) + 1e-7
        assert ours.y[:, -1] == pytest.approx(theirs.y[:, -1], abs=loose)
    assert (ours.t_events is None) == (theirs.t_events is None)
    for mine, other in zip(ours.t_events or [], theirs.t_events or []):
        assert mine == pytest.approx(other, abs=1e-6)
    for mine, other in zip(ours.y_events or [], theirs.y_events or []):
        assert mine.size == other.size and (mine.size == 0 or mine == pytest.approx(other, abs=1e-6))
    assert (ours.sol is None) == (theirs.sol is None)
    if theirs.sol is not None:
        t = np.linspace(*call["t_span"], 7)
        assert ours.sol(t) == pytest.approx(theirs.sol(t), abs=1e-6) and ours.sol(t[0]).shape == theirs.sol(t[0]).shape
        assert (ours.sol.t_min, ours.sol.t_max) == (theirs.sol.t_min, theirs.sol.t_max)
    for field in ("t", "y", "sol", "t_events", "y_events", "nfev", "njev", "nlu", "status", "message", "success"):
        assert field in ours and hasattr(ours, field)


REFUSED = {
    "t_eval outside": dict(t_eval=np.array([3.0])),
    "t_eval not sorted": dict(t_eval=np.array([1, 0.5])),
    "t_eval twice": dict(t_eval=np.array([1.0, 1.0])),
    "a matrix of initial values": dict(y0=[[1.0]]),
    "args that are no tuple": dict(args=2),
    "a first step backwards": dict(first_step=-1),
    "a first step that is too long": dict(first_step=5),
    "no step at all": dict(max_step=0),
    "atol below zero": dict(atol=-1),
    "too many atol": dict(atol=[1, 1]),
    "too many rtol": dict(y0=[1.0, 2.0], rtol=[1e-3, 1e-3, 1e-3]),
    "three ends": dict(t_span=(0, 1, 2)),
    "an unknown method": dict(method="RK4"),
    "an event that is none": dict(events=[1]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_scipy_refuses_is_refused(name):
    call = dict(dict(fun=decay, t_span=(0, 2), y0=[1.0]), **REFUSED[name])
    if name != "an unknown method":  # SciPy has no other name for it
        with pytest.raises((ValueError, TypeError)):
            scipy.integrate.solve_ivp(**call)
        with pytest.raises((ValueError, TypeError)):
            dalembert.solve_ivp(**call)
    else:
        with pytest.raises(dalembert.Error, match="step"):  # rk4 is a method here; it wants a step
            dalembert.solve_ivp(**dict(call, method="rk4"))


def test_a_pattern_saves_calls():
    for more in (dict(jac_sparsity=BAND), dict(lband=1, uband=1)):
        with_it = dalembert.solve_ivp(heat, (0, 0.01), HILL, method="Radau", rtol=1e-6, witness=False, **more)
        without = dalembert.solve_ivp(heat, (0, 0.01), HILL, method="Radau", rtol=1e-6, witness=False)
        assert with_it.success and with_it.nfev - 6 * with_it.njev < without.nfev - 40 * without.njev + 200
        assert with_it.nfev < 0.6 * without.nfev
        assert with_it.y[:, -1] == pytest.approx(without.y[:, -1], rel=1e-6)


def test_a_pattern_holds_beside_a_singular_mass():
    mass = np.eye(20)
    mass[-1, -1] = 0
    found = dalembert.solve_ivp(heat, (0, 0.01), HILL, mass=mass, jac_sparsity=BAND, rtol=1e-8, atol=1e-8)
    same = dalembert.solve_ivp(heat, (0, 0.01), HILL, mass=mass, rtol=1e-8, atol=1e-8)
    assert found.success and found.nfev < same.nfev
    assert found.y[:, -1] == pytest.approx(same.y[:, -1], abs=1e-7)


def test_the_strictest_rtol_holds_for_all():
    one = dalembert.solve_ivp(decay, (0, 2), [1, 2], rtol=1e-7)
    several = dalembert.solve_ivp(decay, (0, 2), [1, 2], rtol=[1e-3, 1e-7])
    assert np.array_equal(one.y, several.y)


def test_steps_below_min_step_end_the_run():
    found = dalembert.solve_ivp(lambda t, y: [1 / (1 - t) ** 2], (0, 2), [1.0], method="RK45", min_step=0.01, rtol=1e-8)
    assert not found.success and found.outcome == "step_too_small"
    assert "min_step" in found.message and 0 < found.t[-1] < 1


def test_nothing_is_extrapolated_but_rounding():
    found = dalembert.solve_ivp(decay, (0, 0.3), [1.0], dense_output=True)
    assert found.sol(0.1 + 0.2).shape == (1,)  # 0.30000000000000004
    with pytest.raises(dalembert.Error, match="t = 0.4 is not in the trajectory, which goes from 0 to 0.3"):
        found.sol([0.1, 0.4])


def test_solvers_of_others_are_refused_with_names_that_are_known():
    class Mine(scipy.integrate.OdeSolver):
        pass

    with pytest.raises(TypeError, match="class Mine; it must be a name of `dalembert methods`, or one of SciPy's"):
        dalembert.solve_ivp(decay, (0, 1), [1], method=Mine)


def test_a_start_that_is_asked_for_is_there():
    found = dalembert.solve_ivp(decay, (3, 3), [1, 2], t_eval=[3.0])  # SciPy's has nothing then
    assert found.t.tolist() == [3] and found.y.tolist() == [[1], [2]]


def test_no_time_is_enough_for_a_consistent_start():
    found = dalembert.solve_dae(lambda t, y, yp: [yp[0] - y[1], y[1] + y[0] - t], (2, 2), [1, 99])
    assert found.status == 0 and found.t.tolist() == [2] and found.y[:, 0] == pytest.approx([1, 1])
    still = dalembert.solve_mechanical([1, 1], lambda t, q, v: [0, -9.81], lambda t, q: q @ q - 1, t_span=(0, 0), q0=[1, 0])
    assert still.q.shape == (2, 1) and still.success


def test_complex_results_survive_pickling():
    import pickle

    found = dalembert.solve_ivp(spiral, (0, 2), [1 + 0j], dense_output=True, rtol=1e-9, atol=1e-11)
    again = pickle.loads(pickle.dumps(found))
    assert again.sol(1.5) == pytest.approx(np.exp((-0.5 + 2j) * 1.5) * np.ones(1), abs=1e-8)
