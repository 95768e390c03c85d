"""Which rounds DART left out, and when: so that a model of any round is what it was then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.dropout import Dropout
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.float_text import shortest

if TYPE_CHECKING:
    from workbench.ensembles.ensemble import Ensemble


def dropouts_record(ensemble: Ensemble) -> dict[str, Any]:
    """Return the entry of a model's head; nothing where no round was left out."""
    records = [
        {"round": d.round, "dropped": d.dropped.tolist(), "factor": shortest(np.array([d.factor]))[0]}
        for d in ensemble.dropouts
    ]
    return {"dropouts": records} if records else {}


def dropouts_of(head: dict[str, Any], rounds: int) -> tuple[Dropout, ...]:
    """Read what `dropouts_record` wrote, of a model with so many rounds."""
    dropouts: list[Dropout] = []
    for record in checks.sequence(head.get("dropouts", []), "dropouts"):
        record = checks.mapping(record, "a dropout")
        number = checks.integer(record["round"], "a dropout's round", 2, rounds)
        dropped = checks.integers(record["dropped"], "dropped", low=1, high=number - 1)
        factor = checks.float32(checks.reals([record["factor"]], "factor"), "factor")[0]
        is_late = bool(dropouts) and number <= dropouts[-1].round
        if is_late or not len(dropped) or (np.diff(dropped) <= 0).any() or not 0 <= factor <= 1:
            raise WorkbenchError("Damaged model file: what was dropped in a round cannot have been.")
        dropouts.append(Dropout(number, dropped.astype(np.int32), factor))
    return tuple(dropouts)
