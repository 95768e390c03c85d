"""The pages that people read, and their parts that are made: `<!-- made: NAME -->` … `<!-- /made -->`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "resources" / "docs"
README = ROOT / "README.md"
PAGES = (README, *sorted(FOLDER.glob("*.md")))

_MADE = re.compile(r"(<!-- made: (\w+) -->\n)(.*?)(<!-- /made -->)", re.DOTALL)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def renewed(text: str, makers: dict[str, Callable[[], str]]) -> str:
    """Return a page's text with its made parts made anew."""
    return _MADE.sub(lambda part: part[1] + makers[part[2]]().strip() + "\n" + part[4], text)


def parts_of(text: str) -> tuple[str, ...]:
    """Return the names of a page's made parts."""
    return tuple(part[2] for part in _MADE.finditer(text))
