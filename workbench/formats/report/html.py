"""A report for people: one HTML file with data, parameters, curves, importance, trees and provenance."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.explain.importance import feature_importance
from workbench.formats.base import FORMATS
from workbench.formats.bytes.short_name import short_name
from workbench.formats.bytes.template import filled
from workbench.formats.code.links import link_sentence, precision_said
from workbench.formats.code.spelling import visible
from workbench.formats.edits import edits_told
from workbench.formats.one_way import WriteOnly
from workbench.formats.report.chart import ChartLine, chart, is_drawn
from workbench.formats.report.parts import bar, exact, facts, name, names, number, section, table, text
from workbench.formats.report.tree import tree_list
from workbench.formats.short_names import long_names, shortened
from workbench.isolation import isolated
from workbench.metrics.base import METRICS
from workbench.number_text import counted
from workbench.parameters.methods import UNPENALISED
from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.schema import DataSchema
    from workbench.formats.model import Model

MOST_TREES = 200  # a page with more is slow to open
MOST_FEATURES = 100
MOST_CLASSES = 30  # that are read at once
LONGEST_SAID = 2000  # characters of a sentence or a value
KNOWN = {
    "program": "Program", "version": "Version", "python": "Python", "numpy": "NumPy", "created": "Made",
    "ended": "Ended", "rounds_grown": "Rounds grown", "rounds_kept": "Rounds kept",
    "best_round": "Best round", "watched": "Metric watched", "seconds": "Seconds of training",
}  # fmt: skip
SIDES = {"training": "train", "hold-out": "valid"}


class HtmlReport(WriteOnly):
    """The format `html`: opens without a network, and runs no script."""

    name = "html"
    label = "Report (HTML)"
    suffixes: tuple[str, ...] = (".html",)

    def write(self, model: Model) -> bytes:
        """Return the page. Names stand in it as escaped text only."""
        whole, model = model.schema, shortened(model)
        title = "Boosted trees"
        if not _is_foreign(model):
            title += f" for {isolated(str(model.schema.target))}"
        parts = (_data(model, whole), _training(model), _importance(model), _trees(model), _parameters(model),
                 _provenance(model))  # fmt: skip
        return filled("report.html.txt", {
            "TITLE": text(title), "HEADING": name(title), "SUBTITLE": _subtitle(model),
            "BODY": "".join(parts),
        })  # fmt: skip


FORMATS.register(HtmlReport())


def _is_foreign(model: Model) -> bool:
    """Whether another program made it, whose file tells neither target nor rows."""
    return "known_params" in model.provenance


def _subtitle(model: Model) -> str:
    schema = model.schema
    size = f"{counted(model.rounds, 'round')}, {counted(len(model.trees), 'tree')}"
    if _is_foreign(model):
        source = f"made by {name(model.provenance.get('program', 'another program'))}"
    else:
        rows = counted(schema.rows, "row")
        source = f"{name(schema.source)}, {rows}" if schema.source else rows
    return f"{text(model.objective or 'objective unknown')}, {size}; {source}"


def _data(model: Model, whole: DataSchema) -> str:
    schema = model.schema
    rows = [
        (name(f.name), text(f.kind), f"{len(f.categories):,}" if f.categories else "")
        for f in schema.features
    ]  # fmt: skip
    said = [] if _is_foreign(model) else [("Target", name(schema.target))]
    said.append(("Task", text(schema.task)))
    if schema.class_labels:
        said.append(("Classes", "".join(names(schema.class_labels, MOST_CLASSES))))
    for what, column in (("Weight", schema.weight), ("Offset", schema.offset)):
        said += [(what, name(column))] if column else []
    for key, what in (("n_train", "Training rows"), ("n_valid", "Hold-out rows")):
        said += [(what, f"{model.provenance[key]:,}")] if key in model.provenance else []
    columns = table(("Column", "Kind", "Categories"), rows, frozenset({2}))
    return section("Data", facts(said), columns, _names_in_full(whole), _journal(model))


def _names_in_full(whole: DataSchema) -> str:
    """Return what is written in short, where anything is."""
    rows = [(name(visible(short)), name(visible(full))) for short, full in long_names(whole)]
    return table(("Written as", "In full"), rows) if rows else ""


def _journal(model: Model) -> str:
    """Return what was repaired or remarked when the table was read, where anything was."""
    rows = [(name(_said(note.text)), name(short_name(note.column or "")),
             f"{note.count:,}" if note.count else "")
            for note in model.schema.journal]  # fmt: skip
    return table(("On reading", "Column", "Count"), rows, frozenset({2})) if rows else ""


def _said(words: str) -> str:
    """Return a sentence, cut off where a name in it has no end."""
    return words if len(words) <= LONGEST_SAID else f"{words[:LONGEST_SAID]}…"


def _training(model: Model) -> str:
    history = model.history
    if not history:
        return section("Training", note="The file keeps no figures of the rounds.")
    best, first = model.provenance.get("best_round", 0), _first_round(model)
    metrics = list(dict.fromkeys(key.partition(":")[2] for row in history for key in row if ":" in key))
    titles = {metric: ", ".join(_metric_words(metric)) for metric in metrics}
    charts = [chart(title, _lines(model, metric), first, best) for metric, title in titles.items()]
    score = _scores(model)
    scores = [ChartLine("score", "score", score)] if score else []
    charts += [chart("Structure score of each round", scores, first)] if scores else []
    note = f"A dashed line marks the best round, {best:,}." if best else ""
    return section("Training", _figures(model, metrics, first, best), *charts, note=note)


def _first_round(model: Model) -> int:
    """Return the round that the history begins with: not 1 where another program grew those before."""
    return max(model.rounds - len(model.history), 0) + 1


def _lines(model: Model, metric: str) -> list[ChartLine]:
    columns = {side: _column(model, f"{key}:{metric}") for side, key in SIDES.items()}
    return [ChartLine(side, SIDES[side], values) for side, values in columns.items() if values]


def _metric_words(metric: str) -> tuple[str, ...]:
    """Return the metric's label and phrase; the name alone of one that came from a file of somebody's."""
    try:
        known = METRICS.get(metric)
    except WorkbenchError:
        return (metric,)
    return known.label, known.phrase


def _column(model: Model, key: str) -> list[float]:
    """Return the figures of all rounds; nothing where none is known."""
    found = [row.get(key) for row in model.history]
    values = [float(value) if isinstance(value, int | float) else float("nan") for value in found]
    return values if any(map(is_drawn, values)) else []


def _scores(model: Model) -> list[float]:
    """Return the structure scores, where the method goes by them."""
    says_nothing = model.params.method in (*UNPENALISED, "linear")
    return [] if says_nothing else _column(model, "structure_score")


def _figures(model: Model, metrics: list[str], first: int, best: int) -> str:
    """Return the metrics after the best round and after the last one."""
    last = first + len(model.history) - 1
    rounds = [place for place in dict.fromkeys((best, last)) if first <= place <= last]
    columns = [
        (_metric_words(metric)[0], side, values)
        for metric in metrics for side, _, values in _lines(model, metric)
    ]  # fmt: skip
    if score := _scores(model):
        columns.append(("Structure score", "training", score))
    rows = [
        (name(metric), text(side), *(number(values[place - first]) for place in rounds))
        for metric, side, values in columns
    ]
    heads = [f"Round {place:,}" + (", the best" if place == best else "") for place in rounds]
    return table(("Metric", "Rows", *heads), rows, frozenset({2, 3}), "figures") if rows else ""


def _importance(model: Model) -> str:
    gains = feature_importance(model.ensemble, "gain")
    counts = feature_importance(model.ensemble, "count")
    by_count = not (gains > 0).any()  # other programs' files may not say the gain
    shown = counts if by_count else gains
    order = shown.argsort(kind="stable")[::-1][:MOST_FEATURES]
    most = max(float(shown.max(initial=0.0)), 1e-300)
    rows = [
        (name(model.schema.names[place]), bar(float(shown[place]) / most),
         "–" if by_count else number(float(gains[place])), f"{counts[place]:,.0f}")
        for place in order if counts[place]
    ]  # fmt: skip
    if not rows:
        return section("Importance", note="No tree asks for a column.")
    note = "Splits of a column; the file does not tell their gain." if by_count else (
        "Gain summed over all splits of a column.")  # fmt: skip
    more = int((counts > 0).sum()) - len(rows)
    note += f" The first {MOST_FEATURES} columns; {more:,} more are asked for." if more else ""
    listed = table(("Column", "", "Gain", "Splits"), rows, frozenset({2, 3}), "importance")
    return section("Importance", listed, note=note)


def _trees(model: Model) -> str:
    ensemble = model.ensemble.folded()
    shown = ensemble.trees[:MOST_TREES]
    parts = [tree_list(tree, place, model) for place, tree in enumerate(shown, start=1)]
    more = len(ensemble.trees) - len(shown)
    note = (f"The first {MOST_TREES} trees; the other {more:,} are in the model, its rules and its graph."
            if more else "")  # fmt: skip
    return section("Trees", _how_they_add_up(model), *parts, note=note)


def _how_they_add_up(model: Model) -> str:
    ensemble, offset = model.ensemble, model.schema.offset
    starts = ", ".join(exact(number(float(base)), base) for base in ensemble.base_margin)
    plus = f", plus {name(visible(offset))}" if offset is not None else ""
    adding = f"Add one leaf of each tree, in {precision_said(ensemble)}. {link_sentence(ensemble)}"
    return f'<p class="note">Begin with {starts}{plus}. {text(adding)}</p>\n'


def _parameters(model: Model) -> str:
    rows = []
    known = set(model.known_params)
    for parameter in (one for one in PARAMETERS if one.name in known):
        value = getattr(model.params, parameter.name)
        shown = name(_said(parameter.shown(value)))
        label = f"{parameter.label}" + (f" {parameter.symbol}" if parameter.symbol else "")
        shown = shown if value == parameter.default_of(model.params.method) else f"<b>{shown}</b>"
        rows.append((text(label), text(parameter.name), shown))
    note = "In bold what is not the default."
    if "known_params" in model.provenance:
        note += " The file of another program tells no others; they are unknown."
    changes = list(_changes(model))
    more = table(("Changed in round", "Name", "From", "To"), changes, frozenset({2, 3})) if changes else ""
    return section("Parameters", table(("", "Name", "Value"), rows, look="parameters"), more, note=note)


def _changes(model: Model) -> Iterator[tuple[str, str, str, str]]:
    """Yield the parameters that had another value from a round on."""
    told = [one for one in PARAMETERS if (one.live and not one.is_list) or one.in_branch]
    for place, (before, after) in enumerate(pairwise(model.history), start=_first_round(model) + 1):
        for parameter in (one for one in told if one.name in before and one.name in after):
            values = (row[parameter.name] for row in (before, after))  # where a run branches off, as text
            old, new = (name(_said(v if isinstance(v, str) else parameter.shown(v))) for v in values)
            if old != new:
                yield f"{place:,}", text(parameter.name), old, new


def _provenance(model: Model) -> str:
    known = model.provenance
    said = [(what, name(_said(str(known[key])))) for key, what in KNOWN.items() if key in known]
    if model.schema.sha256:
        said.append(("SHA-256 of the table", text(model.schema.sha256)))
    said += [("Edit" if place else "Edits", name(line)) for place, line in enumerate(edits_told(model))]
    said += [("Note", name(_said(note))) for note in known.get("notes", [])]
    return section("Provenance", facts(said))
