"""The left dock in which a run is set up and steered: every parameter, by group."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME, GROUPS, PARAMETERS
from workbench.session.branching import why_fixed
from workbench.session.refusal import refusal
from workbench.session.run import RunState
from workbench.session.run_parts.gain_reach import gain_reach
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls import parameter_words as words
from workbench.views.controls.dock_scroll import DockScroll
from workbench.views.controls.label import Label
from workbench.views.controls.method_choice import MethodChoice
from workbench.views.controls.objective_choice import ObjectiveChoice
from workbench.views.controls.parameter_group import ParameterGroup
from workbench.views.controls.parameter_row import PADDING
from workbench.views.controls.search_words import is_sought, texts_of
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.own_files.choice import OwnFileChoice
from workbench.views.pace import FIRST_ROUND_MS, Pace, once_painted
from workbench.views.turns.in_turns import InTurns
from workbench.views.turns.own_events import in_own_event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QShowEvent

    from workbench.parameters.spec import Parameter
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run
    from workbench.session.session import Session


@VIEWS.register
class ParameterForm(LazyView):
    """Rows made from the declarations; what the person sets goes to the session."""

    name = "parameters"
    title = "Parameters"
    place = "left"
    order = 20

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._session = bench.session
        self._offered: tuple[str, ...] = ()
        self._method = MethodChoice(bench.session)
        self._objective = ObjectiveChoice(bench.session)
        self.own_files = OwnFileChoice(bench)
        self._groups = [ParameterGroup(group, _declared(group)) for group in GROUPS if _declared(group)]
        self._rows = {name: row for group in self._groups for name, row in group.rows.items()}
        self._search = self._build_search()
        self._nothing = self._build_nothing()
        self._build()
        self._follow_session()

    def _follow_session(self) -> None:
        for row in self._rows.values():
            row.changed.connect(self._write)
        for group in self._groups:
            group.built.connect(self._order_keys)
        self._order_keys()
        events = self._session.events
        for signal in (events.plan, events.table, events.params):
            signal.connect(self._offer_metrics)
        self._offer_metrics()
        self._in_turns = InTurns(self._show_rows, self, self._content)
        self._soon = once_painted(self.synchronize, self, FIRST_ROUND_MS)
        self._was_live = False
        Pace(self._session, self._follow, self)
        for signal in (events.params, events.plan, events.table, events.state, events.runs):
            signal.connect(self._follow)
        self.synchronize()

    def _follow(self) -> None:
        """Synchronize; a moment later where a run begins, for its first round is waited for.

        Of a run that trains or just ended in an event of its own: all other views follow it too.
        """
        run = self._session.hyperparameters.run
        is_live = run is not None and run.is_live
        just_ended, self._was_live = self._was_live and not is_live, is_live
        if run is not None and run.state is RunState.PREPARING and not self._soon.isActive():
            self._soon.start()
        if not is_live:
            self._soon.stop()
        if just_ended or (is_live and not self._soon.isActive()):
            in_own_event(self.synchronize, self)
        elif not is_live:
            self.synchronize()

    def synchronize(self) -> None:
        if not self.isVisible():
            return
        self._in_turns.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up once the others that come to be seen with it are laid out."""
        super(LazyView, self).showEvent(event)
        self._in_turns.start_soon()

    def get_ready(self) -> Iterator[None]:
        """Bring the rows up to date that nobody has seen yet."""
        yield from self._show_rows()

    def _show_rows(self) -> Iterator[None]:
        """Bring the rows up to date, one a step."""
        session = self._session
        run = session.hyperparameters.run
        is_live = run is not None and run.is_live
        clash, refused = session.clash, refusal(run) if run else None
        wanted = session.hyperparameters.wanted
        self._rows["gamma"].reach(gain_reach(session.shown.run))
        for name, row in self._rows.items():
            row.set_home(row.declared.default_of(wanted.method))
            row.set_value(getattr(wanted, name))
            row.set_locked(words.locked_note(row.declared) if is_live and not row.declared.live else "")
            if clash is not None and name in (clash.one, clash.other):
                row.set_note(clash.text, "error")
            elif refused is not None and name == refused.parameter:
                row.set_note(refused.words, "warning")
            else:
                tells = run is not None and row.declared.is_of(wanted.method)
                row.set_note(run_note(session, run, row.declared, wanted) if run and tells else "")
            yield
        self._objective.set_note(clash.text if clash and "objective" in (clash.one, clash.other) else "")
        for group in self._groups:
            group.show_method(wanted.method)
            yield

    def _order_keys(self) -> None:
        """Let Tab go from top to bottom, whatever was built last."""
        parts = [self._search, *(part for group in self._groups for part in group.parts)]
        for one, next_one in pairwise(parts):
            self.setTabOrder(one, next_one)

    def holds_run(self, go: Callable[[], object]) -> bool:
        """Let a run wait until the person's own files are looked at again."""
        return self.own_files.holds_run(go)

    def _offer_metrics(self) -> None:
        """Let those be watched that fit the objective, and those that the person asked for by name."""
        facts, ranks = self._session.planned, self._session.data.plan.has_groups
        fitting = (metric.name for metric in facts.metrics)
        asked = self._session.hyperparameters.wanted.more_metrics
        more = (name for name in asked if facts.takes(name, ranks))
        named = (BY_NAME["metric"].default, *fitting, *more)
        offered = tuple(dict.fromkeys(named))
        if offered != self._offered:
            self._offered = offered
            self._rows["metric"].set_choices(offered)

    def _write(self, name: str, value: Any) -> None:
        self._session.hyperparameters.change(**{name: value})

    def _seek(self, words: str) -> None:
        """Show the parameters that the words are about, whatever else is folded away."""
        found = [group.seek(words) for group in self._groups]
        for part in (self._method, self._objective, self.own_files):
            part.setVisible(is_sought(part.texts, words))
            found.append(not part.isHidden())
        self._nothing.setVisible(not any(found))
        self._nothing.setText(_not_found(words.strip()))

    def _build_search(self) -> QLineEdit:
        search = _SearchField()
        search.setPlaceholderText("Find a parameter")
        search.setAccessibleName("Find a parameter")
        search.setClearButtonEnabled(True)
        set_tip(search, "By name, symbol or purpose; names of XGBoost, LightGBM and scikit-learn work too.")
        search.textChanged.connect(self._seek)
        return search

    def _build_nothing(self) -> Label:
        label = Label()
        label.setWordWrap(True)
        label.setContentsMargins(PADDING, 0, PADDING, 0)
        set_look(label, tone="2")
        label.hide()
        return label

    def _build(self) -> None:
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, PADDING, 0, PADDING)
        column.setSpacing(PADDING)
        head = QVBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._method)
        head.addWidget(self._objective)
        head.addWidget(self.own_files)
        column.addLayout(head)
        line = QHBoxLayout()
        line.setContentsMargins(PADDING, 0, PADDING, 0)
        line.addWidget(self._search)
        column.addLayout(line)
        column.addWidget(self._nothing)
        for group in self._groups:
            column.addWidget(group)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(DockScroll(self._content))


