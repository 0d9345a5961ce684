"""Writes the stub of Planar and Spatial from the tables of elements: tools/stubs.py > python/dalembert/_elements.pyi"""

from __future__ import annotations

import textwrap
from typing import Any

from dalembert._elements import NAMED, documentation, entries_of, method_name, parameter_name

HEAD = '''\
# Written by tools/stubs.py from the tables of elements.
import os
from typing import Any, Literal, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._models import Model
from ._result import Result

Number = Union[float, str]  # an expression, or one with a unit, is a text
Vector = Union[Sequence[Number], npt.NDArray[np.float64]]
MatrixLike = Union[Sequence[Number], Sequence[Sequence[Number]], npt.NDArray[np.float64]]
End = Mapping[str, Union[str, Vector]]  # {"body": "crank", "at": [0, 0]}
Orientation = Union[Number, Vector, Mapping[str, Union[str, Number, Vector]]]

NAMED: tuple[str, ...]

def method_name(entry: Mapping[str, Any]) -> str: ...
def parameter_name(key: str) -> str: ...
def entries_of(space: str) -> list[dict[str, Any]]: ...
def documentation(entry: Mapping[str, Any]) -> str: ...

class Mechanism:
    space: str
    title: str
    gravity: Optional[Vector]
    parameters: dict[str, Number]
    defaults: dict[str, Any]
    def __init__(
        self,
        title: str = "",
        *,
        gravity: Optional[Vector] = None,
        parameters: Optional[Mapping[str, Number]] = None,
        run: Optional[Mapping[str, Any]] = None,
    ) -> None: ...
    def include(self, file: Union[str, os.PathLike[str]], **keys: Any) -> None: ...
    def to_toml(self) -> str: ...
    def save(self, path: Union[str, os.PathLike[str]]) -> None: ...
    def build(self, **parameters: float) -> Model: ...
    def check(self) -> dict[str, Any]: ...
    def run(self, **settings: Any) -> Result: ...
    def fit(self, vary: Mapping[str, Any], data: Any, scale: Optional[Mapping[str, float]] = None, **options: Any) -> Any: ...
    def minimize(
        self, vary: Mapping[str, Any], objective: str, constraint: Union[str, Sequence[str], None] = None, **options: Any
    ) -> Any: ...
'''

TYPES = {
    "number": "Number", "law": "Number", "motion": "Number",
    "vector": "Vector", "laws": "Vector", "motions": "Vector", "numbers": "Vector",
    "matrix": "Union[Number, MatrixLike]", "text": "str", "body": "str", "joint": "str", "bodies": "Sequence[str]",
    "node": "str", "nodes": "Sequence[str]", "branch": "str",
    "end": "End", "orientation": "Orientation", "shape": "Mapping[str, Any]",
}  # fmt: skip


def type_of(key: dict[str, Any]) -> str:
    if key["type"] == "text" and key["words"]:
        return "Literal[" + ", ".join(f'"{word}"' for word in key["words"]) + "]"
    return TYPES[key["type"]]


def method(entry: dict[str, Any]) -> str:
    needs_name = entry["section"] in NAMED
    lines = [f"    def {method_name(entry)}(", "        self,"]
    lines.append("        name: str," if needs_name else "        name: Optional[str] = None,")
    if entry["keys"]:
        lines.append("        *,")
    for key in sorted(entry["keys"], key=lambda key: bool(key["preset"])):
        name, of = parameter_name(key["name"]), type_of(key)
        lines.append(f"        {name}: {of}," if key["preset"] == "" else f"        {name}: Optional[{of}] = None,")
    lines.append(f"    ) -> {'str' if needs_name else 'None'}:")
    text = documentation(entry).replace("\\", "\\\\").rstrip()
    lines += textwrap.indent('"""' + text + '\n"""', "        ", lambda line: bool(line.strip())).splitlines()
    return "\n".join(lines) + "\n"


def stub() -> str:
    text = HEAD
    for name, space in (("Planar", "planar"), ("Spatial", "spatial")):
        text += f"\nclass {name}(Mechanism):\n" + "".join(map(method, entries_of(space)))
    return text


if __name__ == "__main__":
    print(stub(), end="")
