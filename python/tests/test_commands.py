"""Do the commands of the program answer in Python, with models of files, texts and builders?"""

import numpy as np
import pytest

import dalembert


def test_commands_return_what_they_print_for_programs():
    found = dalembert.pairs("pendulum")
    assert {"formulation": "index1", "method": "dop853"} in found["pairs"] and found["status"] == 0
    runs = dalembert.compare("pendulum", method=["radau", "dop853"], formulation="index1", rtol=[1e-4, 1e-6])["runs"]
    assert {run["method"] for run in runs} == {"radau", "dop853"} and {run["rtol"] for run in runs} == {1e-4, 1e-6}
    assert dalembert.explain("car-axis")["status"] == 0
    assert dalembert.analyse("index", dalembert.problems["pendulum"])["index"] == 3
    assert any("Hairer" in each["bibtex"] for each in dalembert.cite("dop853")["references"])
    assert dalembert.certify("pendulum", end=1)["status"] == 0


def test_parameters_and_builders_reach_the_program():
    m = dalembert.Planar("a pendulum", parameters={"l": 0.5})
    bar = m.point("bob", mass=2, position=["l", 0])
    m.distance("rod", from_={"body": "ground", "at": [0, 0]}, to={"body": bar})
    lengths = np.array([0.5, 1.0, 2.0])
    found = dalembert.sweep(m, vary={"l": lengths}, result=["max(lambda.rod.rod)", "end(q.bob.x)"], end=2)
    assert np.array_equal(found["columns"]["l"], lengths)
    assert np.all(np.isfinite(found["columns"]["max(lambda.rod.rod)"]))
    for length, x in zip(lengths, found["columns"]["end(q.bob.x)"]):
        assert m.build(l=length).run(end=2)["q.bob.x"][-1] == pytest.approx(x, abs=1e-5)


def test_wrong_calls_are_errors():
    with pytest.raises(dalembert.Error, match="did you mean 'pendulum'"):
        dalembert.pairs("pendulun")
    with pytest.raises(dalembert.Error, match="--nothing"):
        dalembert.pairs("pendulum", nothing=1)
    with pytest.raises(dalembert.Error, match="nonsense"):
        dalembert.command("nonsense")


def test_a_model_that_is_wrong_is_told_as_elsewhere(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text('space = "planar"\n[[body]]\nname = "a"\nkind = "point"\nmas = 1\n')
    with pytest.raises(dalembert.ModelError) as raised:
        dalembert.pairs(path)
    assert raised.value.line and raised.value.file.endswith("wrong.toml")


def test_a_sweep_says_where_a_start_was_moved():
    found = dalembert.sweep("pendulum", vary={"q.x": [1, 1.2]}, result="end(q.x)", end=0.1)
    assert found["runs"][0]["warnings"] == []
    assert "was corrected" in found["runs"][1]["warnings"][0]
