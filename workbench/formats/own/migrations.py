"""Documents of older versions, brought up to today's: one step a version, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT_VERSION = 4


def version_of(value: Any) -> int:
    """Return a document's version, if it can be read here."""
    version = checks.integer(value, "version", 1, 10**9)
    if version > FORMAT_VERSION:
        raise WorkbenchError(
            "The model was written by a newer version of the Boosting Workbench "
            f"(its document has version {version}, this one knows {FORMAT_VERSION}). Update it."
        )
    return version


def migrated(head: dict[str, Any], version: int) -> dict[str, Any]:
    """Return everything but the trees as today's version says it."""
    for older in range(version, FORMAT_VERSION):
        head = STEPS[older](head)
    return head


def _from_1(head: dict[str, Any]) -> dict[str, Any]:
    """Version 2 keeps what reading repaired, and names every one of several raw predictions."""
    schema = {"journal": [], **checks.mapping(head["schema"], "schema")}
    several = checks.integer(head["n_classes"], "n_classes", 1, 100_000) > 1
    labels = checks.sequence(schema["class_labels"], "schema.class_labels")
    outputs = {"outputs": [str(label) for label in labels]} if several else {}
    return {**outputs, **head, "schema": schema}


def _from_2(head: dict[str, Any]) -> dict[str, Any]:
    """Version 3 packs the figures of nodes in XGBoost's file; all else is as it was."""
    return head


def _from_3(head: dict[str, Any]) -> dict[str, Any]:
    """Version 4 has the history in columns in XGBoost's file; unpacked it is as it was."""
    return head


STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1, 2: _from_2, 3: _from_3}
