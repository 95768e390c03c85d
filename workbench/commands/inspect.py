"""`workbench inspect`: what a model is made of."""

from __future__ import annotations

import json
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from workbench.commands.base import COMMANDS
from workbench.commands.console import on_console
from workbench.commands.model_flags import add_model_flags, model_of
from workbench.commands.tree_text import tree_lines
from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.number_text import counted
from workbench.parameters.training import BY_NAME

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.formats.model import Model

MOST_LINES = 20
NOTHING = (None, (), "")  # values of parameters that say nothing
UNTOLD = {"target": "target", "rows": 0}  # what stands in for what another program's file does not tell


class Inspect:
    """An overview, or one tree node by node."""

    name = "inspect"
    help = "show a model: an overview, or one tree with splits, gains, weights"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        add_model_flags(parser)
        parser.add_argument("--tree", metavar="N", type=int, help="show tree N, counted from 1")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, args: Namespace) -> int:
        """Load and print."""
        model = model_of(args)
        if args.tree is None:
            found = overview(model)
            print(json.dumps(found, ensure_ascii=False, indent=1) if args.json else _text(lines(found)))
        else:
            print(tree_json(model, args.tree) if args.json else _text(tree_view(model, args.tree)))
        return 0


def _text(told: list[str]) -> str:
    return "\n".join(map(on_console, told))


def overview(model: Model) -> dict[str, Any]:
    """Return the model without its nodes, as JSON values."""
    from workbench.formats.code.links import link_of
    from workbench.formats.own.document import head_record

    head = head_record(replace(model, history=()))
    del head["history"]
    if model.objective is None:
        head |= {"objective": None, "link": link_of(model.ensemble).name}
    head["params"] = {name: head["params"][name] for name in model.known_params}
    if "known_params" in model.provenance:
        head["schema"] |= {name: None for name, given in UNTOLD.items() if head["schema"][name] == given}
    if model.ensemble.is_linear:
        from workbench.formats.linear_columns import formulas

        return {**head, "rounds": model.rounds, "gain": {}, "trees": [], "formulas": formulas(model)}
    return {**head, "rounds": model.rounds, "gain": _gain_by_feature(model), "trees": _trees(model)}


def lines(found: dict[str, Any]) -> list[str]:
    """Return the overview as text."""
    from workbench.formats.edits import edit_told

    schema = found["schema"]
    params = ", ".join(_set(name, value) for name, value in found["params"].items() if value not in NOTHING)
    base = ", ".join(f"{value:g}" for value in found["base_margin"])
    known = found["objective"]
    objective = "Model with an unknown objective," if known is None else f"{known} model"
    target = "an unknown target" if schema["target"] is None else f"'{isolated(schema['target'])}'"
    text = [
        f"{objective} of {target} ({schema['task']})",
        f"{counted(found['rounds'], 'round')}, {counted(len(found['trees']), 'tree')}, base margin {base}",
        f"Columns: {', '.join(isolated(f['name']) for f in schema['features'])}",
    ]
    if schema["class_labels"]:
        text.append(f"Classes: {', '.join(isolated(str(label)) for label in schema['class_labels'])}")
    unknown = "; the others are unknown" if "known_params" in found["provenance"] else ""
    text += [f"Parameters: {params}{unknown}"]
    text += [f"Edit: {isolated(edit_told(edit))}" for edit in found["provenance"].get("edits", [])]
    text += [f"Note: {note}" for note in found["provenance"].get("notes", [])]
    text += [f"Reading: {note['text']}" for note in schema["journal"]]
    names = [feature["name"] for feature in schema["features"]]
    cuts = dict(zip(names, found["provenance"].get("cuts", []), strict=False))
    if cuts:
        text.append(f"Cuts: {', '.join(f'{isolated(name)} {n:,}' for name, n in cuts.items())}")
    if "formulas" in found:
        return [*text, *_formula_lines(found["formulas"])]
    text += ["", "Gain by column"]
    for name, gain in list(found["gain"].items())[:MOST_LINES]:
        text.append(f"  {_shown(gain):>12}  {isolated(name)}")
    text += ["", "Tree  round  leaves  depth  gain"]
    for tree in found["trees"][:MOST_LINES]:
        figures = f"{tree['leaves']:6}  {tree['depth']:5}  {_shown(tree['gain'])}"
        output = tree.get("class", tree.get("output", ""))
        text.append(f"{tree['tree']:4}  {tree['round']:5}  {figures}  {isolated(output)}".rstrip())
    more = len(found["trees"]) - MOST_LINES
    return [*text, f"… {more} more; --tree N shows one, --json all"] if more > 0 else text


