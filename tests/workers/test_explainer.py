"""What the window asks about a trained run, answered on a worker thread."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.tables import random_dataset, train
from tests.workers.by_hand import ByHand
from workbench.explain.holdout_gain import holdout_gains
from workbench.explain.replay import Replay
from workbench.parameters.training import TrainingParams
from workbench.session.run import Run, RunState
from workbench.session.session import Session
from workbench.workers.explainer import Explainer, NodeSubject
from workbench.workers.jobs import Jobs


@pytest.fixture
def run():
    data = random_dataset("binary", n=300, n_valid=80)
    params = TrainingParams(rounds=5, max_depth=3, threads=1)
    started, rounds, ended = train(data, rounds=5, max_depth=3, threads=1)
    made = Run(1, params)
    made.dataset, made.schema = data, data.schema
    for event in (started, *rounds, ended):
        made.apply(event)
    return made


@pytest.fixture
def explainer(qapp):
    jobs = Jobs()
    yield Explainer(Session(), jobs)
    jobs.shutdown()


def test_gains_of_a_tree_on_hold_out_rows(explainer, run, qtbot):
    with qtbot.waitSignal(explainer.whole_trees.holdout.answered, timeout=60_000):
        assert explainer.whole_trees.holdout_gains(run, 3, 0) is None
    found = explainer.whole_trees.holdout_gains(run, 3, 0)
    expected = holdout_gains(Replay(run.dataset, run.started.ensemble, run.params, run.rounds), 3, 0)
    assert np.array_equal(found.gain, expected.gain, equal_nan=True)
    assert found.tree is run.trees(3)[0]


def test_doubtful_splits_are_counted_on_as_a_run_grows(explainer, run, qtbot):
    later = run.rounds[3:]
    del run.rounds[3:]
    with qtbot.waitSignal(explainer.whole_trees.doubts.answered, timeout=60_000):
        explainer.whole_trees.run_doubts(run)
    assert explainer.whole_trees.run_doubts(run).rounds == 3
    run.rounds += later
    with qtbot.waitSignal(explainer.whole_trees.doubts.answered, timeout=60_000):
        assert explainer.whole_trees.run_doubts(run).rounds == 3
    found = explainer.whole_trees.run_doubts(run)
    assert found.rounds == 5
    for round in range(1, 6):
        gains = holdout_gains(explainer.replays.of(run), round, 0)
        assert found.counts[round - 1] == (gains.doubtful.sum(),)
    assert len(found.worst) == sum(sum(counts) for counts in found.counts)


def test_a_model_from_a_file_says_why_nothing_is_known(explainer, run, qtbot):
    run.dataset = None
    with qtbot.waitSignal(explainer.whole_trees.holdout.answered, timeout=60_000):
        explainer.whole_trees.holdout_gains(run, 1, 0)
    assert "without the rows" in explainer.whole_trees.holdout.problem(explainer.whole_trees.holdout.newest)


def test_what_every_column_had_to_offer_and_its_scan(explainer, run, qtbot):
    subject = NodeSubject(run, 2, 0, 0)
    with qtbot.waitSignals([explainer.nodes.answered, explainer.scans.answered], timeout=60_000):
        assert explainer.findings(subject) is None
        assert explainer.scan(subject, 0) is None
    found = explainer.findings(subject)
    tree = run.trees(2)[0]
    assert found.ranking.ranked[0].feature == tree.nodes["feature"][0]
    assert len(found.rows.rows) == tree.nodes["count"][0]
    _, scan, spread = explainer.scan(subject, 0)
    assert np.nanmax(scan.gain) <= tree.nodes["gain"][0] + 1e-6
    assert spread.values.yes.sum() + spread.values.no.sum() + spread.missing == tree.nodes["count"][0]
    assert spread.gradients.yes.sum() == tree.nodes["count"][tree.nodes["left"][0]]


def test_a_row_is_answered_at_once_and_then_followed_while_the_run_goes_on(explainer, run, qtbot):
    later = run.rounds[3:]
    del run.rounds[3:]
    run.ended = None
    run.state = RunState.RUNNING
    explainer._shown.select(round=1)
    with qtbot.waitSignal(explainer.growths.answered, timeout=60_000):
        assert explainer.row_growth(run, 7) is None
        run.rounds.append(later[0])
        assert explainer.row_growth(run, 7) is None  # does not take the place of what is under way
    assert explainer.row_growth(run, 7).rounds == 3
    with qtbot.waitSignal(explainer.growths.answered, timeout=60_000):
        explainer.row_growth(run, 7)
    assert explainer.row_growth(run, 7).rounds == 4
    with qtbot.waitSignal(explainer.growths.answered, timeout=60_000):
        assert explainer.row_growth(run, 8) is None
    assert explainer.row_growth(run, 8).rounds == 4
    run.state = RunState.ENDED


def test_rows_of_a_node_are_shown_of_an_earlier_round_while_the_run_is_ahead(explainer, run, qtbot):
    later = run.rounds[3:]
    del run.rounds[3:]
    run.ended = None
    run.state = RunState.RUNNING
    with qtbot.waitSignal(explainer.members.answered, timeout=60_000):
        assert explainer.node_members(NodeSubject(run, 3, 0, 0)) is None
    run.rounds += later
    assert explainer.node_members(NodeSubject(run, 5, 0, 0)).round == 3
    run.state = RunState.ENDED


def test_what_is_scanned_as_a_run_goes_on_is_not_begun_anew_by_each_round(run, qapp):
    hand = ByHand()
    jobs = Jobs(hand)
    explainer = Explainer(Session(), jobs)
    run.ended = None
    run.state = RunState.RUNNING
    for round in range(1, 6):
        subject = NodeSubject(run, round, 0, 0)
        explainer.scan(subject, int(run.trees(round)[0].nodes["feature"][0]))
    assert len(hand.calls) == 1
    explainer.scan(subject, 3)  # by hand
    assert len(hand.calls) == 2
    run.state = RunState.ENDED
    jobs.shutdown()
