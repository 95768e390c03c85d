"""What the tests try, counted in the tests themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
NO_TABLES = ("manifest.json", ".gitattributes")
FAULTS = {
    "disks and folders that are full, fail or go away while a file is written": (
        "formats/bytes/test_faults.py", "formats/bytes/test_files.py",
    ),
    "model files made to deceive, or to ask for much": ("formats/test_hostile.py", "formats/test_limits.py"),
    "names made to be code": ("formats/test_hostile_names.py",),
    "damaged tables, and ones that change while they are read": (
        "data/test_damaged.py", "data/test_unsteady_files.py",
    ),
}  # fmt: skip


def table() -> str:
    """Return the counts as tables in Markdown."""
    from tests.fuzz.targets import TARGETS

    tried = ["| what | number |", "|---|---|"]
    tried += [f"| {what} | {number:,} |" for what, number in (*_files(), *_models(), *_faults())]
    fuzzed = ["| `python -m tests.fuzz …` | undamaged files it begins with |", "|---|---|"]
    fuzzed += [f"| `{name}` | {len(target.seeds()):,} |" for name, target in TARGETS.items()]
    return "\n".join([*tried, "", *fuzzed])


def _files() -> list[tuple[str, int]]:
    nasty = [path for path in (TESTS / "data" / "nasty").iterdir() if path.name not in NO_TABLES]
    samples = TESTS.parent.joinpath("sample_datasets").glob("*.csv")
    kept = [*(TESTS / "formats" / "kept").iterdir(), *(TESTS / "formats" / "own" / "documents").iterdir()]
    return [
        ("tables made to be misread, each with what it should be read as", len(nasty)),
        ("shipped tables, trained on and predicted here and by XGBoost", len(list(samples))),
        ("kept models of other programs and of older versions", len(kept)),
    ]


def _models() -> list[tuple[str, int]]:
    from tests.formats.odd_models import MAKERS
    from workbench.formats.base import FORMATS

    formats = [one.name for one in FORMATS if one.can_write]
    compared = _collected("formats/test_odd_models.py")
    return [
        ("odd models, each in every format", len(MAKERS)),
        (f"formats they are written in: {', '.join(sorted(formats))}", len(formats)),
        ("models × formats × programs that read them, compared with our predictions", compared),
    ]


def _faults() -> list[tuple[str, int]]:
    return [(f"tests with {what}", _collected(*files)) for what, files in FAULTS.items()]


def _collected(*files: str) -> int:
    """Return how many tests the files have, as pytest finds them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", ""]
    paths = [str(TESTS / file) for file in files]
    found = subprocess.run([*command, *paths], capture_output=True, text=True, check=True, cwd=TESTS.parent)
    return sum("::" in line for line in found.stdout.splitlines())
