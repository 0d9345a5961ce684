"""Are the examples of docstrings and documents right, and do the types hold?"""

import doctest
import importlib
import inspect
import os
import pydoc
import re
import subprocess
import sys

import pytest

import dalembert

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
MODULES = ["_call", "_commands", "_complex", "_elements", "_errors", "_functions", "_ivp", "_models", "_motion", "_result", "_search"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_do_what_they_say(name):
    module = importlib.import_module("dalembert." + name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0


@pytest.mark.parametrize("page, least", [("docs/python.md", 5), ("README.md", 1)])
def test_the_page_does_what_it_says(page, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = open(os.path.join(ROOT, page), encoding="utf-8").read()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= least
    os.symlink(os.path.join(ROOT, "models"), tmp_path / "models")
    names: dict = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_everything_public_has_help():
    for name in dalembert.__all__:
        thing = getattr(dalembert, name)
        assert inspect.getdoc(thing), name
    text = pydoc.render_doc(dalembert.Planar.revolute, renderer=pydoc.plaintext)
    assert "revolute(self, name, *, bodies, at)" in text and "the common point" in text


@pytest.mark.parametrize("made", [dalembert.Planar, dalembert.Spatial])
def test_the_call_that_help_shows_says_what_the_file_says(made):
    tomllib = pytest.importorskip("tomllib")
    from dalembert._elements import entries_of, example_call, method_name

    for entry in entries_of(made.space):
        m = made()
        exec(example_call(entry), {"m": m})
        written = tomllib.loads(m.to_toml())[entry["section"]][0]
        expected = tomllib.loads(entry["example"])
        assert {key: written[key] for key in expected} == expected, example_call(entry)
        assert example_call(entry) in pydoc.render_doc(getattr(made, method_name(entry)), renderer=pydoc.plaintext)


def test_the_stub_of_the_builders_is_that_of_the_registry():
    stub = os.path.join(ROOT, "python", "dalembert", "_elements.pyi")
    done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "stubs.py")], capture_output=True, text=True, check=True)
    assert open(stub, encoding="utf-8").read() == done.stdout, "run tools/tables"


def test_types_hold_in_the_package_and_in_the_examples(tmp_path):
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "--config-file", os.path.join(ROOT, "pyproject.toml"),
         os.path.join(ROOT, "python", "dalembert"), os.path.join(ROOT, "python", "examples")],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, "MYPYPATH": os.path.join(ROOT, "python")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
