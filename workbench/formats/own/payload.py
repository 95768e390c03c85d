"""Our own section in XGBoost's file: four attributes, which survive its saving, copying and pickling."""

from __future__ import annotations

import base64
import json
import zlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks
from workbench.formats.bytes.number_lists import json_text
from workbench.formats.own.migrations import FORMAT_VERSION, migrated, version_of
from workbench.formats.own.round_records import unpacked_rounds

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT_KEY, DOCUMENT_KEY, HASH_KEY = "workbench.format", "workbench.document", "workbench.sha256"
FIGURES_KEY = "workbench.figures"
FAST = 1  # of nine levels: the usual six takes several times as long for a few per cent
FEWEST_FOR_A_THREAD = 1 << 20  # bytes
LARGEST_PAYLOAD = 1 << 28
LARGEST_RATIO = 200  # of the section, unpacked, to the file
SURE_RATIO = 4  # what a large file may always hold
SHORTEST_FIGURE = 6  # bytes of a figure of a round in a section where rounds are records


def squeezed(record: dict[str, Any]) -> Callable[[], bytes]:
    """Return what waits for the packed `record`: a large one is packed on a thread meanwhile."""
    text = json_text(record).encode("utf-8", "surrogatepass")
    if len(text) < FEWEST_FOR_A_THREAD:
        return partial(zlib.compress, text, FAST)
    pool = ThreadPoolExecutor(1)
    squeezing = pool.submit(zlib.compress, text, FAST)
    pool.shutdown(wait=False)
    return squeezing.result


def attributes_of(squeezed: bytes, figures: str, sha256: str) -> dict[str, str]:
    """Return the attributes that hold a packed record, and what `packed_figures` packed."""
    return {
        DOCUMENT_KEY: base64.b64encode(squeezed).decode("ascii"),
        FIGURES_KEY: figures,
        FORMAT_KEY: str(FORMAT_VERSION),
        HASH_KEY: sha256,
    }


def unpacked(attributes: dict[str, Any], file_bytes: int) -> dict[str, Any]:
    """Return the record that `squeezed` was given, from a file of this size, as of today's version."""
    version = version_of(attributes[FORMAT_KEY])
    inflate = zlib.decompressobj()
    squeezed = base64.b64decode(checks.text(attributes[DOCUMENT_KEY], DOCUMENT_KEY), validate=True)
    raw = inflate.decompress(squeezed, _most(file_bytes))
    if not inflate.eof:
        raise WorkbenchError("Damaged model file: its own section is cut off or too large.")
    record = checks.mapping(json.loads(raw.decode("utf-8", "surrogatepass")), DOCUMENT_KEY)
    head = checks.mapping(record["model"], "model")
    rounds = unpacked_rounds(head["history"], _most(file_bytes) // SHORTEST_FIGURE)
    return {**record, "model": migrated({**head, "history": rounds}, version)}


def _most(file_bytes: int) -> int:
    return min(LARGEST_RATIO * file_bytes, max(LARGEST_PAYLOAD, SURE_RATIO * file_bytes))
