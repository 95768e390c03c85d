"""C source that needs no library: the trees as tables, and a walk through them."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.values.columns import LARGEST_READ
from workbench.data.values.known_labels import label_codes
from workbench.data.values.labels import BLANKS
from workbench.formats.base import FORMATS
from workbench.formats.bytes.template import chunks, filled
from workbench.formats.code.links import link_of, precision_said
from workbench.formats.edits import edits_in_ascii
from workbench.formats.one_way import WriteOnly, check_no_nul

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.formats.code.links import Link
    from workbench.formats.model import Model

A_LINE = 16  # numbers
PLAIN = frozenset(range(32, 127)) - frozenset(b'"\\?')


class CSource(WriteOnly):
    """The format `c`: bit-equal raw predictions."""

    name = "c"
    label = "C source"
    suffixes: tuple[str, ...] = (".c",)

    def write(self, model: Model) -> bytes:
        """Return the source. Names stand in it as string literals only."""
        from workbench.ensembles.flat_trees import CODES_BEGIN, COLUMN, DEFAULT_LEFT, LEFT, flatten

        ensemble, schema = model.ensemble.folded(), model.schema
        flat = flatten(ensemble.trees, precision=ensemble.base_margin.dtype)
        questions = flat.questions.T
        numbers = np.where(questions[COLUMN] < 0, flat.values, np.nan_to_num(flat.thresholds))
        offset = ensemble.has_offset
        known = list(map(label_codes, schema.features))
        return filled("model.c.txt", {
            "EDITS": "".join(f" * {line}\n" for line in edits_in_ascii(model)),
            "LARGEST": repr(LARGEST_READ),
            "N_FEATURES": str(len(schema.features)),
            "N_OUTPUTS": str(ensemble.n_classes),
            "N_TREES": str(len(ensemble.trees)),
            "TARGET": _string(schema.target),
            "FEATURES": _list(_string(name) for name in schema.names),
            "CLASSES": _list(_string(str(label)) for label in schema.class_labels),
            "LABEL_BEGIN": _list(accumulate(map(len, known), initial=0)),
            "LABELS": _list((_string(label) for codes in known for label in codes), nothing='""'),
            "BLANKS": _list(map(_string, BLANKS)),
            "LABEL_CODES": _list(code for codes in known for code in codes.values()),
            "BASE": _list(map(_literal, ensemble.base_margin)),
            "REAL": "double" if ensemble.adds_doubles else "float",
            "PRECISION": precision_said(ensemble),
            "ROOTS": _list(flat.roots.tolist()),
            "TREE_OUTPUTS": _list(flat.classes.tolist()),
            "COLUMNS": _list(questions[COLUMN].tolist()),
            "THRESHOLDS": _list(map(_literal, numbers)),
            "YES": _list(questions[LEFT].tolist()),
            "MISSING": _list(questions[DEFAULT_LEFT].tolist()),
            "CODE_BEGIN": _list([*questions[CODES_BEGIN].tolist(), len(flat.codes)]),
            "CODES": _list(flat.codes.tolist()),
            "LINK": _link(link_of(ensemble)),
            "OFFSET": "float offset, " if offset else "",
            "OFFSET_EXAMPLE": "0.0f, " if offset else "",
            "OFFSET_GIVEN": "offset, " if offset else "",
            "START": " + offset" if offset else "",
        })  # fmt: skip


def _list(items: Iterable[object], nothing: str = "0") -> str:
    """Return an initialiser; C has no empty one, so that `nothing` stands in it."""
    lines = [", ".join(map(str, line)) for line in chunks(items, A_LINE)]
    return ",\n    ".join(lines) if lines else nothing


def _literal(value: np.floating[Any]) -> str:
    text = str(value)
    suffix = "f" if value.dtype == np.float32 else ""
    return text + (suffix if "." in text or "e" in text else f".0{suffix}")


def _string(text: str) -> str:
    """Return a literal whose every doubtful byte is an octal escape; "?" too, for trigraphs."""
    check_no_nul(text, "C cannot say")
    octets = text.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(octet) if octet in PLAIN else f"\\{octet:03o}" for octet in octets) + '"'


def _link(link: Link) -> str:
    if link.is_softmax:
        return (
            "    double most = raw[0], sum = 0;\n"
            "    for (k = 1; k < WORKBENCH_OUTPUTS; k++) if (raw[k] > most) most = raw[k];\n"
            "    for (k = 0; k < WORKBENCH_OUTPUTS; k++) sum += prediction[k] = exp(raw[k] - most);\n"
            "    for (k = 0; k < WORKBENCH_OUTPUTS; k++) prediction[k] /= sum;"
        )
    inverse = link.spelling.c.format(f=repr(link.factor))
    return f"    for (k = 0; k < WORKBENCH_OUTPUTS; k++) prediction[k] = {inverse};"


FORMATS.register(CSource())
