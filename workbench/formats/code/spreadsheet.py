"""One spreadsheet formula, for models of a few small trees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.values.known_labels import NUMBERS, truth_labels
from workbench.errors import WorkbenchError
from workbench.formats.base import FORMATS
from workbench.formats.bytes.short_name import short_name
from workbench.formats.bytes.template import chunks
from workbench.formats.code.links import link_of
from workbench.formats.code.spelling import asked_codes
from workbench.formats.edits import edits_told
from workbench.formats.one_way import WriteOnly, check_no_nul, double_bound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from workbench.data.schema import DataSchema, Feature
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

# Of a formula in Excel; other programs allow as much or more.
LONGEST = 8192  # characters, those outside the basic plane twice
MOST_BYTES = 16_384  # as it is kept: what is written in few characters may take more of these
DEEPEST = 64  # functions in functions
MOST_GIVEN = 255  # values of a function
PIECE = 127  # characters of a text in quotes, where each may count twice and 255 are the most
LAST_COLUMN = 16_384
_TOKEN = re.compile(
    r'(?P<text>"(?:[^"]|"")*")|(?P<function>[A-Z]+\()|(?P<cell>[A-Z]+\d+)|(?P<number>[\d.]+(?:e[-+]?\d+)?)'
    r"|(?P<bracket>\()|(?P<closed>\))|(?P<truth>[A-Z]+)|(?P<sign><=|<>|[^,])"
)
BYTES = {"text": 3, "function": 4, "cell": 7, "number": 9, "bracket": 1, "closed": 0, "truth": 2, "sign": 1}
BYTES_OF_IF = 16  # with its leaps
FIRST_ROW = 2
HEAD = """\
A boosted tree model as a spreadsheet formula, written by the Boosting Workbench.
Put the columns into the cells named here, the first row of data into row 2, and copy the formula down.
An empty cell is missing; dates are days since 1970-01-01. Numbers in a spreadsheet have 15 digits.
Spaces around a text do not count, and several between words are one; tabs and other blanks do count.
Functions have their English names, numbers a decimal point, and a comma stands between two values.
Of several formulas each is for one output, in their order; of classes it is the raw prediction.
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
        if len(cells) > LAST_COLUMN:
            reason = f"it has {len(cells):,} columns, a sheet has {LAST_COLUMN:,}"
            raise _too_large(reason, "Leave some out")
        for tree in ensemble.trees:
            if tree.depth > DEEPEST:
                raise _too_deep(tree.depth)
            sums[tree.class_index].append(_tree(tree, schema))
        formulas = _formulas(model, ["+".join(terms) for terms in sums])
        for formula in formulas:
            _check(formula)
        listed = [f"{_cell(place)}: {name!r}" for place, name in enumerate(cells)]
        told = [*edits_told(model), ""] if edits_told(model) else []
        return "\n".join([HEAD, *told, *listed, "", *formulas, ""]).encode("utf-8", "surrogatepass")


def _formulas(model: Model, raw: list[str]) -> list[str]:
    """Return a formula for the prediction, or for each class the raw prediction; EXP has a largest value."""
    link = link_of(model.ensemble)
    if link.is_softmax:
        return [f"={sum_}" for sum_ in raw]
    factor = _number(link.factor)
    return [f"={link.spelling.spreadsheet.format(x=sum_, f=factor, k=k)}" for k, sum_ in enumerate(raw)]


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
    codes = asked_codes(tree, node, feature) if feature.is_categorical else ()
    if codes:
        tests = _is_one_of(cell, feature, codes)
    else:
        relation, bound = double_bound(record["threshold"])
        tests = [f"{cell}{relation}{_number(bound)}"]
    if record["default_left"]:
        return _any([f'{_text_of(cell, feature) if codes else cell}=""', *tests])
    some = _any(tests)
    return some if codes and not _truth_words(feature) else f'AND({cell}<>"",{some})'


def _any(tests: Sequence[str]) -> str:
    """Return whether one of the tests holds, which are more than a function takes."""
    while len(tests) > MOST_GIVEN:
        tests = [_any(some) for some in chunks(tests, MOST_GIVEN)]
    return f"OR({','.join(tests)})" if len(tests) > 1 else tests[0]


