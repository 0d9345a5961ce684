"""Models of files and texts, and problems of the catalogue."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _core
from ._errors import Error
from ._result import Result


class Problem:
    """Something that can be run. Called with parameters it is the same with these values.

    >>> import dalembert
    >>> andrews = dalembert.problems["andrews"]
    >>> andrews
    <problem andrews: Andrews' squeezing mechanism: seven bodies in the plane, one degree of freedom>
    >>> light = andrews(mom=0.03).run()
    >>> light.outcome
    'ok'
    """

    def __init__(self, name: str, set: Mapping[str, float] = {}) -> None:
        self._set = _numbers(set)
        self._subject: Any = _core.problem(name, self._set)

    @property
    def name(self) -> str:
        """That of the catalogue, or of the file."""
        return str(self._subject.name)

    @property
    def title(self) -> str:
        """What it is, in words."""
        return str(self._subject.title)

    @property
    def parameters(self) -> dict[str, float]:
        """All of them, with the values that hold."""
        entry = next(each for each in _core.catalogue() if each["name"] == self.name)
        return {p["name"]: self._set.get(p["name"], p["value"]) for p in entry["parameters"]}

    def __call__(self, **parameters: float) -> Problem:
        return Problem(self.name, {**self._set, **parameters})

    def run(self, **settings: Any) -> Result:
        """Simulates it. Settings have the names of [run] in model files and mean the same:

        end, method, formulation, rtol, atol (or a dict by block and entry), step, max_step, controller, project, singular, dependent,
        output (a number of pieces, a distance in time, a list of times, or "step"; 1000 pieces unless given), start (initial values by
        name), keep (names of those that are not to be moved), options (of method and formulation), most_steps.

        Wrong settings are exceptions; how the run ended is `outcome` of what is returned. Other threads of Python go on meanwhile.
        """
        return Result(self, settings, self._subject.run(settings))

    def fit(self, vary: Mapping[str, Any], data: Any, scale: Optional[Mapping[str, float]] = None, **options: Any) -> Any:
        """The parameters for which the motion is nearest to measured data; see `dalembert.fit`. `self(**found["values"])` has them."""
        from ._search import fit

        return fit(self, vary, data, scale, **options)

    def minimize(self, vary: Mapping[str, Any], objective: str, constraint: Union[str, Sequence[str], None] = None, **options: Any) -> Any:
        """The parameters that make a number of the run least; see `dalembert.minimize`."""
        from ._search import minimize

        return minimize(self, vary, objective, constraint, **options)

    def __repr__(self) -> str:
        return f"<problem {self.name}: {self.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Problem, (self.name, self._set)


class Model(Problem):
    """A mechanism as a file or a text describes it, with its watches and the defaults of its run.

    >>> import dalembert
    >>> model = dalembert.Model.from_text('''
    ... space = "planar"
    ... [parameters]
    ... l = 1.0
    ... [[body]]
    ... name = "bob"
    ... kind = "point"
    ... mass = 1
    ... position = ["l", 0]
    ... [[joint]]
    ... name = "rod"
    ... kind = "distance"
    ... from = { body = "ground", at = [0, 0] }
    ... to = { body = "bob" }
    ... ''')
    >>> model.check()["degrees_of_freedom"]
    1
    >>> model.run(end=1).outcome
    'ok'
    >>> model(l=2).parameters
    {'l': 2.0}
    """

    def __init__(self, text: str, name: str = "model.toml", set: Mapping[str, float] = {}) -> None:
        self._text = text
        self._set = _numbers(set)
        self._subject = _core.model_from_text(text, name, self._set)

    @classmethod
    def from_file(cls, path: Union[str, os.PathLike[str]], **parameters: float) -> Model:
        """Reads a file; its parameters may be given other values. A ModelError says all that is wrong with it, with line and column."""
        made = cls.__new__(cls)
        made._set = _numbers(parameters)
        made._subject = _core.model_from_file(os.fspath(path), made._set)
        made._text = made._subject.text
        return made

    @classmethod
    def from_text(cls, text: str, name: str = "model.toml", **parameters: float) -> Model:
        """The same from a text; `name` stands for the file in messages, and what it includes is looked for beside it."""
        if "\n" not in text and text.strip().endswith(".toml"):
            raise Error(f"'{text}' is the name of a file, and not a model", "take Model.from_file")
        return cls(text, name, parameters)

    @property
    def text(self) -> str:
        """What the file says."""
        return self._text

    @property
    def space(self) -> str:
        """ "planar" or "spatial"."""
        return str(self._subject.space)

    @property
    def parameters(self) -> dict[str, float]:
        """All of them, with the values that hold."""
        return {p["name"]: p["value"] for p in self._subject.parameters}

    def __call__(self, **parameters: float) -> Model:
        return Model(self._text, self.name, {**self._set, **parameters})

    def check(self) -> dict[str, Any]:
        """What can be said before it runs: degrees of freedom, redundant rows, and `findings`, each with what is wrong, a hint, and where.
        `fine` says whether it can be run."""
        found: dict[str, Any] = self._subject.check()
        return found

    def __repr__(self) -> str:
        return f"<model {self.name}: {self.title}>" if self.title else f"<model {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self._text, self.name, self._set)


def _numbers(given: Mapping[str, Any]) -> dict[str, float]:
    def one(name: str, value: Any) -> float:
        try:
            return float(value)
        except (TypeError, ValueError):
            raise Error(f"parameter '{name}' is {value!r}", "it must be a number, in SI units: 0.12 instead of '12 cm'") from None

    return {name: one(name, value) for name, value in given.items()}


class Catalogue(Mapping[str, Problem]):
    """The problems of the catalogue by name.

    >>> import dalembert
    >>> "andrews" in dalembert.problems
    True
    """

    def __getitem__(self, name: str) -> Problem:
        return Problem(name)

    def __contains__(self, name: object) -> bool:
        return any(name == each["name"] for each in _core.catalogue())

    def __iter__(self) -> Iterator[str]:
        return (each["name"] for each in _core.catalogue())

    def __len__(self) -> int:
        return len(_core.catalogue())

    def __repr__(self) -> str:
        return "\n".join(f"{each['name']:24} {each['summary']}" for each in _core.catalogue())


problems = Catalogue()