class _SearchField(QLineEdit):
    keeps_typing = True


def run_note(session: Session, run: Run, declared: Parameter, wanted: TrainingParams) -> str:
    """Say what is, or would be, another value than the run's that is set up, or than the shown one's."""
    changed = change_note(run, declared, getattr(wanted, declared.name))
    shown = session.shown.run
    if changed or shown is None or shown is run:
        return changed
    value = getattr(shown.params_in_force, declared.name)
    if value == getattr(wanted, declared.name):
        return ""
    return f"{words.value_text(declared, value)} in {shown.name}, which is shown"


def change_note(run: Run, declared: Parameter, wanted: Any) -> str:
    """Say since when, or from when on, a run has another value; "" where it never changed."""
    in_force = getattr(run.params_in_force, declared.name)
    if wanted != in_force and not run.is_live:
        is_free = run.dataset is not None and not why_fixed(declared.name)
        branch = " or branch" if is_free else ""
        return f"{_change(declared, in_force, wanted)} in the next run{branch}"
    if wanted != in_force and declared.live:
        wait = ", on Resume" if run.state is RunState.PAUSED else ""
        return f"{_change(declared, in_force, wanted)} from round {len(run.rounds) + 1}{wait}"
    changes = [change for change in run.changes if change.name == declared.name]
    if not changes:
        return ""
    last = changes[-1]
    return f"{_change(declared, last.old, last.new)} since round {last.round}"


def _change(declared: Parameter, old: Any, new: Any) -> str:
    return f"{words.value_text(declared, old)} → {words.value_text(declared, new)}"


def _not_found(words: str) -> str:
    """Say that the method has no parameter of this name, and which methods have one."""
    known = next((p for p in PARAMETERS if p.methods and is_sought(texts_of(p), words)), None)
    if known is None:
        return f"No parameter is called “{words}”."
    having = ", ".join(METHODS[name].label for name in known.methods)
    return f"“{known.label}” is a parameter of other methods: {having}."


def _declared(group: str) -> tuple[Parameter, ...]:
    chosen_above = (BY_NAME["method"], BY_NAME["objective"])
    return tuple(p for p in PARAMETERS if p.group == group and p not in chosen_above)
