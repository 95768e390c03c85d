"""A run of a study."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Protocol

from workbench.errors import WorkbenchError
from workbench.number_text import counted, figure
from workbench.parameters.training import resolved
from workbench.session.growing import continuation
from workbench.session.journal.kinds.apply_what_if import ApplyWhatIf
from workbench.session.what_if.question import given
from workbench.study.growing import Growing, cluster_record
from workbench.study.plain_value import plain_value, plain_values
from workbench.study.study_cluster import where_it_trains

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workbench.ensembles.events import RoundFinished
    from workbench.explain.edits.editor import Editor
    from workbench.explain.edits.receipt import Receipt
    from workbench.explain.what_if.rescoring import Values
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.study.study_cluster import StudyCluster
    from workbench.validation.noise_floor import NoiseFloor
    from workbench.validation.result import CrossValidated


class Owner(Protocol):
    """What a run needs of its study."""

    session: Session
    growing: dict[int, Growing]  # by the number of the run
    cluster: StudyCluster | None  # where its table stays


class StudyRun:
    """A run of a study.

    Attributes
    ----------
    study : Study
    run : Run
        What it holds, as the window does.
    """

    def __init__(self, study: Owner, run: Run) -> None:
        self.study, self.run = study, run

    def __repr__(self) -> str:
        best = self.run.best
        told = f", best {self.run.watched} {figure(best[1])} at {best[0]}" if best is not None else ""
        return f"{self.run.name}: {counted(self.rounds, 'round')}{told}"

    def _repr_html_(self) -> str:
        from workbench.formats.pictures.card import card

        return card(self.model, repr(self))

    @property
    def number(self) -> int:
        """From 1, in the order of making."""
        return self.run.number

    @property
    def rounds(self) -> int:
        """How many rounds it has."""
        return len(self.run.rounds)

    @property
    def best_round(self) -> int:
        """Round with the best watched metric."""
        return self.run.best_round

    @property
    def model(self) -> Model:
        """The model as it stands."""
        return self.run.kept().model

    def at(self, round: int) -> RoundFinished:
        """Return what is known of a round, from 1: its trees, metrics, loss, parameters and more."""
        if not 1 <= round <= self.rounds:
            raise WorkbenchError(f"{self.run.name} has {self.rounds} rounds; there is no round {round}.")
        return self.run.rounds[round - 1]

    def change(self, *, at: int | None = None, **values: Any) -> StudyRun:
        """Give live parameters other values from a round on: the next one where it is not said."""
        from workbench.session.branching import check_live

        new, first = resolved(values), self.rounds + 1
        at = first if at is None else plain_value(at)
        if at < first:
            raise WorkbenchError(f"Round {at} is grown already. Branch there: run.branch(at={at - 1}, …).")
        check_live(new)
        growing = self._growing
        if growing is None and at > first:
            raise WorkbenchError(f"{self.run.name} has ended; parameters can change at round {first}.")
        if growing is None:
            self.study.session.shown.show(self.run)
            self.study.session.hyperparameters.change(**new)
        elif at == first:
            growing.change(new)
        else:
            growing.changes[at] = growing.changes.get(at, {}) | new
        return self

    def grow(
        self, rounds: int | None = None, *, until: int | None = None, cluster: Any = None
    ) -> StudyRun:
        """Grow so many more rounds, or to the end, pausing after `until`; one that had ended goes on.

        That is here, or on a `cluster`, as `Study.train` takes it.
        """
        session, run = self.study.session, self.run
        growing, rounds, until = self._growing, plain_value(rounds), plain_value(until)
        if rounds is not None and rounds < 1:
            raise WorkbenchError(f"{rounds} rounds cannot be grown; give 1 or more.")
        total = None if rounds is None else self.rounds + rounds
        if growing is not None and until is None:
            until = total
        if growing is None:
            cluster = where_it_trains(self.study.cluster, cluster)
            params = continuation(run, run.wanted, total)
            growing = Growing(self.study.session, run, params, run.ensemble(), run.best, cluster)
            self.study.growing[run.number] = growing
            session.runs.go_on(run, params, cluster_record(cluster))
        growing.grow(until)
        return self

    def stop(self) -> StudyRun:
        """End it here, where it is paused."""
        if self._growing is not None:
            self._growing.stop()
        return self

    def branch(self, *, at: int | None = None, **values: Any) -> StudyRun:
        """Return a run that shares the first `at` rounds, with other parameters from there on; grow it."""
        made = self.study.session.branch(self.run, self.rounds if at is None else plain_value(at), **values)
        return StudyRun(self.study, made)

    def edit(self, **fields: Any) -> StudyRun:
        """Return a run that branches off with an edited tree; `fields` are those of the edit, as in files.

        `prune`, `set_weight` and the others make them.
        """
        from workbench.explain.edits.base import edit_of
        from workbench.session.editing import edited

        edit = edit_of(plain_values(fields))
        made, entry = edited(self.run, self._editor(edit.round), edit)
        self.study.session.add_edited(self.run, made, entry)
        return StudyRun(self.study, made)

    def receipt(self, **fields: Any) -> Receipt:
        """Return what an edit would change, exactly: objective, metrics, rows, predictions."""
        from workbench.explain.edits.base import edit_of

        edit = edit_of(plain_values(fields))
        return self._editor(edit.round).receipt(edit)

    def _editor(self, round: int) -> Editor:
        from workbench.session.editing import editor_of

        return editor_of(self.run, round)

    def prune(self, tree: int, node: int, *, place: int = 0, reason: str = "") -> StudyRun:
        """Return a run in which a node of a tree is a leaf. `tree` is its round, `place` its place in it."""
        return self.edit(kind="prune", round=tree, place=place, node=node, reason=reason)

    def set_weight(
        self, tree: int, node: int, weight: float, *, place: int = 0, reason: str = ""
    ) -> StudyRun:
        """Return a run in which a leaf has another weight w, before shrinkage."""
        return self.edit(
            kind="set_weight", round=tree, place=place, node=node, weight=weight, reason=reason
        )

    def move_threshold(
        self, tree: int, node: int, threshold: float, *, place: int = 0, reason: str = ""
    ) -> StudyRun:
        """Return a run in which a node parts its numbers elsewhere."""
        return self.edit(
            kind="move_threshold", round=tree, place=place, node=node, threshold=threshold,
            reason=reason,
        )

    def take_split(
        self,
        tree: int,
        node: int,
        column: str,
        threshold: float | None = None,
        *,
        categories: Sequence[int] = (),
        default_left: bool | None = None,
        place: int = 0,
        reason: str = "",
    ) -> StudyRun:
        """Return a run in which a node asks another question, and what is below it is grown anew.

        `categories` are the codes that answer yes.
        """
        return self.edit(
            kind="take_split", round=tree, place=place, node=node, column=column, threshold=threshold,
            categories=categories, default_left=default_left, reason=reason,
        )

    def forbid_column(
        self, tree: int, node: int, column: str, *, place: int = 0, reason: str = ""
    ) -> StudyRun:
        """Return a run in which a column is not asked about from a node down."""
        return self.edit(
            kind="forbid_column", round=tree, place=place, node=node, column=column, reason=reason
        )

    def drop_tree(self, tree: int, *, place: int = 0, reason: str = "") -> StudyRun:
        """Return a run in which a tree counts nothing."""
        return self.edit(kind="drop_tree", round=tree, place=place, reason=reason)

    def rescore(self, **values: Any) -> StudyRun:
        """Return a run of the same trees, scored again with another λ, γ or α."""
        from workbench.explain.what_if.rescoring import Rescorer, refusal
        from workbench.explain.what_if.tree_sums import NO_DIRECTIONS, directions
        from workbench.session.no_trees import LINEAR
        from workbench.session.run_parts.by_objective import objectives_of
        from workbench.session.what_if.made_again import rescored_run

        run, asked = self.run, _values(self.run.params, values)
        trees = tuple(tree for event in run.rounds for tree in event.trees)
        monotone = directions(run.params, run.schema.names) if run.schema is not None else NO_DIRECTIONS
        problem = LINEAR if run.is_linear else refusal(trees, objectives_of(run), monotone)
        if problem:
            raise WorkbenchError(problem)
        made = rescored_run(run, Rescorer(trees, monotone).score(asked), lambda: False)
        return self._made(made, asked, retrained=False)

    def retrain(self, **values: Any) -> StudyRun:
        """Return a run trained like this one, for as many rounds, but with another λ, γ or α."""
        from workbench.session.what_if.made_again import retraining_params
        from workbench.session.what_if.retraining import retrained_words

        run, asked = self.run, _values(self.run.params, values)
        origin = f"run {run.number} retrained with {retrained_words(run, asked)}"
        made = run.beside(retraining_params(run, asked), origin)
        made.begin_stretch(made.params)
        retrained = self._made(made, asked, retrained=True)
        self.study.growing[made.number] = Growing(self.study.session, made, made.params)
        return retrained.grow()

    def _made(self, made: Run, asked: Values, *, retrained: bool) -> StudyRun:
        of, values = self.run.number, given(asked)

        def told(number: int) -> ApplyWhatIf:
            return ApplyWhatIf(number, of, values, made.origin, retrained)

        self.study.session.runs.add(made, told)
        return StudyRun(self.study, made)

    def cross_validate(
        self, folds: int = 5, repeats: int = 1, *, groups: str | None = None, by_time: str | None = None,
        stratified: bool = True, seed: int = 0,
    ) -> CrossValidated:  # fmt: skip
        """Train it again on folds of the table's rows, held out or not; see `workbench.cross_validate`.

        As many rounds are trained as it has. `groups` and `by_time` name columns of the table.
        """
        from workbench.session.growing import NEEDS_ROWS
        from workbench.validation.cross_validation import cross_validation
        from workbench.validation.divided import folds_of_dataset
        from workbench.validation.fold_plan import FoldPlan
        from workbench.validation.result import CrossValidated

        run, table = self.run, self.study.session.data.table
        if run.dataset is None or run.started is None or table is None:
            raise WorkbenchError(NEEDS_ROWS)
        if groups is not None and by_time is not None:
            raise WorkbenchError("groups and by_time clash: rows are divided in one way.")
        drawn = "classes" if stratified and run.dataset.schema.class_labels else "rows"
        by: Any = "groups" if groups is not None else "time" if by_time is not None else drawn
        name = groups or by_time
        plan = FoldPlan(folds, repeats, seed, by, name)
        made = folds_of_dataset(run.dataset, plan, None if name is None else table.column(name))
        result = CrossValidated(run.dataset, made)
        for word in cross_validation(run.dataset, run.params_again, made, own=run.own):
            result.take(word)
        return result

    def noise_floor(self, refits: int = 30) -> NoiseFloor:
        """Train it again so many times, with other seeds on other draws of the split.

        `at(metric, round)` is how far a figure moves by chance, `half_width(metric)` the same by round.
        """
        from workbench.session.growing import NEEDS_ROWS
        from workbench.validation.noise import refits as made_again
        from workbench.validation.noise_floor import NoiseFloor

        run, table = self.run, self.study.session.data.table
        if run.dataset is None or run.started is None or table is None:
            raise WorkbenchError(NEEDS_ROWS)
        if not len(run.dataset.valid_rows):
            raise WorkbenchError(f"{run.name} holds no rows out, so no figure of it has a noise floor.")
        name = None if run.plan is None else run.plan.split_column
        column = table.column(name) if name is not None else None
        floor = NoiseFloor(self.rounds, refits)
        params = run.params.change(objective=run.started.params.objective)
        floor.refits += made_again(run.dataset, params, self.rounds, column, wanted=refits, own=run.own)
        return floor

    def rename(self, title: str) -> StudyRun:
        """Give it a name of its own; a line."""
        self.study.session.runs.write_on(self.run, title=" ".join(str(title).split()))
        return self

    @property
    def note(self) -> str:
        """What is written on it."""
        return self.run.card.note

    @note.setter
    def note(self, text: str) -> None:
        self.study.session.runs.write_on(self.run, note=str(text))

    def pin(self, pinned: bool = True) -> StudyRun:
        """Pin it, or let go of it."""
        self.study.session.runs.write_on(self.run, pinned=bool(pinned))
        return self

    def delete(self) -> None:
        """Delete it."""
        if self.run.is_live:
            raise WorkbenchError(f"{self.run.name} is not at its end. Stop it before you delete it.")
        self.study.session.runs.delete(self.run)

    @property
    def script(self) -> str:
        """The Python that grows it again."""
        from workbench.session.script import script_of

        return script_of(self.study.session, self.run)

    @property
    def _growing(self) -> Growing | None:
        return self.study.growing.get(self.run.number) if self.run.is_live else None


def _values(params: TrainingParams, values: Mapping[str, Any]) -> Values:
    from workbench.explain.what_if.rescoring import Values

    known, asked = {f.name for f in fields(Values)}, resolved(dict(values))
    for name in asked:
        if name not in known:
            raise WorkbenchError(f"{name} is none of {', '.join(sorted(known))}.")
    if not asked:
        raise WorkbenchError(f"Give one or more of {', '.join(sorted(known))}.")
    checked = params.change(**asked)  # of the types, and within the bounds, that are declared
    return Values(**{name: getattr(checked, name) for name in asked})
