"""Projects in the window: saving, opening, and what a sitting that was never saved leaves."""

from __future__ import annotations

import shutil
import tempfile

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton

import workbench
from tests.own_files import file_with
from tests.session.test_command_line import METRIC, OBJECTIVE
from tests.shell.test_whole_job import LONG, click, open_and_wait, train_to_the_end
from workbench.app import build_window
from workbench.data.samples import sample_file
from workbench.session.project.read import read_project
from workbench.session.run import RunState
from workbench.shell.settings import Settings
from workbench.views.own_files.consent import Consent


def sittings(tmp_path):
    return sorted((tmp_path / "settings" / "sittings").glob("*.workbench"))


def save_as(qtbot, window, monkeypatch, path, kind="Project (*.workbench)"):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), kind))
    with qtbot.waitSignal(window.projects.saved, timeout=LONG):
        window.actions_by_name["save_as"].trigger()


def open_project(qtbot, window, path, elsewhere=None):
    with qtbot.waitSignal(window.documents.opened_project, timeout=LONG):
        window.documents.open(path, None, elsewhere)
    qtbot.waitUntil(lambda: not window.frame.on_welcome)


def test_saved_and_opened_again_with_everything(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window, sample_file("penguins"))
    session, title = window.session, window.frame.top_bar.title
    assert not title.text.startswith("•")
    session.data.set_role("island", "ignore")
    assert title.text.startswith("• penguins.csv")
    train_to_the_end(qtbot, window, rounds=6)
    made = session.branch(session.shown.run, 3, learning_rate=0.5)
    window.actions_by_name["go_on"].trigger()
    qtbot.waitUntil(lambda: made.state is RunState.ENDED, timeout=LONG)
    window.frame.centre.show_view("ensemble")
    save_as(qtbot, window, monkeypatch, tmp_path / "p")
    assert title.text.startswith("p.workbench")
    path = tmp_path / "p.workbench"
    session.runs.write_on(made, note="so")
    assert title.text.startswith("• p.workbench")
    assert window.windowTitle() == "• p.workbench – Boosting Workbench"
    with qtbot.waitSignal(window.projects.saved, timeout=LONG):
        window.actions_by_name["save"].trigger()
    kept = [run.kept().model for run in session.runs]

    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("nile_flow"))
    open_project(qtbot, window, path)
    qtbot.waitUntil(lambda: window.frame.centre.current == "ensemble")
    runs = session.runs
    qtbot.waitUntil(lambda: all(run.dataset is not None for run in runs), timeout=LONG)
    session.shown.show(runs[0])
    session.shown.select(round=2)
    session.shown.show(runs[1])
    assert not title.text.startswith("•"), "nothing was changed"
    assert window.windowTitle() == "p.workbench – Boosting Workbench"
    assert [run.kept().model.history for run in runs] == [model.history for model in kept]
    assert runs[1].card.note == "so"
    assert session.data.plan.roles["island"] == "ignore"
    assert window.actions_by_name["undo"].text() == "Undo: Note on run 2"
    session.journal.go_to(1)
    assert session.data.plan.roles["island"] == "feature"
    session.journal.go_to(99)
    before = len(runs[1].rounds)
    session.hyperparameters.change(rounds=before + 2)
    window.actions_by_name["go_on"].trigger()
    qtbot.waitUntil(lambda: len(runs[1].rounds) == before + 2, timeout=LONG)
    assert any(file.is_project for file in window.documents.recent.entries())


def test_a_sitting_that_was_not_saved_is_gone_on_with(window, qtbot, tmp_path):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=4)
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("nile_flow"))
    assert "penguins.csv with 1 run is kept" in window.session.notices.current.text
    (path,) = sittings(tmp_path)
    window.pages.show_welcome()
    rows = window.frame.welcome
    qtbot.waitUntil(lambda: "Go on with penguins.csv" in names_of(rows), timeout=LONG)
    assert "1 run, 4 rounds, not saved" in names_of(rows)
    row = next(row for row in rows.findChildren(object) if getattr(row, "sitting", None))
    with qtbot.waitSignal(window.documents.opened_project, timeout=LONG):
        click(qtbot, row.row)
    assert len(window.session.shown.run.rounds) == 4
    qtbot.waitUntil(lambda: sittings(tmp_path) not in ([], [path]), timeout=LONG)
    assert window.projects.has_unsaved
    window.close()
    (path,) = sittings(tmp_path)
    assert len(read_project(path).runs[1].rounds) == 4


