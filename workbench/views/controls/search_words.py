"""Whether a place in the panel is what a person seeks, in whatever library's or program's spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.parameters.spec import Parameter


def texts_of(declared: Parameter) -> tuple[str, ...]:
    """What a parameter is called here and elsewhere, and what explains it."""
    return (
        declared.name, declared.label, declared.symbol, declared.help, *declared.choices,
        *declared.other_names,
    )


def is_sought(texts: Iterable[str], words: str) -> bool:
    """Whether every word stands in the texts; `--max-depth`, `max_depth` and `max depth` are the same."""
    known = _spelled(" ".join(texts))
    return all(_spelled(word).strip() in known for word in words.split())


def _spelled(text: str) -> str:
    return text.casefold().replace("_", " ").replace("-", " ")
