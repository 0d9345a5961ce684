"""A run of a model or of a problem of the catalogue, and what was kept of it."""

from __future__ import annotations

import difflib
import html
from typing import TYPE_CHECKING, Any, Iterator, Optional, Union

import numpy as np

from ._errors import Error
from ._functions import Array, vector

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

    from ._models import Problem


class UnknownName(Error, KeyError):
    """There is no column of that name; `hint` has those that are near."""

    __str__ = ValueError.__str__


class Result:
    """What a run came to. `result["q.crank.angle"]` is a column over the times `result.t`, `result(t)` the state at any time.

    >>> import dalembert
    >>> result = dalembert.problems["pendulum"].run(end=1)
    >>> result.outcome, len(result.t), result["q.x"].shape
    ('ok', 1001, (1001,))
    >>> sorted(result(0.5))
    ['lambda.bar', 'q.x', 'q.y', "v.x'", "v.y'"]
    """

    def __init__(self, problem: Problem, settings: dict[str, Any], record: Any) -> None:
        self.problem = problem
        self.settings = settings
        self._record: Any = record
        self._motion: Any = None
        self.t: Array = record.t
        self.values: Array = record.values
        columns = record.columns
        self.columns: list[str] = [name for name, _, _ in columns]
        self.units: dict[str, str] = {name: unit for name, unit, _ in columns}
        self.groups: dict[str, str] = {name: group for name, _, group in columns}
        self.summary: dict[str, Any] = record.summary
        self._text: str = record.text

    # How it ended.
    @property
    def outcome(self) -> str:
        """ "ok", "stopped" (by an event), or why it ended early."""
        return str(self.summary["outcome"])

    @property
    def message(self) -> str:
        """The same in a sentence."""
        return str(self.summary["message"])

    @property
    def success(self) -> bool:
        """Did it come to its end, or to an event that ends it?"""
        return self.outcome in ("ok", "stopped")

    @property
    def defect(self) -> dict[str, Any]:
        """What the motion leaves of the equations, in units of the tolerance, as an independent witness found it."""
        found: dict[str, Any] = self.summary["defect"]
        return found

    @property
    def warnings(self) -> list[str]:
        """What a careful reader should know."""
        return list(self.summary["warnings"])

    # What it has.
    def __getitem__(self, name: str) -> Array:
        """A column by name; of a block or of a watch with several components all of its columns, side by side."""
        if not isinstance(name, str):
            raise TypeError(f"columns have names, and {name!r} is none; `result.columns` lists them, `result.values` has all numbers")
        if name in self.units:
            column: Array = self.values[:, self.columns.index(name)]
            return column
        inside = [k for k, c in enumerate(self.columns) if c.startswith(name + ".")]
        if inside:
            block: Array = self.values[:, inside]
            return block
        near = difflib.get_close_matches(name, self.columns, n=3) or [c for c in self.columns if name in c][:8]
        hint = "did you mean " + " or ".join(f"'{c}'" for c in near) + "?" if near else "there are " + ", ".join(self.columns)
        raise UnknownName(f"there is no column '{name}'", hint)

    def __contains__(self, name: object) -> bool:
        return name in self.units or any(c.startswith(f"{name}.") for c in self.columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __call__(self, t: Any) -> dict[str, Any]:
        """The complete state at a time, or at several, by name. The first call makes the run once more, bit by bit, and keeps all of it."""
        if self._motion is None:
            self._motion = self._recorded().motion()
        times = vector(t, "t")
        states = self._motion(times.tolist()).T
        return {name: float(row[0]) if np.ndim(t) == 0 else row for name, row in zip(self._motion.labels, states)}

    def _recorded(self) -> Any:
        if self._record is None:  # it comes from another process
            self._record = self.problem._subject.run(self.settings)
        return self._record

    # What others make of it.
    def to_pandas(self) -> pandas.DataFrame:
        """A table with a row for each time, and `attrs["units"]` by column; needs pandas."""
        import pandas

        frame = pandas.DataFrame(self.values, index=pandas.Index(self.t, name="t"), columns=self.columns)
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """A data set over t, with units; needs xarray."""
        import xarray

        columns = {
            name: ("t", self.values[:, k], {"units": self.units[name], "group": self.groups[name]})
            for k, name in enumerate(self.columns)
        }
        return xarray.Dataset(columns, coords={"t": ("t", self.t, {"units": "s"})}, attrs={"title": self.problem.title})

    def plot(self, *names: str, ax: Optional[Axes] = None, **style: Any) -> Axes:
        """Draws columns over time with matplotlib; "q.crank.x:q.crank.y" draws one over another. All watches, or else all positions, unless
        named."""
        from matplotlib import pyplot

        if ax is None:
            ax = pyplot.subplots(constrained_layout=True)[1]
        chosen = list(names) or [c for c in self.columns if self.groups[c] == "watch"] or self._positions()
        for name in chosen:
            if ":" in name:
                across, up, *more = name.split(":")
                if more:
                    raise Error(f"'{name}' has more than two columns", "write ACROSS:UP")
                ax.plot(self[across], self[up], label=name, **style)
                ax.set_xlabel(self._axis(across))
                ax.set_ylabel(self._axis(up))
                continue
            for column in [name] if name in self.units else [c for c in self.columns if c.startswith(name + ".")] or [name]:
                ax.plot(self.t, self[column], label=self._axis(column), **style)
            ax.set_xlabel("t [s]")
        ax.legend()
        ax.set_title(self.problem.title or self.problem.name)
        return ax

    def _positions(self) -> list[str]:
        return [c for c in self.columns if self.groups[c] in ("q", "y")]

    def _axis(self, name: str) -> str:
        unit = self.units.get(name, "")
        return f"{name} [{unit}]" if unit else name

    def save(self, path: Union[str, Any]) -> None:
        """Writes a file of the format that its suffix says: .csv, .h5, .npz or .mat."""
        self._recorded().save(str(path))

    def page(self, path: Union[str, Any, None] = None) -> str:
        """The page that plays the run, as one text of HTML that needs no network; written to a file if one is named."""
        text: str = self._recorded().page()
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return text

    def animate(self, height: int = 640) -> Animation:
        """The page of the run, for a notebook to show."""
        return Animation(self.page(), height)

    def _repr_html_(self) -> str:
        try:
            return self.animate()._repr_html_()
        except Error:  # a build without pages
            return f"<pre>{html.escape(self._text)}</pre>"

    def __repr__(self) -> str:
        return self._text.rstrip()

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state["_record"] = state["_motion"] = None  # can be made again
        state["t"], state["values"] = np.array(self.t), np.array(self.values)
        return state


class Animation:
    """A page that plays a run, shown inside a notebook."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page, quote=True)}" width="100%" height="{self.height}" '
            'style="border:0" allowfullscreen></iframe>'
        )


