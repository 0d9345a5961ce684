"""Does pip build and install the package from the source tree, without a network?"""

import os
import subprocess
import sys

import pytest

import dalembert._core

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.path.dirname(os.path.dirname(os.path.dirname(dalembert._core.__file__)))


def test_pip_installs_it_into_an_environment(tmp_path):
    pytest.importorskip("setuptools")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    environment = {**os.environ, "DALEMBERT_BUILD": BUILD}
    environment.pop("PYTHONPATH")
    done = subprocess.run(
        [python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", SOURCE],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    code = (
        "import dalembert; print(dalembert.__file__); print(dalembert.problems['pendulum'].run(end=1).outcome);"
        "print(dalembert.cite('andrews')['references'][0]['key'])"
    )
    if os.path.exists(os.path.join(BUILD, "modules", "dalembert-nlopt.so")):
        code += ";print(dalembert.minimize('pendulum', {'l': (0.8, 2)}, 'end(q.x)=0', end=2)['ending'])"
    done = subprocess.run([python, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    where, outcome, key, *ending = done.stdout.split()
    assert ending in ([], ["converged"])
    assert where.startswith(str(tmp_path)) and outcome == "ok" and key