def names_of(welcome) -> str:
    return " ".join(child.accessibleName() for child in welcome.findChildren(object) if child.isWidgetType())


def test_one_can_be_discarded(window, qtbot, tmp_path):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=2)
    with qtbot.waitSignal(window.documents.opened, timeout=LONG):
        window.open_path(sample_file("nile_flow"))
    window.pages.show_welcome()
    qtbot.waitUntil(lambda: "Discard what" in names_of(window.frame.welcome), timeout=LONG)
    row = next(row for row in window.frame.welcome.findChildren(object) if getattr(row, "sitting", None))
    click(qtbot, row.drop)
    qtbot.waitUntil(lambda: not sittings(tmp_path), timeout=LONG)


def test_what_is_trained_is_on_the_disk_while_it_trains(window, qtbot, tmp_path, monkeypatch):
    """As a crash would find it: the window is not asked. Writing gives way, but not for long."""
    monkeypatch.setattr("workbench.workers.playground_desk.PlaygroundDesk.is_awaited", True)
    open_and_wait(qtbot, window, sample_file("penguins"))
    window.session.hyperparameters.change(rounds=100_000)
    click(qtbot, window.frame.transport.primary_button)
    qtbot.waitUntil(lambda: len(window.session.shown.run.rounds) > 20, timeout=LONG)
    click(qtbot, window.frame.transport.primary_button)  # pauses: thousands of rounds tell no more
    qtbot.waitUntil(lambda: len(rounds_on_disk(tmp_path)) > 20, timeout=LONG)
    window.actions_by_name["stop"].trigger()
    qtbot.waitUntil(lambda: window.session.shown.run.state is RunState.ENDED, timeout=LONG)
    window.close()
    assert len(rounds_on_disk(tmp_path)) == len(window.session.shown.run.rounds)


def rounds_on_disk(tmp_path):
    found = sittings(tmp_path)
    copy = tmp_path / "copy.workbench"
    if not found:
        return []
    shutil.copy(found[0], copy)
    try:
        return read_project(copy).runs[1].rounds
    except (workbench.WorkbenchError, KeyError):
        return []


def test_saved_work_leaves_no_sitting(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=2)
    save_as(qtbot, window, monkeypatch, tmp_path / "p.workbench")
    window.close()
    assert sittings(tmp_path) == []


def test_a_table_that_moved_is_asked_for(window, qtbot, tmp_path, monkeypatch):
    shutil.copy(sample_file("penguins"), tmp_path / "t.csv")
    open_and_wait(qtbot, window, tmp_path / "t.csv")
    train_to_the_end(qtbot, window, rounds=2)
    save_as(qtbot, window, monkeypatch, tmp_path / "p.workbench")
    (tmp_path / "t.csv").rename(tmp_path / "u.csv")
    open_project(qtbot, window, tmp_path / "p.workbench")
    notice = window.session.notices.lasting
    assert (notice.offers_table, notice.text.startswith("t.csv is not where it was")) == (True, True)
    assert len(window.session.shown.run.rounds) == 2
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(tmp_path / "u.csv"), ""))
    with qtbot.waitSignal(window.documents.opened_project, timeout=LONG):
        window.files.find_table()
    qtbot.waitUntil(lambda: window.session.shown.run.dataset is not None, timeout=LONG)
    rows_before = len(window.session.shown.run.dataset.target)
    with (tmp_path / "u.csv").open("a") as file:
        file.write("Adelie,Biscoe,39,18,190,3700,male,2009\n")
    open_project(qtbot, window, tmp_path / "p.workbench", tmp_path / "u.csv")
    assert window.session.notices.lasting.offers_changed
    assert window.session.shown.run.dataset is None
    window.session.notices.say("Something else.")
    window.actions_by_name["go_on"].trigger()
    offered = [b for b in window.frame.notice.findChildren(QPushButton) if b.text() == "Use it all the same"]
    assert offered, "the question stays until it is answered"
    click(qtbot, offered[-1])
    qtbot.waitUntil(lambda: window.session.notices.current is not None, timeout=LONG)
    assert "The rows of Run 1 are others in u.csv now" in window.session.notices.current.text
    assert window.session.notices.lasting is None
    known = window.session.shown.run
    train_to_the_end(qtbot, window, rounds=2)
    run = window.session.shown.run
    assert (run.name, len(run.rounds), len(run.dataset.target)) == ("Run 2", 2, rows_before + 1)
    window.session.shown.show(known)
    window.actions_by_name["go_on"].trigger()
    assert "rows" in window.session.notices.current.text
    assert len(known.rounds) == 2


