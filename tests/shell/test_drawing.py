"""Drawing in the window: from an empty window to a project with its points, and back to it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt

from tests.shell.test_projects import open_project, save_as
from tests.shell.test_whole_job import LONG
from workbench.app import build_window
from workbench.shell.settings import Settings

LEFT = Qt.MouseButton.LeftButton


def settle(qtbot, window):
    desk, session = window.bench.playground, window.session
    qtbot.waitUntil(lambda: session.shown.run is not None and not desk.is_busy, timeout=LONG)


def draw(qtbot, window):
    window.session.hyperparameters.change(rounds=4, max_depth=2)
    window.actions_by_name["draw"].trigger()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.frame.centre.current == "playground")
    return window.frame.centre.view("playground").page.plot


def test_from_the_menu_to_a_run_that_every_view_takes(window, qtbot):
    plot = draw(qtbot, window)
    session = window.session
    assert window.frame.left.current == "draw"
    assert session.data.table.name == "Drawing, moons"
    run = session.shown.run
    assert len(run.rounds) == 4
    window.frame.centre.show_view("tree")
    window.frame.bottom.show_view("node")
    session.shown.select(round=2, node=0)
    findings = window.bench.explainer
    from workbench.workers.explainer import NodeSubject

    subject = NodeSubject(run, 2, 0, 0)
    qtbot.waitUntil(lambda: findings.findings(subject) is not None, timeout=LONG)
    window.frame.centre.show_view("playground")
    assert not plot.sentence


def test_a_project_keeps_the_points_and_what_was_done_to_them(window, qtbot, tmp_path, monkeypatch, qapp):
    plot = draw(qtbot, window)
    session = window.session
    before = session.playground.drawing
    start = plot.place_of(5).toPoint()
    qtbot.mousePress(plot, LEFT, pos=start)
    plot.dragged.emit(*plot.value_at(start + QPoint(40, 0)))
    qtbot.mouseRelease(plot, LEFT, pos=start + QPoint(40, 0))
    settle(qtbot, window)
    drawn, run = session.playground.drawing, session.shown.run
    assert drawn is not before
    save_as(qtbot, window, monkeypatch, tmp_path / "drawn")
    other = build_window(qapp, Settings(tmp_path / "others"))
    try:
        other.warmup.start()
        open_project(qtbot, other, tmp_path / "drawn.workbench")
        points = other.session.playground.drawing
        assert points.record() == drawn.record()
        again = other.session.shown.run
        assert again.rounds[3].trees[0].nodes.tobytes() == run.rounds[3].trees[0].nodes.tobytes()
        other.session.journal.undo()
        assert other.session.playground.drawing.record() == before.record()
        assert other.session.data.table.column("x").values[5] == before.x[5]
        other.bench.playground.retrain("Train again")
        settle(qtbot, other)
    finally:
        other.close()
        other.deleteLater()
