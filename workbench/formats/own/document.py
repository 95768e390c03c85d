"""What a model is besides its trees, as JSON values: task, parameters, schema, history, provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.ensembles.ensemble import Ensemble
from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.float_text import shortest
from workbench.formats.edits import checked_entries
from workbench.formats.model import Model
from workbench.formats.own.dropout_record import dropouts_of, dropouts_record
from workbench.formats.own.history_csv import FIGURES, params_of_row
from workbench.formats.own.json_values import decoded, encoded, without_clock
from workbench.formats.own.linear_record import linear_of, linear_record
from workbench.formats.own.schema_record import schema_of, schema_record
from workbench.parameters.methods import AVERAGED, METHODS
from workbench.parameters.training import BY_NAME, TrainingParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import DataSchema
    from workbench.trees.tree import Tree

MOST_CUTS = 2**31 - 1
_PROVENANCE: dict[str, tuple[type, ...]] = {
    "program": (str,), "version": (str,), "created": (str,), "ended": (str,), "watched": (str,),
    "known_params": (list,), "metrics": (list,), "own_metrics": (dict,), "cuts": (list,), "notes": (list,),
    "initial_train": (dict,), "initial_valid": (dict,), "rounds_grown": (int,), "rounds_kept": (int,),
    "best_round": (int,), "n_train": (int,), "n_valid": (int,), "seconds": (float, int),
}  # fmt: skip
DOUBLE = "double"


def head_record(model: Model, history: Any = None) -> dict[str, Any]:
    """Return everything but the trees as JSON values; `history` where it is told in another way."""
    ensemble = model.ensemble
    if history is None:
        history = encoded([without_clock(row) for row in model.history])
    return {
        "objective": ensemble.objective,
        "n_classes": ensemble.n_classes,
        **_parallel_record(ensemble),
        **({"outputs": list(ensemble.output_names)} if ensemble.output_names else {}),
        "base_margin": shortest(ensemble.base_margin),
        **({"precision": DOUBLE} if ensemble.adds_doubles else {}),
        **dropouts_record(ensemble),
        **linear_record(ensemble),
        "params": model.params.to_dict(),
        "schema": schema_record(model.schema),
        "history": history,
        "provenance": encoded(without_clock(model.provenance)),
    }


def model_of(head: dict[str, Any], trees: tuple[Tree, ...]) -> Model:
    """Join a head and its trees, after checking that they fit each other."""
    schema = schema_of(head["schema"])
    n_classes = checks.integer(head["n_classes"], "n_classes", 1, 100_000)
    base = checks.reals(head["base_margin"], "base_margin", n_classes)
    checked = checks.doubles if says_doubles(head) else checks.float32
    n_parallel, by_round = _parallel_of(head.get("n_parallel", 1))
    check_trees(trees, n_classes, by_round or n_parallel)
    check_categories(trees, schema)
    objective = checks.text(head["objective"], "objective")
    _check_outputs(objective, schema, n_classes)
    params, unknown = _params(head["params"])
    provenance = provenance_of(head["provenance"])
    if unknown:
        note = f"Parameters this version does not know were left out: {', '.join(unknown)}."
        provenance["notes"] = [*provenance.get("notes", []), note]
    history = tuple(map(history_row, checks.sequence(head["history"], "history")))
    rounds = len(by_round) or len(trees) // (n_classes * n_parallel)
    return Model(
        ensemble=Ensemble(
            objective=objective,
            n_features=len(schema.features),
            n_classes=n_classes,
            n_parallel=n_parallel,
            has_offset=schema.offset is not None,
            base_margin=checked(base, "base_margin"),
            trees=trees,
            output_names=_output_names(head, n_classes),
            dropouts=dropouts_of(head, rounds),
            averages=METHODS[params.method].averages,
            linear=linear_of(head, schema, n_classes, rounds),
            parallel_by_round=by_round,
            drawn_by=_drawn_by(params, history, rounds),
        ),
        schema=schema,
        params=params,
        history=history,
        provenance=provenance,
    )


def says_doubles(head: dict[str, Any]) -> bool:
    """Whether leaves are to be added up in double precision."""
    return {DOUBLE: True, None: False}[head.get("precision")]


def _output_names(head: dict[str, Any], n_classes: int) -> tuple[str, ...]:
    """Return what several raw predictions are for."""
    if n_classes == 1:
        return ()
    names = checks.sequence(head["outputs"], "outputs")
    if len(names) != n_classes:
        raise WorkbenchError("Damaged model file: its outputs have other names than it has outputs.")
    return tuple(checks.text(name, "the name of an output") for name in names)


def _check_outputs(objective: str, schema: DataSchema, n_classes: int) -> None:
    """Refuse another number of outputs than its task and its objective have."""
    labels = len(schema.class_labels)
    fits = {"regression": not labels, "binary": labels == 2 and n_classes == 1,
            "multiclass": labels == n_classes > 1}[schema.task]  # fmt: skip
    if not fits or (objective == "softmax" and n_classes == 1):
        raise WorkbenchError("Damaged model file: it has another number of outputs than of classes.")


def _drawn_by(
    params: TrainingParams, history: Sequence[dict[str, Any]], rounds: int
) -> tuple[TrainingParams, ...]:
    """Return the parameters of all rounds where trees are averaged, and their history tells them."""
    if params.method not in AVERAGED or len(history) < rounds:
        return ()
    return tuple(params_of_row(params, row) for row in history[:rounds])


def _parallel_record(ensemble: Ensemble) -> dict[str, Any]:
    if ensemble.parallel_by_round:
        return {"n_parallel": list(ensemble.parallel_by_round)}
    return {"n_parallel": ensemble.n_parallel} if ensemble.n_parallel > 1 else {}


def _parallel_of(told: Any) -> tuple[int, tuple[int, ...]]:
    """Return `n_parallel` and `parallel_by_round` of an ensemble."""
    if not isinstance(told, list):
        return checks.integer(told, "n_parallel", 1, 100_000), ()
    by_round = tuple(checks.integers(told, "n_parallel", low=1, high=100_000).tolist())
    if len(set(by_round)) < 2:
        raise WorkbenchError("Damaged model file: n_parallel is one number where all rounds have the same.")
    return by_round[-1], by_round


def check_trees(trees: tuple[Tree, ...], n_classes: int, n_parallel: int | Sequence[int] = 1) -> None:
    """Refuse trees that do not stand in the order round, class, one beside the other.

    `n_parallel` is how many are beside each other, in all rounds or by round.
    """
    if isinstance(n_parallel, int):
        n_parallel = [n_parallel] * (len(trees) // (n_classes * n_parallel))
    if sum(n_parallel) * n_classes != len(trees):
        raise WorkbenchError("Damaged model file: the last round lacks a tree.")
    order = [k for beside in n_parallel for k in range(n_classes) for _ in range(beside)]
    if [t.class_index for t in trees] != order:
        raise WorkbenchError("Damaged model file: the trees are not in the order of rounds and classes.")


def check_categories(trees: tuple[Tree, ...], schema: DataSchema) -> None:
    """Refuse category tests on columns without those categories."""
    known = np.array([len(f.categories) if f.is_categorical else 0 for f in schema.features] + [0], np.int64)
    for tree in trees:
        if not len(tree.category_codes):
            continue
        sizes = np.diff(tree.category_begin)
        limits = np.repeat(known[tree.nodes["feature"]], sizes)
        if (tree.category_codes >= limits).any():
            raise WorkbenchError("Damaged model file: a split asks for a category that its column lacks.")


def history_row(record: Any) -> dict[str, Any]:
    """Read one round's record; what is a figure must be a number."""
    row: dict[str, Any] = decoded(checks.mapping(record, "a row of history"))
    for name, value in row.items():
        figure = name in ("round", *FIGURES) or name.startswith(("train:", "valid:"))
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (number if figure else value is None or isinstance(value, (int, float, str))):
            raise WorkbenchError(f"Damaged model file: '{name}' of a row of history must be a number.")
    return row


def provenance_of(record: Any) -> dict[str, Any]:
    """Read the provenance; entries the program uses must have their type."""
    provenance: dict[str, Any] = decoded(checks.mapping(record, "provenance"))
    for name, types in _PROVENANCE.items():
        if not isinstance(provenance.get(name, types[0]()), types):
            raise WorkbenchError(f"Damaged model file: provenance.{name} has the wrong type.")
    for note in provenance.get("notes", []):
        checks.text(note, "provenance.notes")
    if "edits" in provenance:
        provenance["edits"] = checked_entries(record["edits"])
    checks.integers(provenance.get("cuts", []), "provenance.cuts", low=0, high=MOST_CUTS)
    return provenance


def _params(record: Any) -> tuple[TrainingParams, list[str]]:
    values = checks.mapping(record, "params")
    known = {name: value for name, value in values.items() if name in BY_NAME}
    return TrainingParams.from_dict(known), [name for name in values if name not in BY_NAME]