def test_a_second_window_has_a_copy(window, qtbot, tmp_path, monkeypatch, qapp):
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=2)
    save_as(qtbot, window, monkeypatch, tmp_path / "p.workbench", "Project with its table (*.workbench)")
    other = build_window(qapp, Settings(tmp_path / "other"))
    qtbot.addWidget(other)
    open_project(qtbot, other, tmp_path / "p.workbench")
    assert "open in another window" in other.session.notices.current.text
    assert other.projects.path is None
    other.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t" * 240, "🌲" * 60])
def test_the_sitting_of_a_table_with_a_long_name_is_kept(name, window, qtbot, tmp_path):
    path = tmp_path / f"{name}.csv"
    shutil.copy(sample_file("penguins"), path)
    open_and_wait(qtbot, window, path)
    train_to_the_end(qtbot, window, rounds=2)
    window.close()
    (kept,) = sittings(tmp_path)
    assert len(read_project(kept).runs[1].rounds) == 2


@pytest.mark.slow
def test_a_sitting_is_kept_elsewhere_where_the_settings_cannot_be_written(
    window, qtbot, tmp_path, monkeypatch
):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "settings").mkdir(exist_ok=True)
    (tmp_path / "settings" / "sittings").write_text("a file in the way")
    open_and_wait(qtbot, window, sample_file("penguins"))
    train_to_the_end(qtbot, window, rounds=2)
    qtbot.waitUntil(lambda: window.session.notices.lasting is not None, timeout=LONG)
    assert "It is kept in" in window.session.notices.lasting.text
    window.close()
    (kept,) = (tmp_path / "temporary").glob("*.workbench")
    assert len(read_project(kept).runs[1].rounds) == 2


def test_keys_of_projects(window):
    names = ("save", "save_as", "export")
    keys = {name: window.actions_by_name[name].shortcut().toString() for name in names}
    assert keys == {"save": "Ctrl+S", "save_as": "Ctrl+Shift+S", "export": "Ctrl+E"}


def test_no_two_actions_have_one_key(window):
    keys = [action.shortcut().toString() for action in window.actions_by_name.values()]
    assert sorted(key for key in keys if keys.count(key) > 1 and key) == []


@pytest.mark.parametrize("changed", [False, True])
def test_own_files_of_a_project_are_run_again_when_the_person_says_so(window, qtbot, tmp_path, changed):
    loss = file_with(tmp_path, OBJECTIVE, "loss.py")
    study = workbench.Study(sample_file("nile_flow"), target="flow_1e8_m3", valid_fraction=0.25)
    study.use(loss)
    study.use(file_with(tmp_path, METRIC, "over.py"), "metric")
    study.train(rounds=3, max_depth=2, more_metrics=("over",))
    study.save(tmp_path / "p.workbench")
    if changed:
        file_with(tmp_path, f"{OBJECTIVE}# other", "loss.py")
    open_project(qtbot, window, tmp_path / "p.workbench")
    session = window.session
    qtbot.waitUntil(lambda: session.notices.current is not None, timeout=LONG)
    state = "changed since" if changed else "unchanged"
    assert f"loss.py ({state}) and over.py (unchanged)" in session.notices.current.text
    assert session.own_files.files == (), "nothing is run without asking"
    run = session.shown.run
    qtbot.waitUntil(lambda: run.dataset is not None, timeout=LONG)
    button = next(b for b in window.findChildren(QPushButton) if b.text() == "Run again" and b.isVisible())
    click(qtbot, button)
    if changed:
        qtbot.waitUntil(lambda: bool(window.findChildren(Consent)))
        click(qtbot, window.findChildren(Consent)[0].run_button)
    qtbot.waitUntil(lambda: len(session.own_files.files) == 2, timeout=LONG)
    window.actions_by_name["go_on"].trigger()
    qtbot.waitUntil(lambda: not run.is_live and len(run.rounds) > 3, timeout=LONG)
    assert session.notices.current is None or session.notices.current.severity != "error"
    told = session.journal.lines[-2].action.words
    assert (told == "Use the objective of loss.py") == changed
