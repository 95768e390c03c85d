"""A SQL query: every tree a CASE expression, which asks as the tree does."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes.short_name import short_name
from workbench.formats.bytes.template import chunks
from workbench.formats.code.links import link_of
from workbench.formats.code.spelling import asked_codes
from workbench.formats.code.sql_names import column, identifier, in_comment, number
from workbench.formats.code.sql_texts import Texts, is_one_of
from workbench.formats.edits import edits_told
from workbench.formats.one_way import WriteOnly, check_ways, double_bound, ways_to_leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.code.links import Link
    from workbench.formats.model import Model
    from workbench.formats.one_way import Answer
    from workbench.trees.tree import Tree

HEAD = """\
-- A boosted tree model, written by the Boosting Workbench, as a query in standard SQL.
-- Put the name of your table in the place of "data". NULL is missing; so must NaN and infinity be, which the
-- model takes for missing. Numbers must be kept as numbers, not as text, and dates as days since 1970-01-01.
"""
BLANKS_TOLD = """\
-- Blanks around texts do not count, and a text of nothing else is missing. TRIM is told which signs to take
-- away, as SQLite, DuckDB and PostgreSQL let it be.
"""
DIGITS = "-- Leaves are added in double precision, so the last digits differ from those of the model.\n"


# Databases keep a result that is named twice, and put one named once in the place of each mention: the trees
# would be walked for every mention of a raw prediction, of which softmax has the square of the classes.
KEPT = "\nWHERE EXISTS (SELECT 1 FROM {table})"
MOST_NESTED = 8  # CASE in CASE; databases allow only so many, some only ten
MOST_OF_NAMES = 1 << 26  # characters
MARK = 8  # hexadecimal digits
MOST_TERMS = 100  # added up in one pair of brackets; databases allow only so much depth


class Sql(WriteOnly):
    """The format `sql`: a query that adds a column for each prediction."""

    name = "sql"
    label = "SQL query"
    suffixes: tuple[str, ...] = (".sql",)

    def write(self, model: Model) -> bytes:
        """Return the query. Names stand in it as quoted identifiers, categories as quoted text."""
        ensemble, schema = model.ensemble.folded(), model.schema
        check_ways(ensemble, self.label)
        _check_cases(schema)
        _check_names(ensemble, schema)
        texts, link = Texts(ensemble, schema), link_of(ensemble)
        sums = _sums(ensemble, schema, texts)
        mark = _mark([*sums, *texts.tables(""), texts.joins("")])
        table, tables = f"model_{mark}", "".join(texts.tables(mark))
        raw = _several(f"raw_{mark}", len(sums), schema)
        predictions = _several("prediction", len(sums), schema)
        columns, inverse = _columns(sums, raw), _columns(_inverse(link, raw), predictions)
        walked = f'SELECT d.*,\n{columns}\nFROM "data" AS d{texts.joins(mark)}'
        kept = KEPT.format(table=table) if link.is_softmax or link.spelling.sql.count("{x}") > 1 else ""
        head = HEAD + (BLANKS_TOLD if texts else "") + ("" if ensemble.adds_doubles else DIGITS)
        added = f"{_ends(raw)}, before the link, and {_ends(predictions)}"
        head += "".join(f"-- {in_comment(line)}\n" for line in edits_told(model))
        head += f"-- Behind the columns of the table stand {added}.\n"
        head += _meanings(model, raw, predictions)
        query = f"WITH {tables}{table} AS ({walked})\nSELECT *,\n{inverse}\nFROM {table}{kept};\n"
        return f"{head}{query}".encode("utf-8", "surrogatepass")


def _sums(ensemble: Ensemble, schema: DataSchema, texts: Texts) -> list[str]:
    """Return the raw prediction of each output."""
    terms = [[number(base)] for base in ensemble.base_margin]
    for some in terms if schema.offset is not None else ():
        some.append(column(schema.offset or ""))
    for tree in ensemble.trees:
        terms[tree.class_index].append(_case(SqlWalk(tree, schema, texts)))
    return list(map(_added, terms))


def _mark(expressions: Iterable[str]) -> str:
    """Return a part of names that no column has but those which the same query has added."""
    return sha256("\n".join(expressions).encode("utf-8", "surrogatepass")).hexdigest()[:MARK]


def _check_cases(schema: DataSchema) -> None:
    """Refuse columns that are one to databases, to which A is a; letters beyond ASCII have no case there."""
    known: dict[bytes, str] = {}
    for place, name in enumerate((*schema.names, *([schema.offset] if schema.offset else [])), start=1):
        first = known.setdefault(name.encode("utf-8", "surrogatepass").lower(), name)
        if first != name:
            both = f"'{short_name(first)}' and '{short_name(name, place)}'"
            words = f"The columns {both} differ only in capital letters, so databases take them for one"
            raise WorkbenchError(f"{words}. Rename one.")


def _check_names(ensemble: Ensemble, schema: DataSchema) -> None:
    """Refuse names so long that a query which asks for them by name, time and again, has no end."""
    asked = np.zeros(len(schema.features), np.int64)
    for tree in ensemble.trees:
        asked += np.bincount(tree.nodes["feature"][~tree.is_leaf], minlength=len(asked))
    sizes = asked * [len(feature.name) for feature in schema.features]
    if sizes.sum() > MOST_OF_NAMES:
        name = short_name(schema.names[int(sizes.argmax())])
        words = f"A query names a column wherever it asks for it, and '{name}' is too long for that"
        raise WorkbenchError(f"{words}. Rename it.")


def _columns(expressions: Iterable[str], names: Sequence[str]) -> str:
    pairs = zip(expressions, names, strict=True)
    return ",\n".join(f"{expression} AS {identifier(name)}" for expression, name in pairs)


def _several(name: str, count: int, schema: DataSchema) -> list[str]:
    """Return a name for each output, none of them a column's."""
    others = (schema.target, str(schema.offset), str(schema.weight))
    taken = {known.casefold() for known in (*schema.names, *others)}
    while any(known.startswith(name) for known in taken):
        name = f"model_{name}"
    return [name] if count == 1 else [f"{name}_{k}" for k in range(count)]


