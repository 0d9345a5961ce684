"""Are mistakes of the caller told as what they are, and exceptions of callbacks left as they are?"""

import os
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
        solve_dae(lambda t, y, yp: yp + y, (0, 1), [1j])
    with pytest.raises(TypeError, match="fun must be a function, and is float"):
        solve_ivp(1.5, (0, 1), [1])
    with pytest.raises(TypeError, match="unexpected keyword"):
        solve_ivp(lambda t, y: -y, (0, 1), [1], rtoll=1)


def test_errors_have_hints_and_survive_pickling():
    with pytest.raises(dalembert.Error) as raised:
        solve_ivp(lambda t, y: -y, (0, 1), [1], method="dop583")
    error = raised.value
    assert error.what == "unknown method 'dop583'" and "dop853" in error.hint
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.hint == error.hint


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def bar(add):
    """A body, and what is wrong beside it."""

    def made():
        m = dalembert.Planar("a bar", parameters={"l": 1})
        m.body("bar", mass=1, inertia=1)
        add(m)
        m.run(end=1)

    return made


def four_bar():
    return dalembert.Model.from_file(os.path.join(ROOT, "models", "four-bar.toml"))


PENDULUM = dict(t_span=(0, 1), q0=[1, 0])

# What is called, and what is said of it: what is wrong, and what would be right.
WRONG_CALLS = {
    "a forgotten return": (lambda: solve_ivp(lambda t, y: None, (0, 1), [1]), "None .is a return missing"),
    "a complex rate": (lambda: solve_ivp(lambda t, y: 1j * y, (0, 1), [1.0]), "complex ones where y0 is complex"),
    "no start": (lambda: solve_ivp(lambda t, y: -y, (0, 1), None), "y0 must hold real numbers, and is None"),
    "a text as start": (lambda: solve_ivp(lambda t, y: -y, (0, 1), "1"), "y0 must hold real numbers, and is '1'"),
    "a ragged start": (lambda: solve_ivp(lambda t, y: -y, (0, 1), [[1, 2], [3]]), "rows are not of one length"),
    "a NaN in the start": (lambda: solve_ivp(lambda t, y: -y, (0, 1), [1, np.nan]), "y0 is not finite: entry 1 is nan"),
    "a misspelt method of SciPy": (lambda: solve_ivp(lambda t, y: -y, (0, 1), [1], method="RK54"), "did you mean 'RK45'"),
    "no number": (lambda: solve_ivp(lambda t, y: -y, (0, 1), [1], max_step="long"), "max_step is 'long'; it must be a number"),
    "events of no kind": (lambda: solve_ivp(lambda t, y: -y, (0, 1), [1], events=3), "a function or a list of functions, and is int"),
    "a mass that is a function": (lambda: solve_ivp(lambda t, y: -y, (0, 1), [1], mass=lambda t, y: 1), "solve_mechanical's"),
    "arguments that are no tuple": (lambda: solve_ivp(lambda t, y, a: -a * y, (0, 1), [1], args=2), "as in args=.2,."),
    "times out of order": (lambda: solve_ivp(lambda t, y: -y, (0, 1), [1], t_eval=[0.5, 0.1]), "0.1 comes after 0.5"),
    "times by position": (lambda: solve_mechanical([1, 1], lambda t, q, v: q, (0, 1), [1, 0], **PENDULUM), "given by name"),
    "a velocity too many": (lambda: solve_mechanical([1, 1], lambda t, q, v: q, v0=[1], **PENDULUM), "one velocity for each position"),
    "a name as a text": (lambda: dalembert.Model.from_text("models/four-bar.toml"), "take Model.from_file"),
    "a parameter with a unit": (lambda: four_bar()(a="12 cm"), "parameter 'a' is '12 cm'; it must be a number, in SI units"),
    "a parameter in capitals": (lambda: dalembert.problems["pendulum"](L=1), "did you mean 'l'"),
    "a column by number": (lambda: four_bar().run(end=0.1)[0], "columns have names, and 0 is none"),
    "part of a column": (lambda: four_bar().run(end=0.1)["angle"], "did you mean 'q.crank.angle' or"),
    "a misspelt watch": (lambda: four_bar().run(end=0.1)["bearng.norm"], "did you mean 'bearing.norm'"),
    "three columns": (lambda: four_bar().run(end=0.1).plot("q.crank.x:q.crank.y:t"), "write ACROSS:UP"),
    "a misspelt element": (bar(lambda m: m.revolut("pin", bodies=["ground", "bar"], at=[0, 0])), "no 'revolut'; did you mean revolute"),
    "an element of space": (bar(lambda m: m.spherical("pin", bodies=["ground", "bar"], at=[0, 0])), "Spatial has it"),
    "a misspelt key": (bar(lambda m: m.revolute("pin", body=["ground", "bar"], at=[0, 0])), "revolute has no key 'body'; did you mean 'bodies'"),
    "a missing key": (bar(lambda m: m.revolute("pin", bodies=["ground", "bar"])), "revolute needs at .the common point"),
    "a missing name": (bar(lambda m: m.revolute(bodies=["ground", "bar"], at=[0, 0])), "revolute needs a name"),
    "a mass that is no number": (bar(lambda m: m.body("b", mass=np.nan, inertia=1)), "mass of rigid 'b' cannot be: nan is not finite"),
    "a mass that is an object": (bar(lambda m: m.body("b", mass=object(), inertia=1)), "mass of rigid 'b' cannot be: object"),
    "a name twice": (bar(lambda m: m.body("bar", mass=1, inertia=1)), "the other one is at .*test_mistakes.py:[0-9]+"),
    "a gravity of three": (lambda: dalembert.Planar(gravity=[0, 0, 1]).build(), "test_mistakes.py:[0-9]+:1: gravity"),
    "a range of one": (lambda: dalembert.fit("pendulum", {"l": 1}, {"t": [0, 1], "q.x": [0, 1]}), "give .low, high."),
    "ranges without names": (lambda: dalembert.minimize("pendulum", ["l"], "max(q.x)"), "vary must be a dict of ranges"),
    "values without names": (lambda: dalembert.sweep("pendulum", [1, 2]), "vary must be a dict of values"),
    "data without names": (lambda: dalembert.fit("pendulum", {"l": (1, 2)}, [[0, 1], [1, 2]]), "columns by name"),
    "data that are texts": (lambda: dalembert.fit("pendulum", {"l": (1, 2)}, {"t": [0, 1], "q.x": ["a", "b"]}), "'q.x' holds no numbers"),
    "data of an unknown column": (lambda: dalembert.fit("pendulum", {"l": (1, 2)}, {"t": [0, 1], "q.z": [0, 1]}), "^data:1:3: unknown"),
}


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_calls_say_what_would_be_right(name):
    call, said = WRONG_CALLS[name]
    with pytest.raises((ValueError, TypeError, AttributeError), match=said):
        call()


def test_runs_that_go_backwards_end_at_their_own_time():
    res = solve_ivp(lambda t, y: [np.nan if t < 3 else 1.0], (5, 1), [1.0], method="RK45")
    assert res.message.startswith("t = 3") and res.summary["t"] == pytest.approx(3, abs=1e-6)

    def three(t, y):
        return t - 3

    res = solve_ivp(lambda t, y: -y, (5, 1), [1.0], events=three)
    assert res.summary["events"] == [(pytest.approx(3), "three")]


def test_numbers_of_numpy_are_numbers_of_models():
    m = dalembert.Planar()
    m.body("b", mass=np.float32(1), inertia=np.array(2.0), position=np.array([1, 2]))
    assert "inertia = 2.0" in m.to_toml()
