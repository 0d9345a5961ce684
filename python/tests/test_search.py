"""Do fit and minimize find in Python what is known, from files, dicts and tables, and refuse what cannot be meant?"""

import os

import numpy as np
import pytest

import dalembert

MODELS = os.path.join(os.path.dirname(__file__), "..", "..", "models")


def swings(length):
    seen = dalembert.problems["pendulum"](l=length).run(end=2, rtol=1e-9, output=20)
    return {"t": seen.t, "q.x": np.array(seen["q.x"]), "q.y": np.array(seen["q.y"])}


def test_fit_finds_the_strut_of_the_drop_test():
    model = dalembert.Model.from_file(os.path.join(MODELS, "fit", "drop-test.toml"))
    found = model.fit(vary={"k": (5e3, 1e5, "log"), "d": "100:5000"}, data=os.path.join(MODELS, "fit", "drop-test.csv"))
    assert found["ending"] == "converged" and found["status"] == 0
    for name, true in (("k", 23500), ("d", 1720)):
        assert abs(found["values"][name] - true) < 3 * found["errors"][name]
    column = found["columns"]["ride.y"]
    fitted = model(**found["values"]).run(end=1, rtol=1e-9, output=100)
    assert np.allclose(column["fitted"], fitted["ride.y"], atol=1e-6)
    assert np.std(column["fitted"] - column["measured"]) == pytest.approx(1e-3, rel=0.2)


def test_data_may_be_columns_with_holes():
    pandas = pytest.importorskip("pandas")
    pendulum, data = dalembert.problems["pendulum"], swings(1.2)
    data["q.x"][3] = np.nan
    for given in (data, pandas.DataFrame(data)):
        found = pendulum.fit(vary={"l": (0.5, 2)}, data=given)
        assert found["values"]["l"] == pytest.approx(1.2, abs=1e-6)
        assert np.isnan(found["columns"]["q.x"]["measured"][3])


def test_a_builder_is_fitted_and_what_is_not_determined_is_named():
    m = dalembert.Planar("a pendulum", parameters={"l": 0.5, "m": 2})
    bob = m.point("bob", mass="m", position=["l", 0])
    m.distance("rod", from_={"body": "ground", "at": [0, 0]}, to={"body": bob})
    seen = m.build(l=0.8).run(end=1, rtol=1e-9, output=20)
    data = {"t": seen.t, "q.bob.y": seen["q.bob.y"]}
    found = m.fit(vary={"l": (0.3, 2), "m": (1, 3)}, data=data)
    assert found["values"]["l"] == pytest.approx(0.8, abs=1e-6)
    assert found["undetermined"] == [["m"]] and found["status"] == 1


def test_minimize_finds_the_length_of_a_period():
    found = dalembert.problems["pendulum"].minimize(vary={"l": (0.8, 2)}, objective="end(q.x)=0", end=2, algorithm="bobyqa")
    assert found["values"]["l"] == pytest.approx((2 / 1.8540746773013719) ** 2, abs=1e-6)
    assert found["history"].size > 3


def test_wrong_calls_are_errors():
    pendulum, data = dalembert.problems["pendulum"], swings(1)
    with pytest.raises(dalembert.ModelError, match="q.z"):
        pendulum.fit(vary={"l": (0.5, 2)}, data={"t": data["t"], "q.z": data["q.y"]})
    with pytest.raises(dalembert.Error, match="one length"):
        pendulum.fit(vary={"l": (0.5, 2)}, data={"t": data["t"], "q.x": [1, 2]})
    with pytest.raises(dalembert.Error, match="range"):
        pendulum.fit(vary={"l": (1,)}, data=data)
    with pytest.raises(dalembert.Error, match="algorithm"):
        pendulum.minimize(vary={"l": (0.5, 2)}, objective="end(q.x)", algorithm="newton")
    with pytest.raises(dalembert.Error, match="complex"):
        pendulum.fit(vary={"l": (0.5, 2)}, data={"t": data["t"], "q.x": data["q.x"] * 1j})


def test_times_are_in_their_unit():
    pendulum, data = dalembert.problems["pendulum"], swings(1.2)
    found = pendulum.fit(vary={"l": (0.5, 2)}, data={"t [ms]": 1000 * data["t"], "q.x": data["q.x"]})
    assert found["values"]["l"] == pytest.approx(1.2, abs=1e-6)
    with pytest.raises(dalembert.ModelError, match="times are in 'kg'"):
        pendulum.fit(vary={"l": (0.5, 2)}, data={"t [kg]": data["t"], "q.x": data["q.x"]})


def test_what_is_masked_was_not_measured():
    data = swings(1.2)
    data["q.x"] = np.ma.array(data["q.x"], mask=False)
    data["q.x"][4] = 99
    data["q.x"].mask[4] = True
    found = dalembert.problems["pendulum"].fit(vary={"l": (0.5, 2)}, data=data)
    assert found["values"]["l"] == pytest.approx(1.2, abs=1e-6)


def test_a_curve_that_is_not_explained_is_a_warning():
    pendulum, data = dalembert.problems["pendulum"], swings(1.2)
    assert pendulum.fit(vary={"l": (0.5, 2)}, data=data)["warnings"] == []
    data["q.x"] = -data["q.x"]
    assert any("q.x is not explained" in each for each in pendulum.fit(vary={"l": (0.5, 2)}, data=data)["warnings"])


@pytest.mark.parametrize("algorithm", ["cobyla", "slsqp"])
def test_constraints_that_no_parameter_meets_are_named(algorithm):
    found = dalembert.minimize(
        "pendulum", {"l": (0.8, 2)}, "end(q.x)=0", constraint=["max(q.x)<3", "max(q.x)>5"], end=2, algorithm=algorithm
    )
    assert found["ending"] == "infeasible" and found["status"] == 1
    assert [each["holds"] for each in found["constraints"]] == [True, False]
    assert "max(q.x) is 2 m where max(q.x)>5 is asked for" in found["message"]
