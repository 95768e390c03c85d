"""A SQL query: every tree a CASE expression, which asks as the tree does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.encoding import label_codes
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.links import link_of
from workbench.formats.one_way import WriteOnly, check_no_nul, check_ways, double_bound, ways_to_leaves
from workbench.formats.short_names import short_name
from workbench.formats.spelling import asked_codes, can_be_seen
from workbench.formats.template import chunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from workbench.data.schema import DataSchema, Feature
    from workbench.ensembles.ensemble import Ensemble
    from workbench.formats.links import Link
    from workbench.formats.model import Model
    from workbench.formats.one_way import Answer
    from workbench.trees.tree import Tree

HEAD = """\
-- A boosted tree model, written by the Boosting Workbench, as a query in standard SQL.
-- Put the name of your table in the place of "data". NULL is missing; so must NaN and infinity be, which the
-- model takes for missing. Numbers must be kept as numbers, not as text, and dates as days since 1970-01-01.
-- Texts must have no spaces around them.
"""
DIGITS = "-- Leaves are added in double precision, so the last digits differ from those of the model.\n"


# Databases keep a result that is named twice, and put one named once in the place of each mention: the trees
# would be walked for every mention of a raw prediction, of which softmax has the square of the classes.
KEPT = "\nWHERE EXISTS (SELECT 1 FROM model)"
MOST_NESTED = 8  # CASE in CASE; databases allow only so many, some only ten
SHORT, MOST_COMPARED = 4, 100  # values that are compared one by one; a join is sooner done with more
MEANT_ELSEWHERE = frozenset(";'\"`\\:?&@${}#")  # what cuts queries apart, or stands for a value in them
TRUTH = {"false": ("0",), "true": ("1",)}
MOST_OF_NAMES = 1 << 26  # characters
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
        sums = [[_number(base)] for base in ensemble.base_margin]
        for terms in sums if schema.offset is not None else ():
            terms.append(_identifier(schema.offset or ""))
        for tree in ensemble.trees:
            sums[tree.class_index].append(_case(tree, schema))
        raw = _several("raw", len(sums), schema)
        predictions = _several("prediction", len(sums), schema)
        columns = _columns(map(_added, sums), raw)
        link = link_of(ensemble)
        inverse = _columns(_inverse(link, raw), predictions)
        kept = KEPT if link.is_softmax or link.spelling.sql.count("{x}") > 1 else ""
        query = f'WITH model AS (SELECT *,\n{columns}\nFROM "data")\nSELECT *,\n{inverse}\nFROM model'
        head = HEAD if ensemble.adds_doubles else HEAD + DIGITS
        added = f"{_ends(raw)}, {_ends(predictions)}"
        head += f"-- The table must have no columns with the names that are added: {added}.\n"
        head += _meanings(model, raw, predictions)
        return f"{head}{query}{kept};\n".encode("utf-8", "surrogatepass")


def _check_cases(schema: DataSchema) -> None:
    """Refuse columns that are one to databases, to which A is a; letters beyond ASCII have no case there."""
    known: dict[bytes, str] = {}
    for number, name in enumerate((*schema.names, *([schema.offset] if schema.offset else [])), start=1):
        first = known.setdefault(name.encode("utf-8", "surrogatepass").lower(), name)
        if first != name:
            both = f"'{short_name(first)}' and '{short_name(name, number)}'"
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
    return ",\n".join(f"{expression} AS {_identifier(name)}" for expression, name in pairs)


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
        return "".join(f"-- {mine}, {its}: {_in_comment(name)}\n" for mine, its, name in told)
    if not labels:
        return ""
    return f"-- {predictions[0]}: the probability of {_in_comment(short_name(str(labels[1])))}\n"


def _in_comment(name: str) -> str:
    """Return a name, as a JSON string where something in it could end the comment or mean more to a tool."""
    plain = [can_be_seen(sign) and sign not in MEANT_ELSEWHERE for sign in name]
    if name.strip() == name and name and all(plain):
        return name
    signs = zip(name, plain, strict=True)
    return '"' + "".join(sign if is_plain else _escaped(sign) for sign, is_plain in signs) + '"'


def _escaped(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def _added(terms: Sequence[str]) -> str:
    while len(terms) > MOST_TERMS:
        terms = [f"({_added(some)})" for some in chunks(terms, MOST_TERMS)]
    return "\n+ ".join(terms)


def _case(tree: Tree, schema: DataSchema, node: int = 0, nested: int = 0) -> str:
    """Return the part of a tree below a node: what is not a "yes" is asked on by the same CASE.

    So every question stands there once, which databases plan sooner than whole ways to the leaves. Only
    below `MOST_NESTED` are these spelt out.
    """
    nodes, whens = tree.nodes, []
    while not tree.is_leaf[node]:
        asked, yes = _question(tree, schema, node), int(nodes["left"][node])
        if nested < MOST_NESTED:
            whens.append((asked, _case(tree, schema, yes, nested + 1)))
        else:
            for leaf, way in ways_to_leaves(tree, yes):
                conditions = [asked, *_yes_of(tree, schema, way)]
                whens.append((" AND ".join(conditions), _number(nodes["leaf_value"][leaf])))
        node = int(nodes["right"][node])
    rest = _number(nodes["leaf_value"][node])
    listed = "".join(f"\nWHEN {condition} THEN {value}" for condition, value in whens)
    return f"CASE{listed}\nELSE {rest} END" if whens else rest


def _yes_of(tree: Tree, schema: DataSchema, way: Sequence[Answer]) -> list[str]:
    """Return what is asked of rows that no leaf before this one took.

    "yes" comes first, so whoever would answer "yes" where this way says "no" was taken before: only the
    "yes" answers must be asked. A NULL answers no question with "yes".
    """
    return [_question(tree, schema, answer.node) for answer in way if answer.yes]


def _question(tree: Tree, schema: DataSchema, node: int) -> str:
    record = tree.nodes[node]
    feature = schema.features[int(record["feature"])]
    column = _identifier(feature.name)
    codes = asked_codes(tree, node, feature) if feature.categories else tree.categories(node).tolist()
    if not codes:
        relation, bound = double_bound(record["threshold"])
        test = f"{column} {relation} {_number(bound)}"
    elif feature.categories:
        labels = [_text(spelling) for code in codes for spelling in _spellings(feature, code)]
        test = _is_one_of(f"CAST({column} AS VARCHAR)", labels)
    else:
        test = _is_one_of(column, list(map(str, codes)))
    return f"({test} OR {column} IS NULL)" if record["default_left"] else test


def _is_one_of(value: str, known: Sequence[str]) -> str:
    """Return the question in lists so short that no database makes a join of each."""
    lists = [known] if len(known) > MOST_COMPARED else chunks(known, SHORT)
    tests = [f"{value} IN ({', '.join(some)})" for some in lists]
    return tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})"


def _spellings(feature: Feature, code: int) -> list[str]:
    """Return how databases write a label that is a number or a truth value, which some keep as 0 or 1."""
    label = feature.categories[code]
    codes = label_codes(feature)
    more = [f"{label}.0"] if label.lstrip("-").isdecimal() else []
    more += TRUTH.get(label.lower(), ()) if feature.kind == "boolean" else ()
    known = [spelling for spelling, place in codes.items() if place == code]
    return [*known, *(spelling for spelling in more if spelling not in codes)]


def _inverse(link: Link, raw: Sequence[str]) -> list[str]:
    names = [_identifier(name) for name in raw]
    if link.is_softmax:
        return ["1E0 / (" + " + ".join(f"exp({other} - {name})" for other in names) + ")" for name in names]
    return [link.spelling.sql.format(x=name, f=_number(link.factor)) for name in names]


def _number(value: float) -> str:
    """Return a literal in double precision: with an exponent, as without one it may be a decimal."""
    text = repr(float(value))
    return text if "e" in text else f"{text}E0"


def _identifier(name: str) -> str:
    return '"' + _sayable(name).replace('"', '""') + '"'


def _text(label: str) -> str:
    return "'" + _sayable(label).replace("'", "''") + "'"


def _sayable(name: str) -> str:
    check_no_nul(name, "SQL cannot say")
    return name


FORMATS.register(Sql())