def _formula_lines(formulas: list[dict[str, Any]]) -> list[str]:
    """Return the weights of a linear model: of the columns as they are, and of the standardised ones."""
    text = []
    for formula in formulas:
        of = f" of {isolated(formula['output'])}" if "output" in formula else ""
        text += ["", f"Raw prediction{of}", f"  {formula['intercept']:>12.6g}  intercept"]
        text += ["        weight  coefficient (standardised)"] if formula["terms"] else []
        for term in formula["terms"][:MOST_LINES]:
            figures = f"{term['weight']:>12.6g}  {term['coefficient']:>12.6g}"
            text.append(f"  {figures}  {isolated(term['column'])}")
        more = len(formula["terms"]) - MOST_LINES
        text += [f"… {more} more; --json all"] if more > 0 else []
    return text


def _set(name: str, value: Any) -> str:
    """Return a parameter and its value as it is typed, in quotes where commas or blanks stand in it."""
    shown = BY_NAME[name].shown(value)
    return f"{name} '{shown}'" if {",", " "} & set(shown) else f"{name} {shown}"


def tree_view(model: Model, number: int) -> list[str]:
    """Return one tree as text."""
    tree = _tree(model, number)
    record = _trees(model)[number - 1]
    of_class = next((f", {key} {record[key]}" for key in ("class", "output") if key in record), "")
    head = f"Tree {number} (round {record['round']}{of_class}): {tree.n_leaves} leaves, depth {tree.depth}"
    rates = f"gain {_shown(_known(tree.total_gain))}, " + (
        f"η {tree.learning_rate:g}, λ {tree.reg_lambda:g}, γ {tree.gamma:g}" if tree.knows_sums
        else "η, λ and γ unknown"
    )  # fmt: skip
    counts = f", counts {record['counts']:.6g} times since (DART)" if "counts" in record else ""
    return [f"{head}, {rates}{counts}", *tree_lines(tree, model.schema)]


def tree_json(model: Model, number: int) -> str:
    """Return one tree as JSON."""
    from workbench.formats.own.json_tree import plain_tree

    return plain_tree(_tree(model, number), model.schema.names).strip()


def _tree(model: Model, number: int) -> Any:
    if not 1 <= number <= len(model.trees):
        count = len(model.trees)
        numbered = f"trees are numbered 1 to {count}" if count else "the model has no trees"
        raise WorkbenchError(f"There is no tree {number}; {numbered}.")
    return model.trees[number - 1]


def _trees(model: Model) -> list[dict[str, Any]]:
    n_classes, rounds = model.ensemble.n_classes, model.ensemble.round_begins
    key, names = "class" if model.schema.class_labels else "output", model.ensemble.output_names
    return [
        {"tree": i + 1, "round": int(rounds.searchsorted(i, "right"))}
        | ({key: names[tree.class_index]} if n_classes > 1 else {})
        | {"leaves": tree.n_leaves, "depth": tree.depth, "gain": _known(tree.total_gain)}
        | ({"counts": float(weight)} if weight != 1 else {})
        for i, (tree, weight) in enumerate(zip(model.trees, model.ensemble.tree_weights, strict=False))
    ]


def _known(figure: float) -> float | None:
    return figure if isfinite(figure) else None


def _shown(figure: float | None) -> str:
    return "unknown" if figure is None else f"{figure:.6g}"


def _gain_by_feature(model: Model) -> dict[str, float | None]:
    """Return the sum of split gains by column, largest first; columns without a split are left out."""
    from workbench.ensembles.impurity.structures import of_ensemble

    sums: dict[str, float] = {}
    for tree in of_ensemble(model.ensemble):
        splits = tree.nodes[~tree.is_leaf]
        for feature, gain in zip(splits["feature"].tolist(), splits["gain"].tolist(), strict=True):
            name = model.schema.names[feature]
            sums[name] = sums.get(name, 0.0) + gain
    ordered = sorted(sums.items(), key=lambda item: -item[1])
    return {name: _known(gain) for name, gain in ordered}


COMMANDS.register(Inspect())
