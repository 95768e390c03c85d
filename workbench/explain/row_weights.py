"""The weights that AdaBoost gave the rows of a table before a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.explain.replay import Replay


def row_weights(
    replay: Replay, place: int, cancelled: Callable[[], bool] | None = None
) -> NDArray[np.float32]:
    """Return ω of each row of the table before the run's round `place`, from 1; NaN of those not trained on.

    They add up to the weight of the training rows.
    """
    train, data = replay.before(place, cancelled).train, replay.dataset
    weights = np.full(data.schema.rows, np.nan, np.float32)
    weights[data.table_rows[train.rows]] = train.hessians[0]
    return weights
