"""What the program does and the library does not: its commands, and what they print for programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from typing import Any, Mapping, Sequence, Union

import numpy as np

from ._elements import Mechanism
from ._errors import Error, ModelError
from ._functions import Array
from ._models import Model, Problem

Subject = Union[str, "os.PathLike[str]", Problem, Mechanism]


def program() -> str:
    """The program `dalembert` that came with the package, or else the one in the path."""
    inside = os.path.join(os.path.dirname(__file__), "bin", "dalembert")
    found = inside if os.access(inside, os.X_OK) else shutil.which("dalembert")
    if found is None:
        raise Error("the program dalembert is not there", "install it, or build the package with it")
    return found


def _text(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(map(_text, value))
    return str(value)


def _options(options: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            for key, each in value.items():
                words += [option, f"{key}={_text(each)}"]
        elif isinstance(value, (list, tuple, np.ndarray)):
            for each in value:
                words += [option, _text(each)]
        else:
            words += [option, _text(value)]
    return words


def _words(given: Any, stack: ExitStack) -> list[str]:
    """What stands for a problem on the command line; a model that is in no file is written to one."""
    if isinstance(given, Mechanism):
        given = given.build()
    if isinstance(given, Model):
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        path = given.name if os.path.exists(given.name) else os.path.join(folder, os.path.basename(given.name))
        if path != given.name:
            with open(path, "w", encoding="utf-8") as file:
                file.write(given.text)
        return [path, *_options({"set": given._set})]
    if isinstance(given, Problem):
        return [given.name, *_options({"set": given._set})]
    return [_text(given)]


def command(*words: Any, **options: Any) -> Any:
    """Calls `dalembert WORDS --options --json`, and returns what it prints for programs.

    Problems and models stand for their names and files. Underscores of options are dashes; True is an option without a value, a list one that
    is repeated, a dict NAME=VALUE for each. A call that is wrong is an Error, as are models; `status` of what is returned is 1 where something ended early.

    >>> import dalembert
    >>> found = dalembert.command("pairs", dalembert.problems["pendulum"])
    >>> {"formulation": "index1", "method": "dop853"} in found["pairs"]
    True
    """
    with ExitStack() as stack:
        line = [program()]
        for word in words:
            line += _words(word, stack)
        done = subprocess.run([*line, *_options(options), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        raise Error(done.stderr.strip() or f"dalembert ended with {done.returncode} and said nothing") from None
    if done.returncode == 2:
        error = found["error"]
        if "complaints" in error:
            places = [(c, c["place"] or {"file": "", "line": 0, "column": 0}) for c in error["complaints"]]
            raise ModelError([(c["what"], c["hint"], p["file"], p["line"], p["column"], c["text"]) for c, p in places])
        raise Error(error["message"], error["hint"])
    found["status"] = done.returncode
    return found


def pairs(what: Subject, **options: Any) -> Any:
    """Every formulation with every method that fits it, and why others do not."""
    return command("pairs", what, **options)


def explain(what: Subject, **options: Any) -> Any:
    """Which pair is chosen, and why."""
    return command("explain", what, **options)


def compare(what: Subject, **options: Any) -> Any:
    """Error and work of several pairs: compare("car-axis", method=["radau", "bdf"], rtol=[1e-4, 1e-6])."""
    return command("compare", what, **options)


def certify(what: Subject, **options: Any) -> Any:
    """The digits on which pairs of different families agree."""
    return command("certify", what, **options)


def analyse(analysis: str, what: Subject, **options: Any) -> Any:
    """An analysis by name: analyse("index", "pendulum"), analyse("modes", model)."""
    return command("analyse", analysis, what, **options)


def paper(name: str, table: Union[str, int, None] = None, **options: Any) -> Any:
    """A table of a paper, rerun: printed value, ours, verdict."""
    return command("paper", name, *([] if table is None else [table]), **options)


def cite(*names: str, **options: Any) -> Any:
    """The references behind methods, formulations, problems and papers, or behind a run (run="andrews")."""
    return command("cite", *names, **options)


def sweep(what: Subject, vary: Mapping[str, Union[str, Sequence[float], Array]], result: Union[str, Sequence[str], None] = None, **options: Any) -> Any:
    """Many runs with other parameters, on all cores.

    `vary` has the values of each parameter ([1, 2, 5], an array, or "0.5:2:16"), `result` what is kept of each run ("max(force)",
    "end(q.x)"). What is returned has an array for each parameter and each result under "columns", in the order of the runs.

    >>> import dalembert
    >>> found = dalembert.sweep("pendulum", vary={"l": [0.5, 1, 2]}, result="max(lambda.bar)")
    >>> found["columns"]["l"]
    array([0.5, 1. , 2. ])
    """
    if not isinstance(vary, Mapping):
        raise TypeError(f"vary must be a dict of values, as in {{'l': [1, 2]}}, and is {type(vary).__name__}")
    found = command("sweep", what, vary=dict(vary), result=result, **options)
    runs = found["runs"]
    found["columns"] = {
        name: np.array([np.nan if run[kind][name] is None else run[kind][name] for run in runs])
        for kind in ("parameters", "values")
        for name in (runs[0][kind] if runs else {})
    }
    return found
