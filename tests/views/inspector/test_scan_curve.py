"""A scan as it is drawn, against the scan itself."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from tests.explain.test_replay import replayed
from tests.reference.tables import dataset, random_dataset
from workbench.explain.node_rows import node_rows
from workbench.explain.spread import column_spread
from workbench.views.curves.ink import width
from workbench.views.inspector.why.fitted_words import (
    LEVEL_WORDS,
    fitted_words,
    free_of_stem,
    in_lines,
    reason_height,
)
from workbench.views.inspector.why.scan_curve import MISSING_ALONE, MOST_POINTS, MadeCut, scan_curve
from workbench.views.inspector.why.scan_plot import REASON_LINE

FORCED = "x2 < 0.123"


def drawn(replay, node, column):
    rows = node_rows(replay, len(replay.rounds), 0, node)
    scan, spread, tree = rows.scan(column), column_spread(rows, column), rows.grown.tree
    record, made = tree.nodes[node], None
    if record["feature"] == column:
        made = MadeCut(scan.cut_of(tree, node), record["threshold"], "forced" if record["forced"] else "")
    feature = replay.dataset.schema.features[column]
    return scan, scan_curve(scan, spread, feature, rows.params, made), tree


def test_of_very_many_cuts_the_ends_and_the_winner_are_kept():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(9000, 1))
    table = dataset(x, (x[:, 0] > 0.3) + rng.normal(size=9000) / 3)
    scan, curve, tree = drawn(replayed(table, rounds=1, threads=1, tree_method="exact", max_depth=1), 0, 0)
    assert curve.n_cuts == scan.is_possible.any(axis=0).sum() > MOST_POINTS
    assert len(curve) <= MOST_POINTS
    assert curve.made == curve.best
    assert curve.gain[curve.made] == pytest.approx(tree.nodes["gain"][0])
    assert curve.gain.max() == np.nanmax(scan.gain)
    assert curve.gain.min() == np.nanmin(scan.gain)
    assert (np.diff(curve.x) >= 0).all()


def test_missing_values_alone_have_a_name():
    table = random_dataset("regression", n=300, d=3, missing=0.2)
    _, curve, _ = drawn(replayed(table, rounds=1, threads=1), 0, 0)
    assert curve.names[-1] == MISSING_ALONE
    assert curve.x[-1] == np.nanmax(table.features[:, 0])


def test_categories_stand_by_their_gain():
    table = random_dataset("regression", n=300, d=3, missing=0.0)
    replay = replayed(table, rounds=1, threads=1, max_cat_to_onehot=10)
    _, curve, _ = drawn(replay, 0, 1)
    assert list(curve.gain) == sorted(curve.gain, reverse=True)
    assert sorted(curve.names) == [f"c{k}" for k in range(5)]
    assert not curve.is_ordered


def test_a_forced_cut_is_drawn_at_its_own_threshold_and_does_not_win():
    table = random_dataset("regression", n=200, d=4)
    replay = replayed(table, rounds=1, threads=1, max_depth=1, tree_method="exact", forced_splits=FORCED)
    scan, curve, _ = drawn(replay, 0, 2)
    assert np.float32(0.123) not in scan.thresholds
    assert curve.names[curve.made] == "0.123"
    assert curve.x[curve.made] == pytest.approx(0.123)
    assert curve.verb(-np.inf) == "forced"
    _, other, _ = drawn(replay, 0, 0)
    assert other.verb(curve.gain[curve.made]) == "is best"


def test_a_cut_wins_only_where_no_other_column_gains_more():
    table = random_dataset("regression", n=200, d=4)
    replay = replayed(table, rounds=1, threads=1, max_depth=1)
    chosen = int(replay.rounds[0].trees[0].nodes["feature"][0])
    _, curve, _ = drawn(replay, 0, chosen)
    own = float(curve.gain[curve.made])
    assert curve.verb(-np.inf) == curve.verb(own / 2) == "wins"
    assert curve.verb(2 * own) == "chosen"


@pytest.mark.parametrize("level", range(30, 200, 5))
@pytest.mark.parametrize("height", [130, 170])
@pytest.mark.parametrize("lines", [2, 3])
def test_why_cuts_are_refused_is_written_beside_the_level_of_the_next_best(level, height, lines):
    plot, half = QRectF(40, 20, 200, height), REASON_LINE * lines / 2
    level = min(level, plot.bottom() - 2)
    place = reason_height(plot, level, half)
    assert plot.top() <= place - half
    assert place + half <= plot.bottom()
    assert place + half < level or place - half > level + LEVEL_WORDS
    assert reason_height(plot, None, half) == plot.center().y()


def test_why_cuts_are_refused_is_told_whole_in_a_narrow_range(qapp):
    why = "a child has H below 1"
    assert in_lines(why, 400) == [why]
    lines = in_lines(why, 70)
    assert " ".join(lines) == why
    assert len(lines) == 2
    assert all(width(line) <= 70 for line in lines)


def test_words_beside_a_figure_lose_letters_of_the_name_only(qapp):
    words = fitted_words("best of ", "the_average_age_of_everybody_in_the_household", ", 12.345", 140)
    assert words.startswith("best of the_")
    assert words.endswith("…, 12.345")
    assert fitted_words("best of ", "age", ", 12.345", 140) == "best of age, 12.345"


def test_where_the_name_has_no_room_the_words_before_it_go(qapp):
    assert fitted_words("best of ", "gloss", ", 0.109", 80) == "gloss, 0.109"
    assert fitted_words("best of ", "gloss", ", 0.109", 40) == "0.109"


@pytest.mark.parametrize("stem", range(41, 240, 7))
@pytest.mark.parametrize("wanted", [30, 90, 150])
def test_the_level_of_the_next_best_is_named_beside_the_line_of_the_winner(stem, wanted):
    left, room = free_of_stem(QRectF(40, 20, 200, 120), float(stem), wanted)
    right = left + min(wanted, room)
    assert right <= 240
    assert left > stem or right < stem
    assert room >= min(wanted, 90)
