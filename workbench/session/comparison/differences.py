"""What differs between runs: in words on a card, at a branch, and side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.number_text import count
from workbench.parameters.training import BY_NAME, PARAMETERS
from workbench.session.branching import differing
from workbench.session.run_parts.parameter_change import as_marked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workbench.parameters.training import TrainingParams
    from workbench.session.run import Run
    from workbench.session.run_parts.parameter_change import ParameterChange

MOST_STEERED = 3  # changes on the way that are told
NOT_TOLD = {"rounds"}  # which a card counts
NOTHING: Mapping[str, Any] = {}


class Difference(NamedTuple):
    """A parameter by its label, and what it is in both runs."""

    label: str
    first: str
    second: str


def branch_values(run: Run) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return what differs at a branch from the run that it leaves, before and after, but for the rounds."""
    before = getattr(run.made, "before", NOTHING)
    after = getattr(run.made, "after", NOTHING)
    names = [name for name in after if name not in NOT_TOLD]
    return {name: before.get(name) for name in names}, {name: after[name] for name in names}


def branch_words(run: Run) -> str:
    """Say what differs at a branch: "η 0.05 → 0.02, γ 0 → 0.3"; what was done to a tree; "" for nothing."""
    before, after = branch_values(run)
    told = str(getattr(run.made, "told", ""))
    return told or ", ".join(
        f"{_label(name)} {_told(name, before[name])} → {_told(name, value)}" for name, value in after.items()
    )


def label_of(run: Run) -> str:
    """Say what a branch does and where: "η 0.05 → 0.02 at 53"; an edit names its tree itself."""
    words = branch_words(run)
    if run.branch is None or str(getattr(run.made, "told", "")):
        return words
    return f"{words or 'the same'} at {count(run.branch.round)}"


def varying(runs: Iterable[Run]) -> frozenset[str]:
    """Return the parameters in which runs that branch off none differ; of a single one, from the defaults."""
    roots = [run.params for run in runs if run.branch is None]
    if not roots:
        return frozenset()
    if len(set(map(id, roots))) == 1:
        return frozenset(differing(roots[0])) - NOT_TOLD
    first, *others = (params.to_dict() for params in roots)
    return frozenset(name for name in first if any(other[name] != first[name] for other in others)) - NOT_TOLD


def steering(run: Run) -> tuple[ParameterChange, ...]:
    """Return what was changed on the way, but for the rounds."""
    return tuple(change for change in run.changes if change.name not in NOT_TOLD)


def card_words(run: Run, names: frozenset[str]) -> str:
    """Say what is special about a run: its branch, or its values of these parameters; then its steering."""
    if run.branch is not None:
        words, first = _values(branch_values(run)[1]), run.branch.round + 1
        words = str(getattr(run.made, "told", "")) or words or "the same"
        start = f"{words} from {count(first)}"
    else:
        values = run.params.to_dict()
        start, first = _values({p.name: values[p.name] for p in PARAMETERS if p.name in names}), 1
        start = start or ("default parameters" if not differing(run.params) else "the same parameters")
    steered = [
        f"then {', '.join(f'{_label(change.name)} {_told(change.name, change.new)}' for change in changes)}"
        f" from {count(number)}"
        for number, changes in as_marked(steering(run), len(run.rounds)) if number > first
    ]
    more = ["…"] if len(steered) > MOST_STEERED else []
    return ", ".join([start, *steered[:MOST_STEERED], *more])


def differences(first: Run, second: Run, at: int = 0) -> list[Difference]:
    """Return the parameters in which two runs differ at any round, those of what is known of both.

    `at` is the last round that counts; 0 for all of them.
    """
    known = _known(first) & _known(second) - (NOT_TOLD if at else set())
    values = [_course(run, at or len(run.rounds)) for run in (first, second)]
    found = []
    for declared in PARAMETERS:
        if declared.name in known and values[0][declared.name] != values[1][declared.name]:
            texts = (_course_text(declared.name, run[declared.name]) for run in values)
            found.append(Difference(_label(declared.name), *texts))
    return found


def _known(run: Run) -> set[str]:
    """The parameters of which a run can tell: its method's, or those of them that a model's file names.

    Also those that its method holds fixed, as Friedman's boosting λ at 0.
    """
    method = run.params.method
    own = {p.name for p in PARAMETERS if p.is_of(method) or method in p.defaults}
    return own if run.read is None else own & set(run.read.known_params)


def _course(run: Run, last: int) -> dict[str, list[tuple[int, Any]]]:
    """Return the values of each parameter, with the round from which they held, up to a last one."""
    start: TrainingParams = run.rounds[0].params if run.rounds else run.params
    course = {name: [(1, value)] for name, value in start.to_dict().items()}
    course["rounds"] = [(1, len(run.rounds) if run.ended is not None else run.planned_rounds)]
    if run.branch is not None and len(run.rounds) == run.shared_rounds <= last:  # it is yet to be grown
        for name, value in branch_values(run)[1].items():
            course[name].append((run.shared_rounds + 1, value))
    for change in run.changes:
        if change.name != "rounds" and change.round <= last:
            course[change.name].append((change.round, change.new))
    return course


def _course_text(name: str, course: list[tuple[int, Any]]) -> str:
    first, *others = course
    return ", ".join([_told(name, first[1]), *(f"{_told(name, v)} from {count(at)}" for at, v in others)])


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{_label(name)} {_told(name, value)}" for name, value in values.items())


def _label(name: str) -> str:
    declared = BY_NAME[name]
    return declared.symbol or declared.label


def _told(name: str, value: Any) -> str:
    return BY_NAME[name].told(value)
