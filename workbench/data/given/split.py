"""By what a script holds rows out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.data.schema import SplitBy


class GivenSplit(NamedTuple):
    """By what `fit` is to hold rows out: labels of columns or values of the rows, of which one is given."""

    groups: Any = None
    time: Any = None
    column: Any = None
    seed: int | None = None

    def chosen(self, valid: Any, fraction: float) -> tuple[SplitBy, Any]:
        """Return what was given, and what it is; refuse what does not go together."""
        every: tuple[tuple[SplitBy, Any], ...] = (
            ("groups", self.groups), ("time", self.time), ("column", self.column),
        )  # fmt: skip
        given = [(by, marks) for by, marks in every if marks is not None]
        if not given:
            return "rows", None
        by, marks = given[0]
        others = [f"valid_{other}" for other, _ in given[1:]] + (["valid"] if valid is not None else [])
        if others:
            raise WorkbenchError(f"valid_{by} and {others[0]} clash: rows are held out in one way.")
        if by == "column" and fraction:
            raise WorkbenchError("valid_column says what rows are held out; leave valid_fraction out.")
        if by != "column" and not fraction:
            raise WorkbenchError(f"valid_{by} needs the share that is held out: give valid_fraction=0.2.")
        return by, marks
