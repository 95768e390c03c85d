"""The tab Explain: its pages are made when they are seen, and follow run, round and rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.views.made_forest import add_rounds, made_bench, made_session, show
from workbench.ensembles.events import EndReason, TrainingEnded
from workbench.explain.attribution.permutation import permuted_losses
from workbench.explain.evaluator import Evaluator
from workbench.explain.importance import feature_importance
from workbench.number_text import figure
from workbench.session.no_trees import FIRST_TREE, NO_TREES
from workbench.session.session import Session
from workbench.views.curves.ink import width
from workbench.views.explain.kind_list import GAP, KindColumn, KindList, KindModel, slots
from workbench.views.explain.pages.base import PAGES
from workbench.views.explain.view import ExplainTab
from workbench.views.look.fonts import NOTE
from workbench.views.look.theme import DARK, LIGHT, set_theme, theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def tab_of(qtbot, jobs):
    def make(session, size=(1016, 640)):
        tab = ExplainTab(made_bench(session, jobs))
        show(qtbot, tab, size)
        return tab

    return make


def shown_figures(tab):
    model = tab.page.list.model
    return {name: dict(zip((model.name(row) for row in range(model.rowCount())),
                           c.values[model.order].tolist(), strict=True))
            for name, c in ((column.name, column) for column in model.columns)}


def test_pages_are_made_when_they_are_shown_first(qtbot, tab_of):
    tab = tab_of(made_session())
    qtbot.waitUntil(lambda: len(tab.pages) > 0)
    assert next(iter(tab.pages)) == "importance"
    for kind in PAGES:
        qtbot.mouseClick(tab.buttons[kind.name], LEFT)
        assert tab.page.name == kind.name
        assert tab.page.isVisible()
    assert set(tab.pages) == {kind.name for kind in PAGES}


def test_every_page_says_what_to_do_where_there_is_nothing(qtbot, tab_of):
    tab = tab_of(Session())
    for kind in PAGES:
        tab.choose(kind.name)
        assert not tab.grab().isNull()
    assert tab.pages["importance"].list.list.sentence == NO_TREES
    session = made_session(0, ended=False)
    tab = tab_of(session)
    tab.choose("importance")
    shown = tab.pages["importance"].list.list
    qtbot.waitUntil(lambda: shown.sentence == FIRST_TREE)
    session.runs.apply(session.shown.run, [TrainingEnded(EndReason.STOPPED, 0, 0, 1.0)])
    qtbot.waitUntil(lambda: shown.sentence == NO_TREES)


def test_importance_follows_the_ruler(qtbot, tab_of):
    session = made_session(6)
    tab = tab_of(session)
    run = session.shown.run
    for number in (6, 2):
        session.shown.select(round=number)
        expected = feature_importance(run.ensemble(number))
        qtbot.waitUntil(lambda expected=expected: shown_figures(tab).get("total_gain") == dict(
            zip(run.schema.names, expected.tolist(), strict=True)))
    grown = tab.page.board.panes[0].content.lines
    share = expected.max() / expected.sum()
    assert max(line.values[-1] for line in grown) == pytest.approx(100 * share)
    add_rounds(session, 1)
    session.shown.select(round=None)
    expected = feature_importance(run.ensemble(7)).sum()
    qtbot.waitUntil(lambda: np.isclose(sum(shown_figures(tab)["total_gain"].values()), expected))


def test_a_heading_orders_and_a_column_is_selected(qtbot, tab_of):
    tab = tab_of(made_session(4))
    page = tab.page
    qtbot.waitUntil(lambda: page.list.model.rowCount() > 0)
    for name in ("count", "cover"):
        _click_heading(qtbot, page.list, name)
        figures = list(shown_figures(tab)[name].values())
        assert figures == sorted(figures, reverse=True)
    rect = page.list.list.visualRect(page.list.model.index(1))
    qtbot.mouseClick(page.list.list.viewport(), LEFT, pos=rect.center())
    assert tab._bench.session.shown.selection.column == page.list.model.name(1)


def _click_heading(qtbot, kinds, name):
    place = [column.name for column in kinds.model.columns].index(name)
    begin, end = slots(kinds.model, kinds.head.width())[1][place]
    qtbot.mouseClick(kinds.head, LEFT, pos=QPoint(
        round((begin + end) / 2), kinds.head.height() // 2))


MARKED = {
    "importance": lambda page: page.list.model.name(page.list.list.currentIndex().row()),
    "shap": lambda page: page.swarm.model.name(page.swarm.list.currentIndex().row()),
    "rivals": lambda page: page.matrix.scene.selected,
    "waterfall": lambda page: page._found_of.schema.names[page.fall.scene.chosen],
}


@pytest.mark.parametrize("name", MARKED)
def test_the_column_chosen_last_is_marked_while_an_answer_is_not_known(qtbot, tab_of, name, monkeypatch):
    session = made_session(6)
    tab = tab_of(session)
    tab.choose(name)
    qtbot.waitUntil(lambda: getattr(tab.page, "found" if name == "rivals" else "_found") is not None)
    monkeypatch.setattr(tab._bench.explaining, "ask", lambda _question: None)
    session.shown.select(round=5)
    for column in ("thal", "age"):
        session.shown.select(column=column)
        assert MARKED[name](tab.page) == column


@pytest.mark.parametrize("page", ["importance", "waterfall"])
def test_lines_over_rounds_follow_the_theme(qtbot, tab_of, page):
    tab, app = tab_of(made_session(6)), QApplication.instance()
    tab.choose(page)
    qtbot.waitUntil(lambda: page in tab.pages)
    board = tab.page.board

    def shows(token):
        picture = board.grab().toImage()
        colors = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
        return [one.name for one in (LIGHT, DARK) if one.color(token).rgb() in colors]

    qtbot.waitUntil(lambda: board.isVisible() and shows("category0") == ["light"])
    try:
        set_theme(app, "dark")
        tab.restyle()
        qtbot.waitUntil(lambda: all(part.updatesEnabled() for part in tab.findChildren(QWidget)))
        assert shows("category0") == ["dark"]
    finally:
        set_theme(app, None)


def test_the_rows_are_chosen_for_all_pages(qtbot, tab_of):
    session = made_session()
    tab = tab_of(session)
    assert tab.rows_box.isEnabled()
    assert session.explained.choices == ("holdout", "training")
    rows = session.explained.subject.rows
    assert rows.take(100).features.shape == (19, 4)
    assert session.explained.subject.rows is rows
    session.explained.choose(rows="training")
    few = session.explained.subject.rows.take(7)
    more = session.explained.subject.rows.take(11)
    assert (few.total, len(few.features), few.is_sample) == (40, 7, True)
    assert set(few.table_rows) < set(more.table_rows)


def test_the_figures_go_out(tab_of, qtbot, tmp_path):
    tab = tab_of(made_session())
    qtbot.waitUntil(lambda: "permutation" in shown_figures(tab))
    tab.save_csv(tmp_path / "importance.csv")
    head, first = (tmp_path / "importance.csv").read_text("utf-8").splitlines()[:2]
    assert head == "feature,total_gain,gain,total_cover,cover,count,permutation,permutation_spread"
    assert first.split(",")[0] == tab.page.list.model.name(0)
    tab.save_picture(tmp_path / "importance.png")
    assert (tmp_path / "importance.png").stat().st_size > 1000


def test_columns_are_permuted_among_the_rows_that_are_explained(qtbot, tab_of):
    session = made_session(4)
    tab = tab_of(session)
    run = session.shown.run
    for name, rows in (("holdout", run.dataset.valid_rows), ("training", run.dataset.train_rows)):
        session.explained.choose(rows=name)
        words = f"gets worse on {len(rows)} rows"
        qtbot.waitUntil(lambda words=words: words in tab.page.phrase.text())
        score = Evaluator("logistic", run.params, ("no", "yes")).score("logloss", run.dataset.target[rows])
        losses = permuted_losses(run.ensemble(4), run.dataset.features[rows], score, higher_is_better=False)
        expected = dict(zip(run.schema.names, losses.mean.tolist(), strict=True))
        assert shown_figures(tab)["permutation"] == pytest.approx(expected)


def test_of_a_ranking_whole_queries_are_permuted(qtbot, tab_of, monkeypatch):
    monkeypatch.setattr("workbench.session.explained.permutation_asked.MOST_ROWS", 12)
    session = made_session(4)
    run = session.shown.run
    data = run.dataset = replace(run.dataset, groups=np.arange(len(run.dataset.target)) // 5)
    rows = session.explained.subject.rows.take_queries(12)
    assert 0 < len(rows.groups) <= 12
    own = data.groups[data.valid_rows]
    assert all((rows.groups == query).sum() == (own == query).sum() for query in rows.groups)
    monkeypatch.setattr(type(run), "ensemble", lambda _run, n, of=run.ensemble: replace(
        of(n), objective="lambdarank"))
    session.explained.choose(rows="training")
    tab = tab_of(session)
    qtbot.waitUntil(lambda: "by how much NDCG gets worse" in tab.page.phrase.text())
    assert max(shown_figures(tab)["permutation"].values()) > 0


def test_a_metric_that_is_not_defined_is_said(qtbot, tab_of):
    session = made_session(4)
    run = session.shown.run
    run.dataset = replace(run.dataset, weight=np.zeros(len(run.dataset.target)))
    tab = tab_of(session)
    qtbot.waitUntil(lambda: "logloss is not defined on 19 rows" in tab.page.phrase.text())
    assert "permutation" not in shown_figures(tab)


def test_what_is_left_out_of_bag_is_said(qtbot, tab_of, monkeypatch):
    monkeypatch.setattr("workbench.session.explained.importance_asked.MOST_PERMUTED", 100)
    session = made_session(4)
    run = session.shown.run
    run.params = run.params.change(method="forest", subsample=0.5)
    tab = tab_of(session)
    qtbot.waitUntil(lambda: "Permuted out of bag is left out" in tab.page.phrase.text())
    assert "out_of_bag" not in shown_figures(tab)


def test_a_model_without_rows_has_importance_but_nothing_to_permute(qtbot, tab_of):
    session = made_session(4)
    session.shown.run.dataset = None
    session.data.table = None
    tab = tab_of(session)
    qtbot.waitUntil(lambda: "total_gain" in shown_figures(tab))
    assert "permutation" not in shown_figures(tab)
    assert "Permutation" not in tab.page.phrase.text()


def test_pages_that_nobody_has_asked_for_are_made_ahead(qtbot, tab_of):
    tab = tab_of(made_session())
    qtbot.waitUntil(lambda: set(tab.pages) == {kind.name for kind in PAGES})
    assert tab.page.name == "importance"


def test_the_line_of_a_spread_ends_before_the_figures():
    values, spread = np.array([0.01, 0.008, -0.1]), np.array([0.001, 0.05, 9.0])
    model = KindModel()
    model.show(["a", "b", "c"], [KindColumn("permutation", "Permutation", values, spread)], "permutation")
    (begin, end), unit = slots(model, 300.0)[1][0], slots(model, 300.0).units[0]
    assert begin + 1 + 0.058 * unit <= end - GAP - width(figure(0.01, 3), NOTE)


def test_a_bar_ends_before_its_figure_and_the_list_after_a_whole_line(qtbot):
    model = KindList()
    values = np.array([9_876_543.0, 5_000_000.0, 1.0] + [0.5] * 30)
    model.show_kinds([f"x{place}" for place in range(33)], [KindColumn("cover", "Cover", values)], "cover")
    qtbot.addWidget(model)
    model.show()
    for high in (200, 217):
        model.resize(260, high)
        assert model.list.viewport().height() % model.list.sizeHintForRow(0) == 0
    picture = model.list.viewport().grab().toImage()
    (begin, end), blue = slots(model.model, model.list.viewport().width())[1][0], theme().color("train").rgb()
    bar = [x for x in range(int(begin), int(end)) if picture.pixel(x, 13) == blue]
    assert len(bar) > 5
    assert bar[-1] < end - GAP - width(figure(9_876_543.0, 3), NOTE)
