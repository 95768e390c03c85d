"""One spreadsheet formula, for models of a few small trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.links import link_of
from workbench.formats.one_way import WriteOnly, double_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import DataSchema, Feature
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

LONGEST = 8192  # characters of a formula
DEEPEST = 60  # of 64 levels
FIRST_ROW = 2
HEAD = """\
A boosted tree model as a spreadsheet formula, written by the Boosting Workbench.
Put the columns into the cells named here, the first row of data into row 2, and copy the formula down.
An empty cell is missing; dates are days since 1970-01-01. Numbers in a spreadsheet have 15 digits.
Of several formulas each is the raw prediction of one output, in the order of the classes.
"""


class Spreadsheet(WriteOnly):
    """The format `spreadsheet`: text with the cells of the columns, and a formula for each output."""

    name = "spreadsheet"
    label = "Spreadsheet formula"
    suffixes: tuple[str, ...] = (".formula.txt",)

    def write(self, model: Model) -> bytes:
        """Return the text; WorkbenchError where the model is too large for a formula."""
        ensemble, schema = model.ensemble.folded(), model.schema
        sums = [[_number(base)] for base in ensemble.base_margin]
        cells = [*schema.names, *((schema.offset,) if schema.offset is not None else ())]
        for terms in sums if schema.offset is not None else ():
            terms.append(_cell(len(cells) - 1))
        for tree in ensemble.trees:
            if tree.depth > DEEPEST:
                raise _too_large(f"a tree is {tree.depth} levels deep, a formula may have {DEEPEST}")
            sums[tree.class_index].append(_tree(tree, schema))
        formulas = _formulas(model, ["+".join(terms) for terms in sums])
        longest = max(map(len, formulas))
        if longest > LONGEST:
            raise _too_large(f"it would take {longest:,} characters, a formula may have {LONGEST:,}")
        listed = [f"{_cell(place)}: {name!r}" for place, name in enumerate(cells)]
        return "\n".join([HEAD, *listed, "", *formulas, ""]).encode("utf-8", "surrogatepass")


def _formulas(model: Model, raw: list[str]) -> list[str]:
    """Return a formula for the prediction, or for each class the raw prediction."""
    link = link_of(model.ensemble)
    if link.is_softmax:
        return [f"={sum_}" for sum_ in raw]
    return [f"={link.spelling.spreadsheet.format(x=sum_, f=f'{link.factor:g}')}" for sum_ in raw]


def _tree(tree: Tree, schema: DataSchema) -> str:
    parts: list[str] = [""] * tree.n_nodes
    for node in range(tree.n_nodes - 1, -1, -1):  # children stand after their parent
        if tree.is_leaf[node]:
            parts[node] = _number(tree.nodes["leaf_value"][node])
        else:
            left, right = int(tree.nodes["left"][node]), int(tree.nodes["right"][node])
            parts[node] = f"IF({_question(tree, schema, node)},{parts[left]},{parts[right]})"
            parts[left] = parts[right] = ""
    return parts[0]


def _question(tree: Tree, schema: DataSchema, node: int) -> str:
    record = tree.nodes[node]
    place = int(record["feature"])
    cell, feature = _cell(place), schema.features[place]
    codes = tree.categories(node).tolist()
    if codes:
        tests = _is_one_of(cell, feature, codes)
    else:
        relation, bound = double_bound(record["threshold"])
        tests = [f"{cell}{relation}{_number(bound)}"]
    if record["default_left"]:
        return f'OR({cell}="",{",".join(tests)})'
    some = f"OR({','.join(tests)})" if len(tests) > 1 else tests[0]
    return some if codes and feature.kind != "boolean" else f'AND({cell}<>"",{some})'


def _is_one_of(cell: str, feature: Feature, codes: Sequence[int]) -> list[str]:
    """Return the tests of categories; truth values of spreadsheets are no text, an empty cell is FALSE."""
    tests, known = [], [label for code, label in enumerate(feature.categories) if code in codes]
    for label in known or map(str, codes):
        if feature.kind == "boolean" and label.lower() in ("true", "false"):
            tests += [f"{cell}={label.upper()}", f'LOWER({cell}&"")="{label.lower()}"']
        else:
            tests.append(f'EXACT({cell}&"",{_text(label)})')
    return tests


def _cell(place: int) -> str:
    """Return the cell of a column in the first row of data: A2 to Z2, then AA2."""
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(65 + letter) + letters
    return f"{letters}{FIRST_ROW}"


def _number(value: float) -> str:
    return f"{float(value):.15g}"


def _text(label: str) -> str:
    return '"' + label.replace('"', '""') + '"'


def _too_large(reason: str) -> WorkbenchError:
    return WorkbenchError(f"The model is too large for a spreadsheet formula: {reason}. Keep fewer rounds.")


FORMATS.register(Spreadsheet())
