"""A table scored from file to file, here or on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.scoring.score_file import score_file as score_here
from workbench.scoring.wanted import Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from workbench.formats.model import Model
    from workbench.scoring.score_file import ScoredFile


def score_file(
    model: Model, path: str | PathLike[str], output: str | PathLike[str], *, keep: Sequence[str] | None = (),
    raw: bool = False, explain: bool = False, cluster: Any = None,
) -> ScoredFile:  # fmt: skip
    """Predict every row of a table that is read from a file, and write a row for each.

    Parameters
    ----------
    model : Model
    path : str or path
        Any table that can be read. With a cluster Parquet, a folder of CSV, or an address with ``://``, which
        the workers open.
    output : str or path
        CSV or Parquet, as its ending says. With a cluster a new or empty folder, in which the workers write a
        Parquet file for each partition.
    keep : sequence of str, optional
        Columns of the table that go along as they stand; None for all.
    raw : bool
        Raw predictions too, before the link.
    explain : bool
        SHAP values too, which add up to the raw prediction with `base`.
    cluster : Client, str, optional
        A client of dask.distributed, "local", a scheduler's address or its file; None scores here.

    Returns
    -------
    ScoredFile
        Rows, and in what the table differs from the one that the model was trained on.

    Raises
    ------
    WorkbenchError
        Nothing is left of the output then.
    """
    wanted = Wanted(kept=None if keep is None else tuple(keep), raw=raw, explained=explain)
    if cluster is None:
        return score_here(model, str(path), str(output), wanted)
    from workbench.cluster.extra import check_extra

    check_extra()
    from workbench.cluster.open_run import opened
    from workbench.cluster.scoring.score_there import score_there

    with opened(cluster) as connection:
        return score_there(connection, model, str(path), str(output), wanted)
