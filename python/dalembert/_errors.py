"""Exceptions of the package, with what would be right."""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence


class Complaint(NamedTuple):
    """One thing that is wrong with a model: what, what would be right, and where."""

    what: str
    hint: str
    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return place + self.what + (f"; {self.hint}" if self.hint else "")


class Error(ValueError):
    """A wrong name, value, option or pair. `hint` says what would be right.

    >>> import dalembert
    >>> dalembert.problems["andrews"].run(method="dop583")
    Traceback (most recent call last):
    ...
    dalembert._errors.Error: unknown method 'dop583'; did you mean 'dop853'?
    """

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(f"{what}; {hint}" if hint else what)
        self.what = what
        self.hint = hint
        self.file: Optional[str] = None
        self.line: Optional[int] = None
        self.column: Optional[int] = None

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.what, self.hint)


class ModelError(Error):
    """All that is wrong with a model; `file`, `line` and `column` are those of the first complaint."""

    def __init__(self, complaints: Sequence[tuple[str, str, str, int, int, str]]) -> None:
        self.complaints = [Complaint(*each) for each in complaints]
        first = self.complaints[0]
        super().__init__(first.what, first.hint)
        self.args = ("\n".join(str(each) for each in self.complaints),)
        self.file, self.line, self.column = first.file, first.line, first.column

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), ([tuple(each) for each in self.complaints],)
