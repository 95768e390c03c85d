"""What is said of the labels of a column: which mean missing, what goes when they are read, what is odd."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import TableNote
from workbench.data.values.lookalikes import alike_texts, told_apart
from workbench.data.values.places import Places

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from workbench.data.values.cell_rules import CellRules
    from workbench.data.values.labels import Labels

MANY_CATEGORIES = 1000
MOST_NAMED = 3
_TOTAL = re.compile(
    r"(?:[^\n]{0,60}\W)?(?:sub-?|zwischen|grand |sous-)?"
    r"(?:totals?|summe|gesamt|insgesamt|totaal|totale)\s*:?", re.IGNORECASE,
)  # fmt: skip


def missing_notes(name: str, raw: Labels, rules: CellRules) -> list[TableNote]:
    """Say which codes stand for missing in every column."""
    found = [text for text in raw.texts if text.strip() and rules.is_missing(text.strip())]
    return code_notes(name, raw, found)


def code_notes(name: str, labels: Labels, found: Collection[str]) -> list[TableNote]:
    """Say which of the labels mean missing, where there are any."""
    if not found:
        return []
    places = Places.of_texts(labels, found)
    codes = " ".join(sorted({text.strip() for text in found}))
    text = f"Column '{name}': {places.are} missing (code {codes}), {places.first}."
    return [TableNote(text, name, places.count)]


def space_notes(name: str, raw: Labels) -> list[TableNote]:
    """Say that texts stand without the spaces round them; those of numbers and dates mean nothing."""
    spaced = [text for text in raw.texts if text != text.strip() != ""]
    if not spaced:
        return []
    places = Places.of_texts(raw, spaced)
    text = f"Column '{name}': spaces round the text are left out {places.within}."
    return [TableNote(text, name, places.count)]


def formula_notes(name: str, raw: Labels, formulas: list[str]) -> list[TableNote]:
    """Say that texts stand in formulas, as spreadsheets need them to keep their zeros."""
    places = Places.of_texts(raw, formulas)
    what = f"a text in a formula, as {formulas[0]}, {places.first}, and read as that text"
    return [TableNote(f"Column '{name}': {places.are} {what}.", name, places.count)]


def spelling_notes(name: str, labels: Labels) -> list[TableNote]:
    """Say that truth values written in several ways are read as the same."""
    first: dict[str, str] = {}
    others = [text for text in labels.texts if first.setdefault(text.lower(), text) != text]
    if not others:
        return []
    places = Places.of_texts(labels, others)
    spelt = ", ".join([first[others[0].lower()], others[0]])
    what = f"truth values that differ only by case, as {spelt}, are read as one"
    return [TableNote(f"Column '{name}': {what} {places.within}.", name, places.count)]


def level_notes(name: str, labels: Labels) -> list[TableNote]:
    """Say what is odd about categories."""
    notes = []
    folded: dict[str, list[str]] = defaultdict(list)
    for text in _perhaps_similar(labels.texts):
        folded[text.casefold()].append(text)
    similar = [group for group in folded.values() if len(group) > 1]
    if similar:
        places = Places.of_texts(labels, [text for group in similar for text in group[1:]])
        text = (
            f"Column '{name}': categories that differ only by case, as {', '.join(similar[0])}, stay apart "
            f"{places.within}."
        )
        notes.append(TableNote(text, name, places.count, "warning"))
    if alike := alike_texts(labels.texts):
        places = Places.of_texts(labels, [text for group in alike for text in group[1:]])
        text = (
            f"Column '{name}': categories that look the same, as {told_apart(alike[0])}, stay apart "
            f"{places.within}."
        )
        notes.append(TableNote(text, name, places.count, "warning"))
    if len(labels.texts) > MANY_CATEGORIES:
        text = f"Column '{name}' has {len(labels.texts):,} categories."
        notes.append(TableNote(text, name, len(labels.texts), "warning"))
    return notes + _total_notes(name, labels)


def _perhaps_similar(texts: Sequence[str]) -> list[str]:
    """Return the texts that may differ from others only by case: of millions, numbers are held instead."""
    marks = np.fromiter((hash(text.casefold()) for text in texts), np.int64, len(texts))
    found, counts = np.unique(marks, return_counts=True)
    return [texts[place] for place in np.flatnonzero(np.isin(marks, found[counts > 1])).tolist()]


def _total_notes(name: str, labels: Labels) -> list[TableNote]:
    """Say that rows among the others may be totals of them."""
    totals = [text for text in labels.texts[:MANY_CATEGORIES] if _TOTAL.fullmatch(text)]
    if not totals or 2 * len(totals) > len(labels.texts):
        return []
    places = Places.of_texts(labels, totals)
    called = f"Column '{name}': {places.are} called a total, as '{totals[0][:40]}', {places.first}."
    text = f"{called} If these rows count others again, leave them out."
    return [TableNote(text, name, places.count, "warning")]


def refused_notes(name: str, refused: Sequence[str], cells: Places) -> list[TableNote]:
    """Say which labels are no numbers."""
    if not refused:
        return []
    named = ", ".join(f"'{text[:40]}'" for text in refused[:MOST_NAMED])
    more = f" and {len(refused) - MOST_NAMED:,} more" if len(refused) > MOST_NAMED else ""
    text = f"Column '{name}': {cells.are} no number, {cells.first}, and set missing: {named}{more}."
    return [TableNote(text, name, cells.count, "warning")]
