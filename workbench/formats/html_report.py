"""A report for people: one HTML file with data, parameters, curves, importance, trees and provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.explain.importance import feature_importance
from workbench.explain.node_figures import answer, knows_rows, test_of
from workbench.formats.base import FORMATS
from workbench.formats.html_parts import Line, bar, chart, number, section, table, text
from workbench.formats.one_way import WriteOnly
from workbench.formats.template import filled
from workbench.number_text import counted
from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

MOST_TREES = 200  # a page with more is slow to open
MOST_FEATURES = 100
KNOWN = ("program", "version", "created", "ended", "rounds_grown", "rounds_kept", "best_round", "seconds")


class HtmlReport(WriteOnly):
    """The format `html`: opens without a network, and runs no script."""

    name = "html"
    label = "Report (HTML)"
    suffixes: tuple[str, ...] = (".html",)

    def write(self, model: Model) -> bytes:
        """Return the page. Names stand in it as escaped text only."""
        ensemble, schema = model.ensemble, model.schema
        title = f"Boosted trees for {schema.target}"
        rows, trees = counted(schema.rows, "row"), counted(len(ensemble.trees), "tree")
        source = f"{schema.source}, {rows}" if schema.source else rows
        subtitle = f"{ensemble.objective}, {counted(model.rounds, 'round')}, {trees}; {source}"
        parts = (_data(model), _curves(model), _importance(model), _trees(model), _parameters(model),
                 _provenance(model))  # fmt: skip
        return filled("report.html.txt", {
            "TITLE": text(title), "SUBTITLE": text(subtitle), "BODY": "".join(parts),
        })  # fmt: skip


FORMATS.register(HtmlReport())


def _data(model: Model) -> str:
    schema = model.schema
    rows = [
        (text(f.name), text(f.kind), f"{len(f.categories):,}" if f.categories else "")
        for f in schema.features
    ]  # fmt: skip
    facts = [("Target", text(schema.target)), ("Task", text(schema.task))]
    if schema.class_labels:
        facts.append(("Classes", text(", ".join(map(str, schema.class_labels)))))
    for name, column in (("Weight", schema.weight), ("Offset", schema.offset)):
        facts += [(name, text(column))] if column else []
    for name in ("n_train", "n_valid"):
        if name in model.provenance:
            rows_of = "Training rows" if name == "n_train" else "Hold-out rows"
            facts.append((rows_of, f"{model.provenance[name]:,}"))
    columns = table(("Column", "Kind", "Categories"), rows, frozenset({2}))
    return section("Data", table((), facts), columns, _journal(model))


def _journal(model: Model) -> str:
    """Return what was repaired or remarked when the table was read, where anything was."""
    rows = [(text(note.text), text(note.column or ""), f"{note.count:,}" if note.count else "")
            for note in model.schema.journal]  # fmt: skip
    return table(("On reading", "Column", "Count"), rows, frozenset({2})) if rows else ""


def _curves(model: Model) -> str:
    history = model.history
    if not history:
        return section("Training", note="The file keeps no figures of the rounds.")
    names = dict.fromkeys(key.partition(":")[2] for row in history for key in row if ":" in key)
    charts = [
        chart(name, [line for line in (
            Line("training", "train", _column(model, f"train:{name}")),
            Line("hold-out", "valid", _column(model, f"valid:{name}")),
        ) if line.values])
        for name in names
    ]  # fmt: skip
    scores = Line("score", "score", _column(model, "structure_score"))
    charts.append(chart("structure score of each round", [scores]))
    best = model.provenance.get("best_round", 0)
    return section("Training", *charts, note=f"Best round: {best}." if best else "")


def _column(model: Model, key: str) -> list[float]:
    found = [row.get(key) for row in model.history]
    if not any(isinstance(value, int | float) for value in found):
        return []
    return [float(value) if isinstance(value, int | float) else float("nan") for value in found]


def _importance(model: Model) -> str:
    gains = feature_importance(model.ensemble, "gain")
    counts = feature_importance(model.ensemble, "count")
    by_count = not (gains > 0).any()  # other programs' files may not say the gain
    order = (counts if by_count else gains).argsort(kind="stable")[::-1][:MOST_FEATURES]
    most = max(float((counts if by_count else gains).max(initial=0.0)), 1e-300)
    rows = [
        (text(model.schema.names[place]), bar(float((counts if by_count else gains)[place]) / most),
         number(float(gains[place])), f"{counts[place]:.0f}")
        for place in order if counts[place]
    ]  # fmt: skip
    return section("Importance", table(("Column", "", "Gain", "Splits"), rows, frozenset({2, 3})),
                   note="Gain summed over all splits of a column.")  # fmt: skip


def _trees(model: Model) -> str:
    shown = model.ensemble.folded().trees[:MOST_TREES]
    parts = [_tree(tree, place, model) for place, tree in enumerate(shown, start=1)]
    more = len(model.trees) - len(shown)
    note = f"The first {MOST_TREES} trees; {more} more are in the model." if more else ""
    return section("Trees", *parts, note=note)


def _tree(tree: Tree, place: int, model: Model) -> str:
    names = model.ensemble.output_names
    of_output = f", {text(names[tree.class_index])}" if names else ""
    size = f"{counted(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.depth}"
    head = f"Tree {place}{of_output}: {size}, gain {number(tree.total_gain)}"
    pieces: list[str] = []
    waiting: list[int | str] = [0]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            pieces.append(node)
            continue
        pieces.append(f"<li>{_node(tree, node, model)}")
        if tree.is_leaf[node]:
            pieces.append("</li>")
            continue
        pieces.append("<ul>")
        waiting += ["</ul></li>", int(tree.nodes["right"][node]), int(tree.nodes["left"][node])]
    return f'<details><summary>{head}</summary><ul class="tree">{"".join(pieces)}</ul></details>\n'


def _node(tree: Tree, node: int, model: Model) -> str:
    record = tree.nodes[node]
    rows = f", {counted(int(record['count']), 'row')}" if knows_rows(tree) else ""
    lead = f'<span class="answer">{answer(tree, node)}:</span> ' if node else ""
    if tree.is_leaf[node]:
        value = float(record["leaf_value"])
        sign = "+" if value > 0 else ""
        return f'{lead}<span class="{"up" if value > 0 else "down"}">{sign}{number(value)}</span>{rows}'
    missing = "yes" if record["default_left"] else "no"
    question = text(test_of(tree, node, model.schema).text)
    said = f"gain {number(float(record['gain']))}{rows}, missing: {missing}"
    return f'{lead}{question}? <span class="answer">{said}</span>'


def _parameters(model: Model) -> str:
    rows = []
    known = set(model.known_params)
    for parameter in (one for one in PARAMETERS if one.name in known):
        value = getattr(model.params, parameter.name)
        shown = text("none" if value is None else value)
        changed = value != parameter.default
        name = f"{parameter.label}" + (f" {parameter.symbol}" if parameter.symbol else "")
        rows.append((text(name), text(parameter.name), f"<b>{shown}</b>" if changed else shown))
    note = "In bold what is not the default."
    if len(known) < len(PARAMETERS):
        note += " The file of another program tells no others; they are unknown."
    return section("Parameters", table(("", "Name", "Value"), rows), note=note)


def _provenance(model: Model) -> str:
    known: dict[str, Any] = model.provenance
    facts = [(name.replace("_", " "), text(known[name])) for name in KNOWN if name in known]
    if model.schema.sha256:
        facts.append(("SHA-256 of the table", text(model.schema.sha256)))
    facts += [("note", text(note)) for note in known.get("notes", [])]
    return section("Provenance", table((), facts))
