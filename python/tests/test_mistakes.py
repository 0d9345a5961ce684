"""Are mistakes of the caller told as what they are, and exceptions of callbacks left as they are?"""

import pickle

import numpy as np
import pytest

import dalembert
from dalembert import solve_dae, solve_ivp, solve_mechanical


class Peculiar(Exception):
    pass


@pytest.mark.parametrize("method", ["RK45", "Radau", "BDF", None])
@pytest.mark.parametrize("after", [0, 0.3])
def test_exceptions_of_callbacks_come_out_as_they_are(method, after):
    def fun(t, y):
        if t > after:
            raise Peculiar(f"at {t}")
        return -y

    with pytest.raises(Peculiar, match="at "):
        solve_ivp(fun, (0, 1), [1.0], method=method)


def test_exceptions_of_events_jacobians_constraints_and_forces_come_out_too():
    def bad(*_):
        raise Peculiar

    with pytest.raises(Peculiar):
        solve_ivp(lambda t, y: -y, (0, 1), [1], events=bad)
    with pytest.raises(Peculiar):
        solve_ivp(lambda t, y: -y, (0, 1), [1], method="Radau", jac=bad)
    with pytest.raises(Peculiar):
        solve_dae(bad, (0, 1), [1])
    with pytest.raises(Peculiar):
        solve_mechanical([1], bad, t_span=(0, 1), q0=[1])
    with pytest.raises(KeyboardInterrupt):

        def interrupted(t, y):
            raise KeyboardInterrupt

        solve_ivp(interrupted, (0, 1), [1])


@pytest.mark.parametrize(
    "returned, wanted",
    [
        ([1, 2, 3], "shape \\(3,\\), and must return 2 numbers"),
        (1.0, "shape \\(\\), and must return 2 numbers"),
        (np.zeros((2, 2)), "shape \\(2, 2\\)"),
        ([1j, 0], "complex"),
        (["a", "b"], "no array of numbers"),
        (None, "no array of numbers"),
        ([[1], [2, 3]], "no array of numbers|inhomogeneous"),
    ],
)
def test_wrong_returns_are_named(returned, wanted):
    def right_hand_side(t, y):
        return returned

    with pytest.raises((ValueError, TypeError), match=wanted) as raised:
        solve_ivp(right_hand_side, (0, 1), [1, 2])
    assert "right_hand_side" in str(raised.value) or "inhomogeneous" in str(raised.value)


@pytest.mark.parametrize("method", ["RK45", "Radau", None])
def test_what_is_not_finite_ends_the_run_with_a_reason(method):
    res = solve_ivp(lambda t, y: [np.nan if t > 0.5 else 1.0], (0, 1), [0], method=method)
    assert not res.success and res.status == -1
    assert res.outcome in ("not_finite", "step_too_small")
    assert "y.0" in res.message
    assert res.t[-1] <= 0.5 + 1e-6
    res = solve_ivp(lambda t, y: [np.inf], (0, 1), [0], method=method)
    assert res.outcome == "not_finite"


@pytest.mark.parametrize(
    "kwargs, wanted",
    [
        (dict(y0=[np.nan]), "y0 is not finite"),
        (dict(y0=[]), "y0 is empty"),
        (dict(y0=[[1, 2], [3, 4]]), "y0 has shape"),
        (dict(t_span=(0, np.inf)), "t_span is not finite"),
        (dict(t_span=(0, 1, 2)), "t_span has 3 entries"),
        (dict(t_span=(1, 1)), "begins and ends"),
        (dict(t_eval=[2]), "outside of t_span"),
        (dict(t_eval=[0.5, 0.1]), "not sorted"),
        (dict(rtol=-1), "rtol"),
        (dict(atol=[1, 2]), "atol has 2 entries"),
        (dict(method="radua"), "did you mean .radau."),
        (dict(first_step=-1), "step"),
        (dict(jac=np.eye(2)), "jac has shape"),
        (dict(mass=np.eye(2)), "mass has shape"),
        (dict(index=2), "not singular"),
        (dict(method="rk4"), "step"),
    ],
)
def test_wrong_arguments_are_named(kwargs, wanted):
    call = dict(fun=lambda t, y: -y, t_span=(0, 1), y0=[1.0])
    call.update(kwargs)
    with pytest.raises(ValueError, match=wanted):
        solve_ivp(**call)


def test_an_index_is_one_two_or_three():
    for index in (0, 4, 1.5, [1, 2, 3], "two"):
        with pytest.raises(dalembert.Error, match="index"):
            solve_dae(lambda t, y, yp: [yp[0] - y[1], y[0] - np.sin(t)], (0, 1), [0, 1], index=index)


def test_wrong_types_are_type_errors():
    with pytest.raises(TypeError, match="y0 must hold real numbers, and has dtype complex128"):
        solve_ivp(lambda t, y: -y, (0, 1), [1j])
    with pytest.raises(TypeError, match="fun must be a function, and is float"):
        solve_ivp(1.5, (0, 1), [1])
    with pytest.raises(TypeError, match="unexpected keyword"):
        solve_ivp(lambda t, y: -y, (0, 1), [1], lband=1)


def test_errors_have_hints_and_survive_pickling():
    with pytest.raises(dalembert.Error) as raised:
        solve_ivp(lambda t, y: -y, (0, 1), [1], method="dop583")
    error = raised.value
    assert error.what == "unknown method 'dop583'" and "dop853" in error.hint
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.hint == error.hint
