"""Constrained dynamics: mechanisms with joints and closed loops, and differential-algebraic equations of index 1 to 3.

    solve_ivp, solve_dae, solve_mechanical      equations from functions
    Model, Planar, Spatial                      mechanisms from files, texts, or put together here
    problems                                    the catalogue of reference problems, by name
    fit, minimize                               parameters from measured data, and those of a least objective
    pairs, explain, compare, certify, analyse, sweep, paper, cite, command
                                                what the program does beside
"""

import atexit as _atexit
import os as _os

from . import _core
from ._call import OdeResult
from ._commands import analyse, certify, cite, command, compare, explain, pairs, paper, sweep
from ._elements import Mechanism, Planar, Spatial
from ._errors import Complaint, Error, ModelError
from ._ivp import solve_dae, solve_ivp, solve_mechanical
from ._models import Model, Problem, problems
from ._motion import OdeSolution
from ._result import Animation, Result, UnknownName
from ._search import fit, minimize

__version__: str = _core.version
__all__ = [
    "Animation",
    "Complaint",
    "Error",
    "Mechanism",
    "Model",
    "ModelError",
    "OdeResult",
    "OdeSolution",
    "Planar",
    "Problem",
    "Result",
    "Spatial",
    "UnknownName",
    "analyse",
    "certify",
    "cite",
    "command",
    "compare",
    "explain",
    "fit",
    "minimize",
    "pairs",
    "paper",
    "problems",
    "solve_dae",
    "solve_ivp",
    "solve_mechanical",
    "sweep",
]

_atexit.register(_core.end_all_runs)
_os.register_at_fork(after_in_child=_core.forget_runs)
