"""Text in other languages: files in `resources/export` with marked places, and long lists."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from workbench.resources import resource_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

T = TypeVar("T")
_PLACE = re.compile(r"@([A-Z_]+)@")


def filled(name: str, values: Mapping[str, str]) -> bytes:
    """Return the template called `name` with every `@PLACE@` filled; what is filled in is not looked at."""
    text = resource_path("export", name).read_text(encoding="utf-8")
    return _PLACE.sub(lambda place: values[place[1]], text).encode("utf-8", "replace")


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of `size`, the last one perhaps shorter."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
