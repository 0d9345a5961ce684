"""Builds the compiled part of the Python package, and the program beside it, with CMake.

What `./quickstart` or `./check` have built is used: the folder is build/release, unless DALEMBERT_BUILD names another one.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = os.path.dirname(os.path.abspath(__file__))


class CMakeBuild(build_ext):
    """One module, made by CMake, and copied to where setuptools wants it."""

    def build_extension(self, extension):
        build = os.path.join(root, os.environ.get("DALEMBERT_BUILD", "build/release"))
        configure = ["cmake", "-S", root, "-B", build, "-DDALEMBERT_PYTHON=ON"]
        # not that of an environment, which may vanish
        configure += [f"-DPython_EXECUTABLE={os.path.realpath(sys.executable)}"]
        if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
            configure += ["-DCMAKE_BUILD_TYPE=Release", "-DDALEMBERT_TESTS=OFF"]
            configure += ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(configure, check=True)
        targets = ["--target", "dalembert_python", "dalembert_app"]
        subprocess.run(["cmake", "--build", build, "--parallel", str(os.cpu_count()), *targets], check=True)
        into = os.path.dirname(self.get_ext_fullpath(extension.name))
        os.makedirs(os.path.join(into, "bin"), exist_ok=True)
        module = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
        shutil.copy2(os.path.join(build, "python", "dalembert", module), into)
        shutil.copy2(os.path.join(build, "dalembert"), os.path.join(into, "bin", "dalembert"))
        # what the program loads when it is wanted, such as NLopt, as far as it was built
        modules = os.path.join(build, "modules")
        if os.path.isdir(modules):
            shutil.copytree(modules, os.path.join(into, "bin", "modules"), dirs_exist_ok=True)


with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as file:
    version = re.search(r"project\(dalembert VERSION ([0-9.]+)", file.read()).group(1)

setup(
    version=version,
    packages=["dalembert"],
    package_dir={"": "python"},
    package_data={"dalembert": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("dalembert._core", [])],
    cmdclass={"build_ext": CMakeBuild},
)
