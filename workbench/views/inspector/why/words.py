"""Sentences about a node: columns that had nothing to offer, and what the hold-out rows say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.explain.node_text import gain_text
from workbench.isolation import isolated
from workbench.number_text import count, counted, signed

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.explain.candidates import Ranking
    from workbench.explain.holdout_gain import HoldOutGains
    from workbench.explain.reasons import Why
    from workbench.parameters.training import TrainingParams

MOST_NAMES = 4
LEAST_LESS = 0.005  # of a gain, from which it is said what was compared


def others_text(
    ranking: Ranking, schema: DataSchema, params: TrainingParams, most: int = MOST_NAMES
) -> str:
    """Columns without a cut, by reason: "sex, rest_ecg: no cut gains anything."."""
    by_reason: dict[Why, list[int]] = {}
    for column, why in ranking.others:
        if column not in ranking.by_chance:
            by_reason.setdefault(why, []).append(column)
    sentences = [
        f"{_listed([schema.features[c].name for c in columns[:most]], len(columns))}: {why.words(params)}."
        for why, columns in by_reason.items()
    ]
    sentences += [
        f"{isolated(schema.features[column].name)}: gains up to {gain_text(gain)}, "
        "less than its many categories gain by chance."
        for column, gain in list(ranking.by_chance.items())[:most]
    ]
    less = [c for c in ranking.ranked if c.compared < c.gain - LEAST_LESS * abs(c.gain)]
    more = f", with {params.cat_l2:g} more of λ" if params.cat_l2 else ""
    sentences += [
        f"{isolated(c.test.feature)}: compared as {gain_text(c.compared)}{more}, as its many categories gain "
        "by chance too."
        for c in less[:most]
    ]
    return " ".join(filter(None, [ranking.leaf_reason, *sentences]))


def _listed(names: list[str], of: int) -> str:
    more = of - len(names)
    listed = ", ".join(map(isolated, names))
    return f"{listed} and {count(more)} more" if more else listed


def holdout_sentence(gains: HoldOutGains, node: int) -> str:
    """What a node gains on the hold-out rows; "" of a leaf."""
    if gains.tree.is_leaf[node]:
        return ""
    rows = int(gains.sums.rows[node])
    if math.isnan(gains.scale):
        return "No hold-out rows, so there is no validation gain. Set a share under Data."
    sentence = f"Hold-out gain {gain_text(float(gains.gain[node]))} on {counted(rows, 'row')}."
    delivered = float(gains.delivered[node])
    if delivered <= 0.0 < gains.gain[node]:
        worse = signed(-delivered, 4)
        return f"{sentence} But with this tree's weights it changes their loss by {worse}: noise."
    return sentence
