"""Does solve_ivp answer as SciPy's does, and solve what SciPy's does not?"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_solve_ivp

import dalembert
from dalembert import solve_dae, solve_ivp, solve_mechanical


def rational(t, y):
    return [y[1] / t, y[1] * (y[0] + 2 * y[1] - 1) / (t * (y[0] - 1))]


def rational_jacobian(t, y):
    return np.array(
        [
            [0, 1 / t],
            [
                -2 * y[1] ** 2 / (t * (y[0] - 1) ** 2),
                (y[0] + 4 * y[1] - 1) / (t * (y[0] - 1)),
            ],
        ]
    )


def rational_solution(t):
    return np.asarray((t / (t + 10), 10 * t / (t + 10) ** 2))


METHODS = ["RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA", None, "sdirk4", "bdf2"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("span", [(5, 9), (5, 1)])
@pytest.mark.parametrize("jac", [None, rational_jacobian])
def test_known_solution_forwards_and_backwards(method, span, jac):
    res = solve_ivp(
        rational, span, [1 / 3, 2 / 9], method=method, rtol=1e-6, atol=1e-8, jac=jac, dense_output=True
    )
    assert res.success and res.status == 0 and res.outcome == "ok"
    assert res.t[0] == span[0] and res.t[-1] == span[1]
    assert np.all(np.diff(res.t) * (span[1] - span[0]) > 0)
    assert np.abs(res.y - rational_solution(res.t)).max() < 1e-5
    between = np.linspace(*span, 50)
    assert np.abs(res.sol(between) - rational_solution(between)).max() < 1e-5
    assert res.sol(span[0]).shape == (2,) and res.sol(between).shape == (2, 50)
    assert res.t_events is None and res.nfev > 0


@pytest.mark.parametrize("method", ["RK45", "Radau", None])
def test_t_eval_is_where_the_states_are(method):
    t_eval = np.linspace(5, 9, 17)
    res = solve_ivp(rational, (5, 9), [1 / 3, 2 / 9], method=method, t_eval=t_eval, rtol=1e-6, atol=1e-8)
    assert np.array_equal(res.t, t_eval)
    assert res.y.shape == (2, 17)
    assert np.abs(res.y - rational_solution(t_eval)).max() < 1e-5
    inside = solve_ivp(rational, (5, 9), [1 / 3, 2 / 9], method=method, t_eval=[6, 7.5], rtol=1e-6)
    assert inside.t.tolist() == [6, 7.5]
    backwards = solve_ivp(rational, (5, 1), [1 / 3, 2 / 9], method=method, t_eval=[4, 2], rtol=1e-6)
    assert backwards.t.tolist() == [4, 2]
    assert np.abs(backwards.y - rational_solution(backwards.t)).max() < 1e-4


def test_events_are_found_as_scipy_finds_them():
    def first(t, y):
        return y[0] - y[1] ** 0.7

    def second(t, y):
        return y[1] ** 0.6 - y[0]

    def third(t, y):
        return t - 7.4

    first.direction = 1
    third.terminal = True
    theirs = scipy_solve_ivp(rational, [5, 8], [1 / 3, 2 / 9], events=(first, second, third), rtol=1e-9, atol=1e-9)
    ours = solve_ivp(rational, [5, 8], [1 / 3, 2 / 9], events=(first, second, third), rtol=1e-9, atol=1e-9)
    assert ours.status == theirs.status == 1 and ours.success
    for mine, other in zip(ours.t_events, theirs.t_events):
        assert mine == pytest.approx(other, abs=1e-6)
    for mine, other in zip(ours.y_events, theirs.y_events):
        assert mine.size == other.size == 0 or mine == pytest.approx(other, abs=1e-6)
    assert ours.t[-1] == pytest.approx(7.4, abs=1e-12)
    assert "third" in ours.message


def test_directions_and_numbers_of_events():
    def crossing(t, y):
        return y[0]

    for direction, expected in [(0, 6), (1, 3), (-1, 3)]:
        crossing.direction = direction
        res = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 20), [0.1, 1], events=crossing, rtol=1e-8)
        assert len(res.t_events[0]) == expected
    crossing.direction = 0
    crossing.terminal = 3  # ends the third time
    res = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 20), [0.1, 1], events=crossing, rtol=1e-8)
    assert res.status == 1 and len(res.t_events[0]) == 3 and res.t[-1] == res.t_events[0][-1]


def test_args_reach_functions_jacobians_and_events():
    def decay(t, y, rate, shift):
        return -rate * (y - shift)

    def jac(t, y, rate, shift):
        return [[-rate]]

    def half(t, y, rate, shift):
        return y[0] - 0.5 - shift

    half.terminal = True
    res = solve_ivp(decay, (0, 10), [1], args=(2, 0), method="Radau", jac=jac, events=half, rtol=1e-9, atol=1e-9)
    assert res.t_events[0][0] == pytest.approx(np.log(2) / 2, abs=1e-8)


def test_vectorized_functions_and_constant_or_sparse_jacobians():
    import scipy.sparse

    A = np.array([[-100.0, 1], [0, -1]])

    def fun(t, y):
        assert y.ndim == 2
        return A @ y

    for jac in (A, scipy.sparse.csc_matrix(A), lambda t, y: scipy.sparse.csc_matrix(A)):
        res = solve_ivp(fun, (0, 1), [1, 1], method="BDF", vectorized=True, jac=jac, rtol=1e-7, atol=1e-9)
        assert res.y[1, -1] == pytest.approx(np.exp(-1), rel=1e-5)


def test_steps_and_tolerances_are_kept():
    res = solve_ivp(rational, (5, 9), [1 / 3, 2 / 9], max_step=0.5)
    assert np.diff(res.t).max() <= 0.5 + 1e-12
    res = solve_ivp(rational, (5, 9), [1 / 3, 2 / 9], method="RK45", first_step=0.1)
    assert res.t[1] == pytest.approx(5.1)
    res = solve_ivp(rational, (5, 9), [1 / 3, 2 / 9], method="rk4", step=0.25)
    assert np.allclose(np.diff(res.t), 0.25)
    loose = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 50), [1, 0], method="RK45", rtol=1e-3, atol=[0.1, 0.1])
    tight = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 50), [1, 0], method="RK45", rtol=1e-3, atol=[1e-9, 1e-9])
    assert abs(tight.y[0, -1] - np.cos(50)) <= abs(loose.y[0, -1] - np.cos(50))


def test_a_witness_costs_calls_and_says_what_it_saw():
    with_it = solve_ivp(rational, (5, 9), [1 / 3, 2 / 9])
    without = solve_ivp(rational, (5, 9), [1 / 3, 2 / 9], witness=False)
    assert without.nfev < with_it.nfev
    assert with_it.defect["verdict"] == "trusted" and with_it.defect["looks"] > 0
    assert without.defect["looks"] == 0


def test_a_singular_mass_makes_algebraic_equations():
    def robertson(t, y):
        x, y, z = y
        return [-0.04 * x + 1e4 * y * z, 0.04 * x - 1e4 * y * z - 3e7 * y**2, x + y + z - 1]

    res = solve_ivp(robertson, (0, 40), [1, 0, 0], mass=[1, 1, 0], rtol=1e-8, atol=[1e-10, 1e-12, 1e-10])
    # Hairer & Wanner's test set: y(40)
    assert res.y[:, -1] == pytest.approx([0.7158270688, 0.918553476e-5, 0.2841637457], rel=1e-6)
    assert abs(res.y.sum(axis=0) - 1).max() < 1e-12


def test_a_regular_mass_is_divided_by():
    mass = np.array([[2.0, 1], [0, 4]])
    res = solve_ivp(lambda t, y: mass @ [y[1], -y[0]], (0, 3), [0, 1], mass=mass, rtol=1e-9, atol=1e-9)
    assert res.y[0, -1] == pytest.approx(np.sin(3), abs=1e-7)
    stiff = solve_ivp(
        lambda t, y: mass @ [y[1], -y[0]], (0, 3), [0, 1], mass=mass, method="Radau", rtol=1e-9, atol=1e-9,
        jac=lambda t, y: mass @ np.array([[0, 1], [-1, 0]]),
    )  # fmt: skip
    assert stiff.y[0, -1] == pytest.approx(np.sin(3), abs=1e-7)


def test_index_two_is_found_and_solved():
    # y1' = z, y2' = -y1 + ..., 0 = y1 - sin(t): z = cos(t)
    def fun(t, y):
        return [y[2], -y[1] + y[0], y[0] - np.sin(t)]

    res = solve_ivp(fun, (0, 2), [0, 0, 1], mass=[1, 1, 0], rtol=1e-8, atol=1e-8)
    assert res.success
    assert res.y[2, -1] == pytest.approx(np.cos(2), abs=1e-5)
    assert res.y[0, -1] == pytest.approx(np.sin(2), abs=1e-8)


def kepler(t, y):
    r3 = np.hypot(y[0], y[1]) ** 3
    return [y[2], y[3], -y[0] / r3, -y[1] / r3]


def first_integrals(t, y):
    return [
        0.5 * (y[2] ** 2 + y[3] ** 2) - 1 / np.hypot(y[0], y[1]) + 0.5,
        y[0] * y[3] - y[1] * y[2] - np.sqrt(3) / 2,
    ]


def test_what_a_motion_keeps_is_kept():
    start = [0.5, 0, 0, np.sqrt(3)]
    free = solve_ivp(kepler, (0, 60), start, rtol=1e-4)
    held = solve_ivp(kepler, (0, 60), start, rtol=1e-4, constraints=first_integrals)
    lost = np.abs(np.array([first_integrals(0, y) for y in free.y.T])).max()
    kept = np.abs(np.array([first_integrals(0, y) for y in held.y.T])).max()
    assert kept < 1e-12 < 1e-6 < lost


def test_constraints_that_no_solution_keeps_are_refused():
    with pytest.raises(dalembert.Error, match="changes at a rate of"):
        solve_ivp(lambda t, y: -y, (0, 1), [1], constraints=lambda t, y: y[0] - 1)
    with pytest.raises(dalembert.Error, match="row 1 is -1 there"):
        solve_ivp(lambda t, y: [y[1], -y[0]], (0, 1), [1, 0], constraints=lambda t, y: [0, y @ y - 2])


@pytest.mark.parametrize("span", [(0, 10), (0, -10)])
def test_constraints_that_are_kept_for_a_while_only_end_the_run(span):
    """The circle is left once something pushes: what was true at the start is not held against the equations later."""

    def pushed(t, y):
        push = 0.1 if abs(t) > 5 else 0.0
        return [y[1] + push * y[0], -y[0] + push * y[1]]

    found = solve_ivp(pushed, span, [1, 0], constraints=lambda t, y: y @ y - 1, rtol=1e-6, max_step=0.3)
    assert not found.success and found.outcome == "untrusted"
    assert 5 < abs(found.t[-1]) < 7.5
    assert found.message.startswith(f"t = {found.t[-1]:g}:")
    assert "row 0 of the constraints changes at a rate of 0.2" in found.message and "leave them out" in found.message
    rest = solve_ivp(pushed, (0, 4), [1, 0], constraints=lambda t, y: y @ y - 1, rtol=1e-6)
    assert rest.outcome == "ok"


@pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-8])
@pytest.mark.parametrize("method", ["RK45", "Radau", None])
def test_constraints_that_errors_let_change_are_not_doubted(rtol, method):
    """The length of a pendulum is kept only while its velocity is along the circle, which holds up to the tolerance."""

    def pendulum_as_ode(t, s):
        x, y, u, w = s
        lam = (u * u + w * w - 9.81 * y) / (x * x + y * y)
        return [u, w, -lam * x, -lam * y - 9.81]

    found = solve_ivp(
        pendulum_as_ode, (0, 20), [1, 0, 0, 0], rtol=rtol, atol=0.01 * rtol, method=method, constraints=lambda t, s: s[0] ** 2 + s[1] ** 2 - 1
    )
    assert found.outcome == "ok", found.message


def test_near_misses_of_an_orbit_are_no_reason_to_doubt_its_integrals():
    start = [1.999, 0, 0, np.sqrt(0.001 / 1.999)]  # passes the centre at a distance of 0.001

    def integrals(t, y):
        return [
            0.5 * (y[2] ** 2 + y[3] ** 2) - 1 / np.hypot(y[0], y[1]) + 0.5,
            y[0] * y[3] - y[1] * y[2] - start[0] * start[3],
        ]

    found = solve_ivp(kepler, (0, 20), start, rtol=1e-9, atol=1e-12, constraints=integrals)
    assert found.outcome == "ok", found.message


@pytest.mark.parametrize("wrong", ["G", "bias"])
def test_derivatives_that_fit_at_the_start_alone_end_the_run(wrong):
    def G(t, q):
        return 2 * q[None, :] if wrong != "G" else np.array([[2.0, 2 * q[1]]])  # as if x stayed 1

    def bias(t, q, v):
        return [2 * v @ v if wrong != "bias" else 2 * v[0] ** 2 + 2 * v[1] ** 2 * (1 + t)]

    found = solve_mechanical(
        [1, 1], lambda t, q, v: [0, -9.81], lambda t, q: q @ q - 1, G, bias=bias, t_span=(0, 3), q0=[1, 0]
    )
    assert not found.success and found.outcome == "untrusted", found.message
    assert wrong in found.message and "does not fit g: row 0 is" in found.message


def test_implicit_equations_begin_where_they_are_consistent():
    res = solve_dae(lambda t, y, yp: [yp[0] - y[1], y[1] + y[0] - t], (0, 1), [1, 99], rtol=1e-8)
    assert res.success
    assert res.y[1, 0] == pytest.approx(-1, abs=1e-9)
    assert res.y[0, -1] == pytest.approx(2 * np.exp(-1) + 0, abs=1e-7)  # y = t - 1 + 2 exp(-t)


def test_the_rate_says_which_solution_is_meant():
    def circle(t, y, yp):
        return [yp[0] ** 2 - (1 - y[0] ** 2)]

    up = solve_dae(circle, (0, 1), [0], [1], rtol=1e-8, atol=1e-8)
    down = solve_dae(circle, (0, 1), [0], [-1], rtol=1e-8, atol=1e-8)
    assert up.y[0, -1] == pytest.approx(np.sin(1), abs=1e-6)
    assert down.y[0, -1] == pytest.approx(-np.sin(1), abs=1e-6)
    with pytest.raises(dalembert.Error, match="F\\(t0, y0, yp0\\) is"):
        solve_dae(circle, (0, 1), [0], [2])


def pendulum(t, y, yp):
    x, z, u, w, lam = y
    return [yp[0] - u, yp[1] - w, yp[2] + 2 * lam * x, yp[3] + 2 * lam * z + 9.81, x * x + z * z - 1]


def test_index_three_wants_to_know_which_entry_is_what():
    with pytest.raises(dalembert.Error, match="index 3") as refused:
        solve_dae(pendulum, (0, 1), [1, 0, 0, 0, 0])
    assert "solve_mechanical" in refused.value.hint
    res = solve_dae(pendulum, (0, 1), [1, 0, 0, 0, 0], index=[1, 1, 2, 2, 3], rtol=1e-7, atol=1e-7)
    same = solve_mechanical(
        [1, 1], lambda t, q, v: [0, -9.81], lambda t, q: q @ q - 1, t_span=(0, 1), q0=[1, 0], rtol=1e-10, atol=1e-10
    )
    assert res.y[:2, -1] == pytest.approx(same.q[:, -1], abs=1e-4)


@pytest.mark.parametrize("given", ["g", "G", "bias"])
def test_constraints_of_mechanics_hold(given):
    more = {}
    if given != "g":
        more["G"] = lambda t, q: 2 * q[None, :]
    if given == "bias":
        more["bias"] = lambda t, q, v: [2 * v @ v]
    res = solve_mechanical(
        np.eye(2), lambda t, q, v: [0, -9.81], lambda t, q: [q @ q - 1], t_span=(0, 10), q0=[1, 0], rtol=1e-8, atol=1e-8,
        energy=lambda t, q, v: v @ v / 2 + 9.81 * q[1], **more,
    )  # fmt: skip
    assert res.outcome == "ok"
    assert abs((res.q**2).sum(axis=0) - 1).max() < 1e-13
    assert abs((res.q * res.v).sum(axis=0)).max() < 1e-12
    assert abs(res.summary["energy"]["error"]) < 1e-5
    # what the rod carries: 2 lam = v^2 + 9.81 (0 - y) for unit mass and length
    assert 2 * res.lam[0, -1] == pytest.approx(res.v[:, -1] @ res.v[:, -1] - 9.81 * res.q[1, -1], rel=1e-6)


def test_masses_may_be_functions_and_events_see_velocities():
    def lowest(t, q, v):
        return v[0]

    lowest.terminal = True
    res = solve_mechanical(lambda t, q: [[2.0]], lambda t, q, v: -8 * q, t_span=(0, 5), q0=[1], events=lowest, rtol=1e-9, atol=1e-9)
    assert res.status == 1
    assert res.t[-1] == pytest.approx(np.pi / 2, abs=1e-6)
    assert res.lam.shape == (0, len(res.t))


def test_wrong_derivatives_are_refused():
    with pytest.raises(dalembert.Error, match="jacobian"):
        solve_mechanical(
            [1, 1], lambda t, q, v: [0, -9.81], lambda t, q: q @ q - 1, lambda t, q: [[q[0], q[1]]], t_span=(0, 1), q0=[1, 0]
        )


@pytest.mark.parametrize("span", [(5, 9), (5, 1)])
def test_results_survive_pickling_with_their_motion(span):
    import pickle

    res = solve_ivp(rational, span, [1 / 3, 2 / 9], dense_output=True, rtol=1e-8)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(res))))
    assert np.array_equal(again.y, res.y) and again.summary == res.summary
    t = np.append(np.linspace(*span, 333), res.t)
    assert np.abs(again.sol(t) - res.sol(t)).max() < 1e-13
    with pytest.raises(dalembert.Error, match="not in the trajectory"):
        again.sol(10.0)


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau", "BDF"])
def test_an_event_that_jumps_happens_once(method):
    res = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 10), [1, 0], method=method, rtol=1e-8, atol=1e-8, events=lambda t, y: np.sign(y[0]))
    assert res.t_events[0] == pytest.approx(np.pi * np.array([0.5, 1.5, 2.5]), abs=1e-6)


def test_what_nobody_looked_at_is_not_called_trusted():
    assert solve_ivp(lambda t, y: [1.0], (0, 1), [0], witness=False).defect["verdict"] == "not looked at"


@pytest.mark.parametrize("method", ["RK45", "Radau", "rodas4", None])
@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
def test_constraints_that_are_kept_no_longer_are_noticed_however_slowly(method, rtol):
    """A little damping sets in: the rows change by less at a time than errors could make of them, but go on doing so."""
    def damped(t, y):
        return [y[1], -y[0] - (0.05 * y[1] if t > 7.05 else 0)]

    how = {"method": method} if method else {}
    res = solve_ivp(damped, (0, 30), [1, 0], constraints=lambda t, y: [y[0] ** 2 + y[1] ** 2 - 1], rtol=rtol, atol=rtol, **how)
    assert not res.success
    assert res.outcome == "untrusted"
    kept = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 300), [1, 0],
                     constraints=lambda t, y: [y[0] ** 2 + y[1] ** 2 - 1], rtol=rtol, atol=rtol, **how)
    assert kept.success
