"""A table that stays on a cluster, in the window: opened, trained on, and asked about as one at home."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from PySide6.QtCore import Qt

from tests.cluster.runs import SAMPLES
from workbench.app import application, build_window
from workbench.cluster.connection import Connection
from workbench.cluster.nodes.desk import clear
from workbench.data.encoding import encode
from workbench.data.row_hash import held_by_hash
from workbench.ensembles.prediction import raw_predictions
from workbench.session.opening.elsewhere import NEEDS_CLUSTER
from workbench.session.run import RunState
from workbench.shell.settings import Settings
from workbench.views.cluster.where_panel import WherePanel
from workbench.views.inspector.path.view import RowPathView
from workbench.workers.cluster_desk import ClusterState
from workbench.workers.explainer import NodeSubject


@pytest.fixture
def window(qtbot, qapp, tmp_path, whole_cluster):
    made = build_window(application(), Settings(tmp_path / "settings"))
    made.show()
    made.warmup.start()
    desk = made.controller.cluster
    desk.connection = Connection(whole_cluster.client, owns_client=False)
    desk.state = ClusterState(is_connected=True, facts=whole_cluster.facts)
    yield made
    made.close()
    made.deleteLater()
    whole_cluster.tell(clear, workers=whole_cluster.workers)


@pytest.fixture
def folder(tmp_path):
    frame = pd.read_csv(SAMPLES / "crash_survival.csv").head(3000)
    for number, rows in enumerate(np.array_split(np.arange(3000), 3)):
        frame.iloc[rows].to_parquet(tmp_path / f"{number}.parquet")
    return tmp_path


@pytest.mark.slow
def test_a_folder_is_opened_trained_on_and_asked_about(window, folder, qtbot, monkeypatch):
    session = window.session
    window.actions_by_name["open_there"].trigger()
    panel = window.findChild(WherePanel)
    qtbot.keyClicks(panel.path, str(folder))
    with qtbot.waitSignal(window.documents.opened, timeout=60_000):
        qtbot.mouseClick(panel.open_button, Qt.MouseButton.LeftButton)
    assert session.data.n_rows == 3000
    assert session.data.table.n_rows < 3000
    assert session.data.summaries["outcome"].n_rows == 3000
    for point in session.breakpoints.in_force:
        session.breakpoints.switch(point.name, on=False)
    session.hyperparameters.change(rounds=4)
    said, take = [], session.runs.prepares
    monkeypatch.setattr(session.runs, "prepares", lambda run, text: (said.append(text), take(run, text)))
    qtbot.mouseClick(window.frame.transport.primary_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.shown.run is not None, timeout=10_000)
    run = session.shown.run
    qtbot.waitUntil(lambda: not run.is_live, timeout=60_000)
    assert run.state is RunState.ENDED, session.notices.current
    assert any(words.endswith("parts looked over") for words in said), said
    assert said[-1].endswith("parts encoded")
    assert run.preparing == said[-1]
    assert (len(run.rounds), run.started.n_train + run.started.n_valid, run.dataset) == (4, 3000, None)
    assert run.train_weight == pytest.approx(float(run.rounds[0].loss / run.rounds[0].train["logloss"]))
    explainer, subject = window.bench.explainer, NodeSubject(run, 3, 0, 0)
    for inquiry, ask in (
        (explainer.nodes, lambda: explainer.findings(subject)),
        (explainer.scans, lambda: explainer.scan(subject, int(run.trees(3)[0].nodes["feature"][0]))),
        (explainer.members, lambda: explainer.node_members(subject)),
    ):
        if ask() is None:
            with qtbot.waitSignal(inquiry.answered, timeout=60_000):
                pass
        assert ask() is not None
    assert explainer.findings(subject).ranking.ranked[0].is_chosen
    whole = explainer.whole_trees
    gains, targets = whole.holdout_gains(run, 3, 0), whole.node_targets(run, 3, 0)
    assert gains.sums.rows[0] == run.started.n_valid
    assert targets.rows[0] == run.started.n_train
    assert explainer.node_members(subject).sums[0].rows == run.started.n_train
    a_shown_row_is_followed(window, run, folder, qtbot)
    window.controller.go_on(6)
    qtbot.waitUntil(lambda: len(run.rounds) == 6 and run.state is RunState.ENDED, timeout=60_000)
    window.controller.cluster.leave()
    window.controller.train()
    assert session.notices.current.text == NEEDS_CLUSTER
    assert session.shown.run is run


def a_shown_row_is_followed(window, run, folder, qtbot):
    """Its way through the trees is drawn, and it stands on the side on which it does on the workers."""
    window.session.shown.select(row=7)
    window.frame.centre.show_view("tree")
    window.frame.want_inspector(True)
    window.frame.bottom.show_view("path")
    view = window.findChild(RowPathView)
    qtbot.waitUntil(lambda: view.part.text() != "" and view.sums.isVisible(), timeout=30_000)
    rows = run.shown_rows
    qtbot.waitUntil(lambda: window.bench.explainer.row_growth(run, 7) is not None, timeout=60_000)
    growth = window.bench.explainer.row_growth(run, 7)
    raw = raw_predictions(run.ensemble(), encode(run.schema, pd.read_parquet(folder / "0.parquet")[7:8]))
    assert growth.raw[-1] == raw[0]
    held = len(rows.valid_rows) / len(rows.features)
    assert held == pytest.approx(run.started.n_valid / 3000, abs=0.05)
    held_here = held_by_hash(rows.features, rows.target, run.plan.valid_fraction, run.plan.split_seed)
    assert ("hold-out" in view.part.text()) == held_here[7]


@pytest.mark.slow
def test_a_folder_is_scored_there(window, folder, qtbot, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "scored"
    session = window.session
    window.open_path(SAMPLES / "crash_survival.csv")
    qtbot.waitUntil(lambda: session.data.table is not None, timeout=60_000)
    desk = window.controller.cluster
    there, desk.connection = desk.connection, None  # trained on this machine
    session.hyperparameters.change(rounds=3)
    qtbot.mouseClick(window.frame.transport.primary_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.shown.run is not None and session.shown.run.ended, timeout=60_000)
    desk.connection = there
    qtbot.waitUntil(window.actions_by_name["score_there"].isEnabled)
    window.actions_by_name["score_there"].trigger()
    panel = window.findChild(WherePanel)
    qtbot.keyClicks(panel.path, str(folder))
    qtbot.mouseClick(panel.score_button, Qt.MouseButton.LeftButton)
    page = window.frame.scoring
    qtbot.waitUntil(page.isVisible, timeout=60_000)
    qtbot.waitUntil(lambda: "3,000 rows are looked through" in page.looked.text(), timeout=60_000)
    qtbot.waitUntil(lambda: bool(page.grid.table_model.columns), timeout=60_000)
    assert page.folder.text() == f"{folder}-scored"
    assert not page.choices.ticks["row_numbers"].isVisible()
    page.choices.ticks["raw"].setChecked(True)
    page.folder.setText(str(out))
    qtbot.mouseClick(page.accept_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.notices.current is not None, timeout=60_000)
    said = session.notices.current.text
    assert "3,000 rows in" in said
    assert "Log loss" in said
    assert "Not taken over partitions: " in said
    rows = pd.concat(pd.read_parquet(file) for file in sorted(out.iterdir()))
    assert len(rows) == 3000
    assert "raw" in rows