def _ends(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


def _meanings(model: Model, raw: Sequence[str], predictions: Sequence[str]) -> str:
    """Say in comments, a line each, which class or quantile the columns are for."""
    names, labels = model.ensemble.output_names, model.schema.class_labels
    if len(names) == len(raw) > 1:
        told = zip(raw, predictions, map(short_name, names, range(1, len(names) + 1)), strict=True)
        return "".join(f"-- {mine}, {its}: {in_comment(name)}\n" for mine, its, name in told)
    if not labels:
        return ""
    return f"-- {predictions[0]}: the probability of {in_comment(short_name(str(labels[1])))}\n"


def _added(terms: Sequence[str]) -> str:
    while len(terms) > MOST_TERMS:
        terms = [f"({_added(some)})" for some in chunks(terms, MOST_TERMS)]
    return "\n+ ".join(terms)


class SqlWalk(NamedTuple):
    """A tree, and what its columns are."""

    tree: Tree
    schema: DataSchema
    texts: Texts

    def question(self, node: int) -> str:
        """Return what a node asks; a NULL answers it with "yes" only where a missing value does."""
        record = self.tree.nodes[node]
        place, missing_is_yes = int(record["feature"]), bool(record["default_left"])
        feature = self.schema.features[place]
        if feature.categories:
            codes = asked_codes(self.tree, node, feature)
            return self.texts.question(place, codes, missing_is_yes=missing_is_yes)
        name, codes = column(feature.name), self.tree.categories(node).tolist()
        if codes:
            test = is_one_of(name, list(map(str, codes)))
        else:
            relation, bound = double_bound(record["threshold"])
            test = f"{name} {relation} {number(bound)}"
        return f"({test} OR {name} IS NULL)" if missing_is_yes else test


def _case(walk: SqlWalk, node: int = 0, nested: int = 0) -> str:
    """Return the part of a tree below a node: what is not a "yes" is asked on by the same CASE.

    So every question stands there once, which databases plan sooner than whole ways to the leaves. Only
    below `MOST_NESTED` are these spelt out.
    """
    tree, whens = walk.tree, []
    while not tree.is_leaf[node]:
        asked, yes = walk.question(node), int(tree.nodes["left"][node])
        if nested < MOST_NESTED:
            whens.append((asked, _case(walk, yes, nested + 1)))
        else:
            for leaf, way in ways_to_leaves(tree, yes):
                conditions = [asked, *_yes_of(walk, way)]
                whens.append((" AND ".join(conditions), number(tree.nodes["leaf_value"][leaf])))
        node = int(tree.nodes["right"][node])
    rest = number(tree.nodes["leaf_value"][node])
    listed = "".join(f"\nWHEN {condition} THEN {value}" for condition, value in whens)
    return f"CASE{listed}\nELSE {rest} END" if whens else rest


def _yes_of(walk: SqlWalk, way: Sequence[Answer]) -> list[str]:
    """Return what is asked of rows that no leaf before this one took.

    "yes" comes first, so whoever would answer "yes" where this way says "no" was taken before: only the
    "yes" answers must be asked. A NULL answers no question with "yes".
    """
    return [walk.question(answer.node) for answer in way if answer.yes]


def _inverse(link: Link, raw: Sequence[str]) -> list[str]:
    names = [identifier(name) for name in raw]
    if link.is_softmax:
        return ["1E0 / (" + " + ".join(f"exp({other} - {name})" for other in names) + ")" for name in names]
    factor = number(link.factor)
    return [link.spelling.sql.format(x=name, f=factor, k=k) for k, name in enumerate(names)]


FORMATS.register(Sql())
