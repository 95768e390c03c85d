"""That a model was edited by hand: as it stands in its provenance, and as every export says it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError, one_line
from workbench.explain.edits.base import record_of
from workbench.formats.bytes import checks
from workbench.number_text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.edits.base import Edit
    from workbench.formats.model import Model

KEY = "edits"  # in the provenance
MOST_EDITS = 100_000
_IN_ASCII = str.maketrans({"−": "-", "→": "to", "…": "...", "≥": ">="})


def edit_entry(edit: Edit, words: str) -> dict[str, Any]:
    """Return an edit as it stands in the provenance of a model: its fields, and what it did in words."""
    return {**record_of(edit), "words": words}


def with_edits(model: Model, entries: Sequence[dict[str, Any]]) -> Model:
    """Return a model that says these edits of its rounds, after those that it says already."""
    known = [*model.provenance.get(KEY, []), *entries]
    kept = up_to(known, model.rounds)
    return replace(model, provenance=model.provenance | {KEY: kept}) if kept else model


def up_to(entries: Sequence[dict[str, Any]], rounds: int) -> list[dict[str, Any]]:
    """Return the edits of the first so many rounds."""
    return [entry for entry in entries if entry["round"] <= rounds]


def checked_entries(value: Any) -> list[dict[str, Any]]:
    """Read the edits that a file says, whoever wrote it."""
    entries = checks.sequence(value, "provenance.edits")
    if len(entries) > MOST_EDITS:
        raise WorkbenchError(f"Damaged model file: it says {len(entries):,} edits; {MOST_EDITS:,} at most.")
    for entry in entries:
        checks.mapping(entry, "an edit")
        for name in ("kind", "words"):
            checks.text(entry.get(name), f"the {name} of an edit")
        checks.text(entry.get("reason", ""), "the reason of an edit")
        checks.integer(entry.get("round"), "the round of an edit", 1, 2**31 - 1)
        if not isinstance(entry["round"], int):
            raise WorkbenchError("Damaged model file: the round of an edit must be a whole number.")
    return entries


def edit_told(entry: dict[str, Any]) -> str:
    """Say one edit in a line, with the reason that was given."""
    reason = entry.get("reason")
    return one_line(f"{entry['words']} ({reason})" if reason else entry["words"])


def edits_told(model: Model) -> list[str]:
    """Say in lines that the trees were edited, and how; none where they were not."""
    entries = model.provenance.get(KEY, [])
    if not entries:
        return []
    return [f"Edited by hand, {counted(len(entries), 'edit')}.", *map(edit_told, entries)]


def edits_in_ascii(model: Model) -> list[str]:
    """Say the same with ASCII alone, and nothing that ends a comment."""
    plain = (line.translate(_IN_ASCII).encode("ascii", "replace").decode() for line in edits_told(model))
    return [line.replace("*/", "* /").rstrip("\\") for line in plain]
