"""Rows of a run that lie on the workers, in the form in which xgboost.dask takes them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
from xgboost.dask import DaskDMatrix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class PlacedMatrix(DaskDMatrix):
    """A matrix whose parts stay where they are.

    Collections of dask may be moved when they are persisted, which leaves small tables on one worker; here
    each worker trains on what it was given.

    Parameters
    ----------
    parts : mapping of str to sequence of Future
        By worker: each a dict of arrays, "data", "label" and perhaps "weight".
    types : sequence of str
        "q" or "c" by column.
    max_bin : int or None
        Bins of a histogram; None: the values are kept, for the method approx.
    of : PlacedMatrix, optional
        The training rows whose bins these have.
    """

    def __init__(
        self, parts: Mapping[str, Sequence[Any]], types: Sequence[str], max_bin: int | None,
        of: PlacedMatrix | None = None,
    ) -> None:  # fmt: skip
        self.worker_map = defaultdict(list, {worker: list(some) for worker, some in parts.items()})
        self.feature_names = None
        self.feature_types = list(types)
        self.feature_weights = None
        self.missing = np.nan
        self.enable_categorical = True
        self.is_quantile = max_bin is not None
        self._n_cols = len(types)
        self._max_bin = max_bin
        self._of = of

    def _create_fn_args(self, worker_addr: str) -> dict[str, Any]:
        args = super()._create_fn_args(worker_addr)
        if self.is_quantile:
            args |= {"max_bin": self._max_bin, "max_quantile_batches": None}
            if self._of is not None:
                args["ref"] = id(self._of)
        return args
