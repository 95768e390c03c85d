"""The out-of-bag figures of a forest stand in the plot of their metric."""

from __future__ import annotations

from dataclasses import replace

from tests.made_trees import full_tree
from tests.views.made_run import made_rounds, made_session
from workbench.formats.own.history_csv import history_rows
from workbench.session.project.round_record import round_of, round_record
from workbench.views.curves.run_plots import Options, plots


def session_with_figures():
    session = made_session(3, 10)
    watched = session.shown.run.watched
    more = [replace(event, extras={f"oob:{watched}": 0.4}) for event in made_rounds(session, 4, 5)]
    session.runs.apply(session.shown.run, more)
    return session, watched


def test_the_watched_metric_has_a_third_line():
    session, _ = session_with_figures()
    lines = plots(session, Options())[0].lines
    assert [line.name for line in lines] == ["Validation", "Out of bag", "Training"]
    assert lines[1].values[-1] == 0.4


def test_without_such_figures_there_are_two():
    session = made_session(3, 10)
    assert [line.name for line in plots(session, Options())[0].lines] == ["Validation", "Training"]


def test_the_figures_are_kept_in_history_and_project():
    session, watched = session_with_figures()
    event = session.shown.run.rounds[-1]
    assert history_rows([event])[0][f"oob:{watched}"] == 0.4
    tree = full_tree(1)
    event = replace(event, trees=(tree,), leaves=tree.n_leaves, depth=tree.depth)
    text, data = round_record(event, event.params)
    assert round_of(5, text, data, event.params, (0,) * 100, 1).extras == event.extras
