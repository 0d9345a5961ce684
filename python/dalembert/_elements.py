"""Planar() and Spatial(): mechanisms put together in Python with the words of model files.

Every element that files can use is a method, made from the table of its keys: there is none to be written here.
"""

from __future__ import annotations

import difflib
import inspect
import json
import keyword
import math
import os
import re
import sys
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._errors import Error, ModelError
from ._models import Model
from ._result import Result

NAMED = ("body", "joint", "node", "branch")  # need a name


def method_name(entry: Mapping[str, Any]) -> str:
    """body, revolute, spring; drive_joint, watch_reaction, branch_motor, whose kinds have names that others have, too."""
    kind = str(entry["kind"]).replace("-", "_")
    if entry["section"] in ("drive", "watch", "branch", "node"):
        return f"{entry['section']}_{kind}"
    return "body" if kind == "rigid" else kind


def parameter_name(key: str) -> str:
    """from_ and as_ are words of Python."""
    return key + "_" if keyword.iskeyword(key) else key


def entries_of(space: str) -> list[dict[str, Any]]:
    """Of a plane, or of space."""
    return [entry for entry in _core.elements() if entry["space"] in (space, "both")]


def _toml(value: Any) -> str:
    """A value as it is written in a file."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise Error(f"{value} is not finite", "give a number")
        return repr(float(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_toml(each)}" for name, each in value.items()) + " }"
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _toml(value.item())
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    raise TypeError(f"{type(value).__name__} is nothing that a model can hold: {value!r}")


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else json.dumps(name)


class Mechanism:
    """What Planar and Spatial have in common: elements are added by methods, and checked when the whole is built."""

    space = ""

    def __init__(
        self,
        title: str = "",
        *,
        gravity: Any = None,
        parameters: Optional[Mapping[str, Any]] = None,
        run: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """`parameters` are numbers or texts with units ("500 mm") that elements may use in expressions ("2*l"); `run` has the settings that hold unless
        run() is given others; gravity is 9.81 downwards unless given."""
        caller = sys._getframe(1)
        self._place = (caller.f_code.co_filename, caller.f_lineno)
        self.title = title
        self.gravity = gravity
        self.parameters: dict[str, Any] = dict(parameters or {})
        self.defaults: dict[str, Any] = dict(run or {})
        self._elements: list[tuple[str, dict[str, Any], tuple[str, int]]] = []

    def __getattr__(self, name: str) -> Any:
        """Nothing is found here: it says what there is."""
        if name.startswith("__"):
            raise AttributeError(name)
        mine = [method_name(entry) for entry in entries_of(self.space)]
        where = [made.__name__ for made in (Planar, Spatial) if name in (method_name(e) for e in entries_of(made.space))]
        near = difflib.get_close_matches(name, mine, 3)
        hint = f"{where[0]} has it" if where else "did you mean " + " or ".join(near) + "?" if near else "help() shows all elements"
        raise AttributeError(f"{type(self).__name__} has no '{name}'; {hint}")

    def _add(self, section: str, keys: dict[str, Any]) -> None:
        caller = sys._getframe(2)
        for key, value in keys.items():
            try:
                _toml(value)
            except (Error, TypeError) as error:
                raise type(error)(f"{key} of {keys.get('kind', section)} '{keys.get('name', '')}' cannot be: {error}") from None
        self._elements.append((section, keys, (caller.f_code.co_filename, caller.f_lineno)))

    def include(self, file: Union[str, os.PathLike[str]], **keys: Any) -> None:
        """Another model file as part of this one; prefix, at, angle or orientation, set and ground as in files."""
        self._add("include", {"file": os.fspath(file), **keys})

    def _written(self) -> tuple[list[str], list[tuple[str, int]]]:
        """Lines of the file, and where in Python each comes from."""
        lines, places = [], []

        def write(line: str, place: Optional[tuple[str, int]] = None) -> None:
            lines.append(line)
            places.append(place or self._place)

        if self.title:
            write(f"title = {_toml(self.title)}")
        write(f'space = "{self.space}"')
        if self.gravity is not None:
            write(f"gravity = {_toml(self.gravity)}")
        for section, table in (("parameters", self.parameters), ("run", self.defaults)):
            if table:
                write("")
                write(f"[{section}]")
                for name, value in table.items():
                    write(f"{_key(name)} = {_toml(value)}")
        for section, keys, place in self._elements:
            write("", place)
            write(f"[[{section}]]", place)
            for name, value in keys.items():
                write(f"{_key(name)} = {_toml(value)}", place)
        return lines, places

    def to_toml(self) -> str:
        """The model file that says the same."""
        return "\n".join(self._written()[0]) + "\n"

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes that file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    def build(self, **parameters: float) -> Model:
        """The model. A ModelError says all that is wrong, with the lines of Python that said so."""
        lines, places = self._written()
        name = f"{self.space}.toml"
        try:
            return Model("\n".join(lines) + "\n", name, parameters)
        except ModelError as error:
            raise ModelError([_placed(each, name, places) for each in error.complaints]) from None

    def check(self) -> dict[str, Any]:
        """As Model.check()."""
        return self.build().check()

    def run(self, **settings: Any) -> Result:
        """As Model.run()."""
        return self.build().run(**settings)

    def fit(self, vary: Mapping[str, Any], data: Any, scale: Optional[Mapping[str, float]] = None, **options: Any) -> Any:
        """Parameters from measured data, as Model.fit finds them."""
        return self.build().fit(vary, data, scale, **options)

    def minimize(self, vary: Mapping[str, Any], objective: str, constraint: Union[str, Sequence[str], None] = None, **options: Any) -> Any:
        """Parameters that make a number least, as Model.minimize finds them."""
        return self.build().minimize(vary, objective, constraint, **options)


def _placed(complaint: Any, name: str, places: list[tuple[str, int]]) -> tuple[str, str, str, int, int, str]:
    what, hint, file, line, column, text = complaint

    def moved(match: re.Match[str]) -> str:
        at = int(match.group(1))
        return "{}:{}".format(*places[at - 1]) if 0 < at <= len(places) else match.group(0)

    if file == name and 0 < line <= len(places):
        file, line, column = *places[line - 1], 1
    other = re.escape(name) + r":(\d+):\d+"
    return re.sub(other, moved, what), re.sub(other, moved, hint), file, line, column, text


def documentation(entry: Mapping[str, Any]) -> str:
    """The page of a method, from the entry."""
    text = entry["summary"][:1].upper() + entry["summary"][1:] + ".\n"
    if entry["carries"]:
        text += f"\nIt carries {entry['carries']}.\n"
    text += "\n"
    for key in entry["keys"]:
        unit = f" [{key['unit']}]" if key["unit"] else ""
        preset = "" if key["preset"] in ("", "-") else f"; {key['preset']} unless given"
        words = f"; may use {', '.join(key['words'])}" if key["words"] and key["type"] != "text" else ""
        words = f"; one of {', '.join(key['words'])}" if key["words"] and key["type"] == "text" else words
        text += f"{parameter_name(key['name'])}: {key['meaning']}{unit}{words}{preset}\n"
    return text + "\nFor instance:\n\n    " + example_call(entry) + "\n"


def example_call(entry: Mapping[str, Any]) -> str:
    """The example of an entry, which is written as in a file, as a call."""
    written = entry["example"]
    written = re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", written))
    name = [f'"{entry["kind"]}1"'] if entry["section"] in NAMED else []
    given = []
    for key, value in re.findall(r"^([\w-]+) = (.*?)(?=\n[\w-]+ = |\Z)", written, re.S | re.M):
        if key == "name":
            name = [value]
        if key in ("name", "kind"):  # the kind is the name of the method
            continue
        value = re.sub(r"(?<=[{,] )([\w-]+) = ", r'"\1": ', value).replace("{ ", "{").replace(" }", "}")
        given.append(f"{parameter_name(key)}={' '.join(value.split())}")
    return f"m.{method_name(entry)}({', '.join(name + given)})"


def _wrong_call(entry: Mapping[str, Any], signature: inspect.Signature, given: Mapping[str, Any], otherwise: str) -> str:
    """Which key is unknown, or which ones are missing, with what they mean."""
    kind, known = method_name(entry), [p for p in signature.parameters if p != "self"]
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            return f"{kind} has no key '{key}'; " + (f"did you mean '{near[0]}'?" if near else f"it has {', '.join(known)}")
    meanings = {parameter_name(key["name"]): key["meaning"] for key in entry["keys"]}
    needed = [p.name for p in signature.parameters.values() if p.default is p.empty and p.name not in ("self", "name", *given)]
    if "missing" in otherwise and needed:
        return f"{kind} needs " + ", ".join(f"{name} ({meanings[name]})" for name in needed)
    if "missing" in otherwise:
        return f"{kind} needs a name, as in {kind}('{kind}1', ...)"
    return f"{kind}: {otherwise}; all but the name are given by key: {', '.join(known[1:])}"


def _method(entry: Mapping[str, Any]) -> Any:
    section, kind = str(entry["section"]), str(entry["kind"])
    P = inspect.Parameter
    needs_name = section in NAMED
    listed = [P("self", P.POSITIONAL_OR_KEYWORD), P("name", P.POSITIONAL_OR_KEYWORD, default=P.empty if needs_name else None)]
    by_parameter = {}
    for key in sorted(entry["keys"], key=lambda key: bool(key["preset"])):
        by_parameter[parameter_name(key["name"])] = key["name"]
        default = P.empty if key["preset"] == "" else None
        listed.append(P(parameter_name(key["name"]), P.KEYWORD_ONLY, default=default))
    signature = inspect.Signature(listed)

    def method(self: Mechanism, *args: Any, **given: Any) -> Optional[str]:
        try:
            arguments = signature.bind(self, *args, **given).arguments
        except TypeError as error:
            raise TypeError(_wrong_call(entry, signature, given, str(error))) from None
        keys = {"name": arguments.get("name"), "kind": kind}
        keys.update((by_parameter[p], value) for p, value in arguments.items() if p in by_parameter)
        self._add(section, {k: value for k, value in keys.items() if value is not None})
        return arguments["name"] if needs_name else None

    method.__name__ = method_name(entry)
    method.__doc__ = documentation(entry)
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def _made(name: str, space: str, doc: str) -> Any:
    members: dict[str, Any] = {"space": space, "__doc__": doc, "__module__": __name__}
    for entry in entries_of(space):
        method = _method(entry)
        method.__qualname__ = f"{name}.{method.__name__}"
        method.__module__ = __name__
        members[method.__name__] = method
    return type(name, (Mechanism,), members)


Planar = _made(
    "Planar",
    "planar",
    """A mechanism in the plane.

    >>> import dalembert
    >>> m = dalembert.Planar("a pendulum", parameters={"l": 0.5})
    >>> bar = m.body("bar", mass=2, inertia="mass*l^2/12", position=["l/2", 0])
    >>> pin = m.revolute("pin", bodies=["ground", bar], at=[0, 0])
    >>> m.watch_reaction("bearing", reaction=pin)
    >>> result = m.run(end=1)
    >>> result.outcome, sorted(c for c in result if c.startswith("bearing"))
    ('ok', ['bearing.moment', 'bearing.norm', 'bearing.x', 'bearing.y'])
    """,
)
Spatial = _made(
    "Spatial",
    "spatial",
    """A mechanism in space.

    >>> import dalembert
    >>> m = dalembert.Spatial("a ball on a string")
    >>> ball = m.point("ball", mass=1, position=[1, 0, 0], velocity=[0, 2, 0])
    >>> string = m.distance("string", from_={"body": "ground", "at": [0, 0, 0]}, to={"body": ball})
    >>> m.check()["degrees_of_freedom"]
    2
    """,
)
