"""The row that is looked at, in the run and the tree that are shown; or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.explain.row_path import matrix_row
from workbench.isolation import isolated
from workbench.session.no_trees import no_trees

if TYPE_CHECKING:
    from workbench.data.dataset import Dataset
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.trees.tree import Tree

NO_TABLE = "This model came from a file, without the rows it was trained on."
NO_ROW = "Type a row's number, or click a row of the table, to see its way through the trees."


class PathSubject(NamedTuple):
    """The row that is looked at: its place in the known rows of a run, and the shown tree."""

    run: Run
    dataset: Dataset
    tree: Tree
    row: int
    place: int


def subject_of(session: Session) -> tuple[PathSubject | None, str]:
    """Return what is looked at, or why there is nothing."""
    run, tree, row = session.shown.run, session.shown.tree, session.shown.selection.row
    if run is None or tree is None:
        return None, no_trees(run)
    rows = run.known_rows
    if rows is None:
        return None, run.no_rows(NO_TABLE)
    if row is None:
        return None, NO_ROW
    place = matrix_row(rows, row)
    if place is None:
        target = rows.schema.target
        return None, f"Row {row + 1} has no value for {isolated(target)}, so it neither trains nor validates."
    return PathSubject(run, rows, tree, row, place), ""
