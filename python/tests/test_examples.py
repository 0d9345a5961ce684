"""Do the examples run, and draw what they say?"""

import os
import runpy

import pytest

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "examples")
FILES = sorted(name for name in os.listdir(EXAMPLES) if name.endswith(".py"))


@pytest.mark.parametrize("name", FILES)
def test_the_example_runs(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [name] + (["1"] if name == "beside_scipy.py" else []))
    runpy.run_path(os.path.join(EXAMPLES, name), run_name="__main__")
    said = capsys.readouterr().out
    if said.startswith("skipped: "):
        pytest.skip(said)
    assert len(said) > 10
    for picture in tmp_path.glob("*.png"):
        assert picture.stat().st_size > 5000
    drawn = {"beside_scipy.py": 0, "paper_table.py": 0, "on_dask.py": 0, "on_mpi.py": 0, "on_processes.py": 0}
    assert len(list(tmp_path.glob("*.png"))) == drawn.get(name, 1)
