"""Every action of the window with its words, shortcut and menu, in one table."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenuBar, QWidget


@dataclass(frozen=True)
class ActionSpec:
    """One action; `method` is what it calls of the window, or of one of its parts."""

    name: str
    menu: str
    text: str
    method: str
    shortcut: str = ""
    checkable: bool = False
    tip: str = ""


ACTIONS = (
    ActionSpec("open", "File", "Open…", "files.open", "Ctrl+O", tip="Open a table or a model"),
    ActionSpec("open_with", "File", "Open with options…", "files.open_with_options", "Ctrl+Alt+O",
               tip="Open a table, and say how it is read"),
    ActionSpec("open_folder", "File", "Open folder…", "files.open_folder", "Ctrl+Shift+F",
               tip="Open the CSV files of a folder as one table"),
    ActionSpec("open_there", "File", "Open on a cluster…", "frame.transport.until_button.open_where",
               tip="Connect to a cluster, and open a table that stays there"),
    ActionSpec("welcome", "File", "Samples and recent files", "pages.show_welcome", "Ctrl+Shift+O"),
    ActionSpec("save", "File", "Save project", "projects.save", "Ctrl+S",
               tip="Save table, runs and history, to go on with"),
    ActionSpec("save_as", "File", "Save project as…", "projects.save_as", "Ctrl+Shift+S"),
    ActionSpec("export", "File", "Export model…", "files.export_model", "Ctrl+E",
               tip="Save the model, as JSON or as code"),
    ActionSpec("history", "File", "Export history as CSV…", "files.export_history"),
    ActionSpec("score", "File", "Score a table…", "scoring.choose_table", "Ctrl+Shift+P",
               tip="Predict the rows of another table with the shown model"),
    ActionSpec("score_there", "File", "Score on a cluster…", "frame.transport.until_button.open_where",
               tip="Predict the rows of a table that stays on a cluster"),
    ActionSpec("harmless", "File", "Formulas harmless in CSV files and copies", "make_formulas_harmless", "",
               True, "Text that begins like a formula gets an apostrophe, so that no spreadsheet runs it"),
    ActionSpec("quit", "File", "Quit", "close", "Ctrl+Q"),
    ActionSpec("undo", "Edit", "Undo", "undoing.undo", "Ctrl+Z",
               tip="Take back what was done last"),
    ActionSpec("redo", "Edit", "Redo", "undoing.redo", "Ctrl+Shift+Z",
               tip="Do again what was taken back last"),
    ActionSpec("paste", "Edit", "Paste a table", "files.paste", "Ctrl+V",
               tip="Open the cells that were copied in a spreadsheet"),
    ActionSpec("reset_params", "Edit", "Reset all parameters", "session.hyperparameters.reset"),
    ActionSpec("train", "Run", "Train, pause or resume", "runs.primary", "Ctrl+Return"),
    ActionSpec("step", "Run", "Step one round", "runs.step", "Ctrl+Right"),
    ActionSpec("stop", "Run", "Stop, keep the model", "runs.stop", "Ctrl+."),
    ActionSpec("go_on", "Run", "Continue the run", "runs.go_on", "Ctrl+Alt+Return",
               tip="Grow more rounds of it"),
    ActionSpec("branch", "Run", "Continue from here", "runs.branch", "Ctrl+Shift+B",
               tip="Branch off at the round of the ruler, with the parameters of now; the run stays"),
    ActionSpec("new_run", "Run", "Start a new run", "runs.start", "Ctrl+Shift+Return"),
    ActionSpec("compare_orders", "Run", "Compare first and second order", "runs.compare_orders",
               tip="Train the shown run by the other of Newton's and Friedman's boosting; see both curves"),
    ActionSpec("folds", "Run", "Folds and noise floor…", "runs.open_folds", "Ctrl+Shift+K",
               tip="Cross-validate the shown run, and see what chance alone would move"),
    ActionSpec("breakpoints", "Run", "Run until, and breakpoints…", "frame.transport.until_button.open_panel",
               "Ctrl+Shift+U", tip="Say how far to run, and what pauses a run"),
    ActionSpec("earlier_run", "Run", "Show the run before", "runs.show_earlier", "Ctrl+PgUp"),
    ActionSpec("later_run", "Run", "Show the run after", "runs.show_later", "Ctrl+PgDown"),
    ActionSpec("draw", "View", "Playground", "pages.draw", "Ctrl+D",
               tip="Draw points, and see each tree at work on them or on two columns of the table"),
    ActionSpec("left", "View", "Left panel", "docks.toggle_left", "Ctrl+B", True,
               "Show or hide the left panel"),
    ActionSpec("bottom", "View", "Inspector", "docks.toggle_bottom", "Ctrl+J", True,
               "Show or hide the inspector"),
    ActionSpec("next_dock", "View", "Next panel", "docks.focus_next", "F6"),
    ActionSpec("projector", "View", "Projector", "projector.toggle", "F11", True,
               "Letters, rows and lines for the last row of a lecture hall; the same key goes back"),
    ActionSpec("light", "View", "Light", "scheme.use_light", checkable=True),
    ActionSpec("dark", "View", "Dark", "scheme.use_dark", checkable=True),
    ActionSpec("system", "View", "Follow the system", "scheme.use_system", checkable=True),
    ActionSpec("shortcuts", "Help", "Keys and words", "show_help", "F1"),
    ActionSpec("about", "Help", "About", "show_about"),
)
MENUS = ("File", "Edit", "Run", "View", "Help")


def build_actions(window: QWidget) -> dict[str, QAction]:
    """Make the window's actions."""
    made = {}
    for spec in ACTIONS:
        action = QAction(spec.text, window)
        action.setCheckable(spec.checkable)
        set_tip(action, f"{spec.tip or spec.text} {spec.shortcut}".strip())
        if spec.shortcut:
            action.setShortcut(QKeySequence(spec.shortcut))
        made[spec.name] = action
        window.addAction(action)
    return made


def connect_actions(actions: dict[str, QAction], window: QWidget) -> None:
    """Let each action call its method, once the window's parts are there."""
    for spec in ACTIONS:
        actions[spec.name].triggered.connect(attrgetter(spec.method)(window))


def fill_menus(bar: QMenuBar, actions: dict[str, QAction]) -> None:
    """Put the actions into their menus."""
    for title in MENUS:
        menu = bar.addMenu(title)
        for spec in ACTIONS:
            if spec.menu == title:
                menu.addAction(actions[spec.name])
