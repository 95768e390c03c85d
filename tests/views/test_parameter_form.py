"""The dock of parameters: what is set goes to the session, and what a live run fixes is locked."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QScrollArea

from tests.views.made_forest import made_bench
from workbench.data.table import Column, Table
from workbench.parameters.training import PARAMETERS
from workbench.session.objective_facts import known_objectives
from workbench.session.plan import Plan
from workbench.session.run import RunState
from workbench.session.run_parts.parameter_change import ParameterChange
from workbench.session.session import Session
from workbench.views.controls.heading import Heading
from workbench.views.controls.label import Label
from workbench.views.controls.method_choice import MethodChoice
from workbench.views.controls.objective_choice import ObjectiveChoice
from workbench.views.controls.parameter_row import ParameterRow
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.controls.slider import Slider
from workbench.views.parameter_form import ParameterForm


@pytest.fixture
def session():
    made = Session()
    codes = np.array([0, 1, 1], np.float32)
    disease = Column("disease", "category", codes, ("no", "yes"))
    table = Table("heart.csv", (Column("age", "number", codes), disease))
    plan = Plan(roles={"age": "feature", "disease": "target"}, objective="logistic")
    made.open_table(table, plan, {}, known_objectives())
    return made


@pytest.fixture
def form(qtbot, session, monkeypatch):
    monkeypatch.setattr("workbench.views.turns.in_turns.TURN_SECONDS", 60.0)  # all rows at once
    view = ParameterForm(made_bench(session))
    qtbot.addWidget(view)
    view.resize(264, 400)
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    return view


def rows(form: ParameterForm) -> dict[str, ParameterRow]:
    return {row.declared.name: row for row in form.findChildren(ParameterRow)}


def unfolded(form: ParameterForm, name: str) -> ParameterRow:
    """A row that the window folds away."""
    row = rows(form)[name]
    row.show()
    return row


def headings(form: ParameterForm) -> str:
    return " ".join(heading.note for heading in form.findChildren(Heading))


def live_run(session: Session, state: RunState = RunState.RUNNING):
    run = session.new_run()
    run.state = state
    session.events.state.emit()
    return run


def test_every_declared_parameter_has_its_place(form):
    assert {*rows(form), "method", "objective"} == {declared.name for declared in PARAMETERS}
    assert next(iter(rows(form))) == "reg_lambda"


def test_what_is_set_goes_to_the_session_and_counts_as_changed(qtbot, form, session):
    slider = rows(form)["reg_lambda"].findChild(Slider)
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert session.hyperparameters.wanted.reg_lambda == 10
    assert headings(form).split() == ["1", "changed"]
    qtbot.mouseClick(rows(form)["reg_lambda"].findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert session.hyperparameters.wanted.reg_lambda == 1
    assert not headings(form).strip()


def test_what_the_session_says_is_shown(form, session):
    session.hyperparameters.change(max_depth=3)
    assert rows(form)["max_depth"].value == 3


def test_rare_parameters_are_folded_until_asked_for_or_changed(qtbot, form, session):
    threads, seed = rows(form)["threads"], rows(form)["base_score"]
    assert not threads.isVisible()
    session.hyperparameters.change(threads=2)
    assert threads.isVisible()
    assert not seed.isVisible()
    more = [button for button in form.findChildren(QPushButton) if button.text() == "More"][-1]
    more.click()
    assert seed.isVisible()
    assert more.text() == "Less"


def found_by(form, words):
    search = next(e for e in form.findChildren(QLineEdit) if e.accessibleName() == "Find a parameter")
    search.setText(words)
    shown = {name for name, row in rows(form).items() if row.isVisible()}
    choices = {"objective": ObjectiveChoice, "method": MethodChoice}
    return shown | {name for name, kind in choices.items() if form.findChild(kind).isVisible()}


@pytest.mark.sampled
@pytest.mark.sampled
@pytest.mark.parametrize("declared", PARAMETERS, ids=lambda declared: declared.name)
def test_the_search_finds_every_parameter_by_each_of_its_names(form, declared):
    flag = "--" + declared.name.replace("_", "-")
    for words in (declared.name, flag, flag[2:], declared.label, *declared.other_names):
        if declared.is_of("newton"):
            assert declared.name in found_by(form, words), words
        else:
            found = found_by(form, words)
            assert declared.name not in found
            assert found or any("of other methods" in label.text() for label in form.findChildren(Label))


def test_the_search_finds_objectives_metrics_and_own_files(form):
    assert found_by(form, "auc") == {"metric"}
    assert found_by(form, "lossguide") == {"grow_policy"}
    assert found_by(form, "num_boost_round") == {"rounds"}
    assert "objective" in found_by(form, "exponential")
    assert found_by(form, "goss") == {"sampling_method", "top_rate", "other_rate"}
    found_by(form, "python file")
    assert form.own_files.isVisible()
    assert found_by(form, "quokka") == set()
    assert not form.own_files.isVisible()


def test_a_live_run_locks_what_it_holds_fixed(qtbot, form, session):
    run = live_run(session)
    qtbot.waitUntil(lambda: rows(form)["max_bin"].note == "Bins stay fixed during a run.")
    assert not rows(form)["reg_lambda"].is_locked
    run.state = RunState.ENDED
    session.events.state.emit()
    qtbot.waitUntil(lambda: not rows(form)["max_bin"].is_locked)


def test_a_live_change_tells_since_when(qtbot, form, session):
    run = live_run(session, RunState.PAUSED)
    run.params = run.params.change(reg_lambda=4.0)
    run.changes.append(ParameterChange(90, "reg_lambda", 1.0, 4.0))
    session.hyperparameters.change(reg_lambda=4.0, gamma=0.3)
    qtbot.waitUntil(lambda: rows(form)["reg_lambda"].note == "1 → 4 since round 90")
    assert rows(form)["gamma"].note == "0 → 0.3 from round 1, on Resume"


def test_the_objective_is_chosen_with_its_target_in_view(qtbot, form, session):
    combo = form.findChild(ObjectiveChoice).findChild(PhraseCombo)
    assert combo.currentText() == "logistic"
    assert combo.phrase == "target disease, positive yes"
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert session.data.plan.objective == "softmax"
    assert combo.phrase == "target disease, 2 classes"
    live_run(session)
    assert not combo.isEnabled()


def test_the_form_shows_what_the_method_has_and_its_defaults(qtbot, form, session):
    session.hyperparameters.change(gamma=2.0, rounds=30)
    live_run(session, RunState.ENDED)  # whose γ is another than the method's, which has none
    combo = form.findChild(MethodChoice).findChild(PhraseCombo)
    combo.setFocus()
    combo.setCurrentIndex(combo.findText("Random forest"))
    combo.activated.emit(combo.currentIndex())
    wanted = session.hyperparameters.wanted
    assert (wanted.method, wanted.gamma, wanted.max_depth, wanted.rounds) == ("forest", 0.0, 0, 30)
    assert session.data.plan.objective == "share"
    assert session.clash is None
    shown = {name for name, row in rows(form).items() if not row.isHidden()}
    assert {"split_columns", "bootstrap", "max_depth"} <= shown
    assert not {"gamma", "learning_rate", "reg_lambda", "rate_drop"} & shown
    assert not rows(form)["max_depth"].is_changed
    session.journal.undo()
    assert (session.hyperparameters.wanted.gamma, session.data.plan.objective) == (2.0, "logistic")


def test_the_metric_is_one_of_the_objective(form, session):
    metric = unfolded(form, "metric").findChild(PhraseCombo)
    shown = [metric.itemText(i) for i in range(metric.count())]
    assert shown[:4] == ["auto", "logloss", "error", "auc"], "its own come first"
    assert {"mae", "rmse"} <= set(shown)
    assert "merror" not in shown
    session.data.set_objective("squared")
    assert metric.findText("rmse") > 0


def test_metrics_of_rankings_are_offered_where_rows_are_ranked(qtbot, form, session):
    metric = unfolded(form, "metric").findChild(PhraseCombo)

    def shown():
        return [metric.itemText(i) for i in range(metric.count())]

    assert not [name for name in shown() if name.startswith(("ndcg", "map@"))]
    session.data.set_objective("lambdarank")
    assert {"ndcg", "ndcg@5", "ndcg@10", "map", "map@5", "map@10"} <= set(shown())
    assert len(shown()) == len(set(shown()))
    more = unfolded(form, "more_metrics").findChild(QLineEdit)
    more.setText("")
    qtbot.keyClicks(more, "ndcg@3, map@7")
    qtbot.keyClick(more, Qt.Key.Key_Return)
    assert shown()[-2:] == ["ndcg@3", "map@7"], "any number of places, by name"
    metric.setFocus()
    qtbot.keyClick(metric, Qt.Key.Key_End)
    assert session.hyperparameters.wanted.metric == "map@7"
    assert session.planned.metric("map@7").phrase == "mean over queries, higher is better"


def test_the_wheel_over_an_unfocused_slider_is_left_to_the_panel(form, session):
    assert form.findChild(QScrollArea).verticalScrollBar().maximum() > 0
    slider = rows(form)["reg_lambda"].findChild(Slider)
    slider.clearFocus()
    event = QWheelEvent(QPointF(5, 5), QPointF(slider.mapToGlobal(QPoint(5, 5))), QPoint(), QPoint(0, -120),
                        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
                        Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(slider, event)
    assert session.hyperparameters.wanted.reg_lambda == 1
    assert not event.isAccepted()


def test_the_slider_of_gamma_ends_beyond_the_largest_gain(qtbot, form):
    row = rows(form)["gamma"]
    slider = row.findChild(Slider)
    slider.setFocus()
    for reached, end in ((None, 100.0), (40.0, 100.0), (315_003.0, 1e6), (None, 1e6), (0.5, 100.0)):
        row.reach(reached)
        qtbot.keyClick(slider, Qt.Key.Key_End)
        assert row.value == end


def test_a_clash_is_said_at_both_rows_as_soon_as_it_is_made(form, session):
    session.data.set_objective("squared")
    session.hyperparameters.change(sampling_method="goss", subsample=0.5)
    line = "sampling_method and subsample clash: goss draws rows itself; leave subsample at 1."
    assert rows(form)["sampling_method"].note == rows(form)["subsample"].note == line
    assert rows(form)["subsample"].isVisible()
    session.hyperparameters.change(subsample=1.0)
    assert rows(form)["subsample"].note == rows(form)["sampling_method"].note == ""


def test_a_clash_with_the_objective_is_said_below_it(form, session):
    choice = form.findChild(ObjectiveChoice)
    session.hyperparameters.change(base_score=3.0)
    assert "probability of the positive class" in choice.note
    assert rows(form)["base_score"].note == choice.note
    session.data.set_objective("squared")
    assert choice.note == rows(form)["base_score"].note == ""


def test_a_column_that_is_not_there_is_named_as_it_is_typed(qtbot, form, session):
    row = rows(form)["monotone_constraints"]
    field = row.findChild(QLineEdit)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "agee: 1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert row.note == "monotone_constraints names 'agee', which is no feature. The nearest is 'age'."
    assert session.clash is not None, "no run begins"
    field.selectAll()
    qtbot.keyClicks(field, "age: 1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert row.note == ""
    assert session.clash is None
    session.data.set_role("age", "ignore")
    session.data.set_role("disease", "feature")
    assert "'age', which is no feature. Known: disease" in row.note, "roles count, too"


def test_a_metric_that_is_none_is_named_as_it_is_typed(qtbot, form, session):
    row, watched = unfolded(form, "more_metrics"), unfolded(form, "metric").findChild(PhraseCombo)
    field = row.findChild(QLineEdit)

    def types(text):
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, text)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        return row.note

    told = types("auc, loglos")
    assert told == "more_metrics names 'loglos', which is no metric. The nearest is 'logloss'."
    assert session.clash is not None, "no run begins"
    assert watched.findText("loglos") < 0, "what is no metric cannot be watched"
    assert types("auc, logloss, roc_auc") == ""
    assert session.clash is None
    assert "more_metrics and objective clash: 'merror' cannot be taken of 'logistic'" in types("merror")
    assert "logloss, error, auc" in row.note
    assert types("none") == ""


@pytest.mark.parametrize(
    ("objective", "roles", "params", "said"),
    [
        ("squared", {}, {"more_metrics": ["mape", "R2"]}, "names 'R2', which is no metric. The near"),
        ("squared", {}, {"metric": "auc"}, "metric and objective clash: 'auc' cannot be taken"),
        ("squared", {}, {"more_metrics": ["ndcg@7"]}, "give their column the role of a group"),
        ("squared", {}, {"more_metrics": ["ndcg@0"]}, "'ndcg@0', which is no metric. The nearest"),
        ("squared", {"site": "group"}, {"more_metrics": ["ndcg@7"]}, ""),
        ("logistic", {"site": "group"}, {"more_metrics": ["ndcg@7"]}, "'ndcg@7' cannot be taken of"),
        ("quantile", {}, {"quantile_alpha": (0.1, 0.9), "more_metrics": ["pinbal"]}, "nearest is 'pinball'"),
        ("softmax", {}, {"more_metrics": ["mlogloss", "merror"]}, ""),
    ],
    ids=str,
)
def test_metrics_that_cannot_be_taken_are_known_before_training(session, objective, roles, params, said):
    for name, role in roles.items():
        session.data.set_role(name, role)
    session.data.set_objective(objective)
    session.hyperparameters.change(**params)
    assert (said in session.clash.text) if said else session.clash is None


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"feature_weights": {"AGES": 2}}, "'AGES', which is no feature. The nearest is 'age'"),
        ({"interaction_constraints": [["age", "site"], ["sit"]]}, "'sit', which is no feature. The nearest"),
        ({"forbidden_columns": ["disease"]}, "names 'disease', which is no feature. Known: age"),
        ({"forbidden_columns": ["age", "site"]}, "forbidden_columns names every column"),
        ({"monotone_constraints": {"site": 1}}, "names 'site', whose categories have no order"),
        ({"monotone_constraints": {"age": 0.5}}, "is 0.5 for 'age'; it must be 1, 0 or -1"),
        ({"forced_splits": "age < 50 {yes: sight = left}"}, "'sight', which is no feature. The nearest"),
        ({"forced_splits": "site = lefft"}, "level 'lefft', which 'site' does not have"),
        ({"forced_splits": "age = 3"}, "but 'age' holds numbers; ask age < number"),
        ({"class_weights": {"yess": 2}}, "names 'yess', which is no class. The nearest is 'yes'"),
        ({"class_weights": {"yes": 2}, "feature_weights": {"age": 3}, "forbidden_columns": ["site"]}, ""),
    ],
    ids=str,
)
def test_what_the_table_does_not_have_is_known_before_training(session, params, said):
    disease, age = (session.data.table.column(name) for name in ("disease", "age"))
    site = Column("site", "category", age.values, ("left", "right"))
    roles = {"age": "feature", "site": "feature", "disease": "target"}
    session.open_table(Table("heart.csv", (age, site, disease)), Plan(roles=roles, objective="logistic"), {},
                       session.data.objectives)
    session.hyperparameters.change(**params)
    clash = session.clash
    assert clash is session.clash, "it is sought once"
    assert (said in clash.text and clash.one in params) if said else clash is None


@pytest.mark.parametrize(
    ("objective", "params", "names"),
    [
        ("quantile", {"quantile_alpha": (0.1, 0.9), "metric": "mae"}, ("metric", "quantile_alpha")),
        ("squared", {"early_stopping_rounds": 5}, ("early_stopping_rounds", "valid_fraction")),
        ("squared", {"scale_pos_weight": 2.0}, ("scale_pos_weight", "objective")),
        ("softmax", {"scale_pos_weight": 2.0}, ("scale_pos_weight", "objective")),
        ("squared", {"class_weights": {"yes": 2}}, ("class_weights", "objective")),
        ("logistic", {"scale_pos_weight": 2.0, "class_weights": {"yes": 2}}, None),
        ("quantile", {"quantile_alpha": (0.1, 0.9), "metric": "pinball"}, None),
    ],
)
def test_what_only_training_refused_before_is_known_in_the_form(session, objective, params, names):
    session.data.set_objective(objective)
    session.data.hold_out(valid_fraction=0.0)
    session.hyperparameters.change(**params)
    assert (session.clash and (session.clash.one, session.clash.other)) == names


def test_a_row_that_is_folded_away_is_built_as_it_is_wanted(qtbot, form, session):
    """With what it was told meanwhile, and the keys find it where it stands."""
    row = rows(form)["max_delta_step"]
    assert row.findChild(QLineEdit) is None
    session.hyperparameters.change(max_delta_step=0.7)
    qtbot.waitUntil(lambda: not row.isHidden())
    field = row.findChild(QLineEdit)
    assert (field.text(), row.is_changed) == ("0.7", True)
    more = next(button for button in row.parent().findChildren(QPushButton) if button.text() == "More")
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    of_group, one_below_another = row.parent().findChildren(ParameterRow), row.parent().layout().indexOf
    shown = sorted((one for one in of_group if not one.isHidden()), key=one_below_another)
    order, part = list[ParameterRow](), form.findChild(QLineEdit)  # the search, above all
    while part is not more:
        owner = next((one for one in shown if one.isAncestorOf(part)), None)
        order += [owner] if owner is not None and owner not in order else []
        part = part.nextInFocusChain()
    assert order == shown