def _is_one_of(cell: str, feature: Feature, codes: Sequence[int]) -> list[str]:
    """Return the tests of categories; truth values of spreadsheets are no text, an empty cell is FALSE."""
    labels = [feature.categories[code] for code in codes]
    _check_ends(feature, labels)
    cell_text, tests = _text_of(cell, feature), []
    truths = _truth_words(feature)
    for label in labels:
        if label in truths:
            word = label.lower()
            tests += [f"{cell}={word.upper()}", f'LOWER({cell_text})="{word}"']
            tests.append(f'{cell_text}="{NUMBERS[word]}"')
        else:
            tests += [f"EXACT({cell_text},{_text(text)})" for text in dict.fromkeys((label, _kept(label)))]
    return tests


def _truth_words(feature: Feature) -> frozenset[str]:
    """Return the categories that are truth values in words, where there are no others."""
    known = truth_labels(feature.categories)
    return frozenset(label for label in known if label.lower() in NUMBERS)


def _text_of(cell: str, feature: Feature) -> str:
    """Return a cell's text, trimmed where no category would be changed by that."""
    spaced = any(" ".join(filter(None, label.split(" "))) != label for label in feature.categories)
    return f'{cell}&""' if spaced else f"TRIM({cell})"


def _check_ends(feature: Feature, labels: Sequence[str]) -> None:
    """Refuse a question that parts what is one text to LibreOffice."""
    asked = {_kept(label): label for label in labels if "\r" in label or "\n" in label}
    for other in set(feature.categories).difference(labels) if asked else ():
        if (label := asked.get(_kept(other))) is not None:
            names = f"{short_name(label)!r} and {short_name(other)!r} of '{short_name(feature.name)}'"
            raise WorkbenchError(
                f"The model tells {names} apart, which are one where a sheet takes every end of a line "
                "for the same. Convert to 'python' or 'sql', or train with other names."
            )


def _kept(label: str) -> str:
    """Return a label as sheets keep it that take every end of a line for a line feed."""
    return label.replace("\r\n", "\n").replace("\r", "\n")


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
    """Return a text that ends neither its quotes nor its line, in pieces no longer than may be in quotes."""
    check_no_nul(label, "no cell can hold")
    pieces = (piece for part in re.split("([\x01-\x1f])", label) for piece in _pieces(part))
    return "&".join(pieces) or '""'


def _pieces(part: str) -> Iterator[str]:
    if len(part) == 1 and part < " ":
        yield f"CHAR({ord(part)})"
        return
    for signs in chunks(part, PIECE):
        yield '"' + "".join(signs).replace('"', '""') + '"'


def _check(formula: str) -> None:
    """Refuse what Excel does not take."""
    if (length := _length(formula)) > LONGEST:
        raise _too_large(f"it would take {length:,} characters, a formula may have {LONGEST:,}")
    levels, size = _levels_and_bytes(formula)
    if levels > DEEPEST:
        raise _too_deep(levels)
    if size > MOST_BYTES:
        raise _too_large(f"it would take {size:,} bytes, a formula may have {MOST_BYTES:,}")


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _levels_and_bytes(formula: str) -> tuple[int, int]:
    """Return how deep functions stand in functions, and what Excel's binary files take for the formula."""
    opened: list[bool] = []
    levels = size = 0
    for token in _TOKEN.finditer(formula):
        kind, text = token.lastgroup, token[0]
        if kind == "closed":
            opened.pop()
        elif kind in ("function", "bracket"):
            opened.append(kind == "function")
            levels = max(levels, sum(opened))
        size += BYTES_OF_IF if text == "IF(" else BYTES[str(kind)] + 2 * _length(text) * (kind == "text")
    return levels, size


def _too_deep(levels: int) -> WorkbenchError:
    return _too_large(f"questions stand {levels} levels deep in each other, a formula may have {DEEPEST}")


def _too_large(reason: str, advice: str = "Keep fewer rounds") -> WorkbenchError:
    return WorkbenchError(f"The model is too large for a spreadsheet formula: {reason}. {advice}.")


FORMATS.register(Spreadsheet())
