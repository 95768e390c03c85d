"""A table of ratios: a row a workload, a column a peer, the target beside each ratio."""

from __future__ import annotations

from dataclasses import dataclass, field

MISSED = "!"


@dataclass(frozen=True)
class Cell:
    """Our time as a share of a peer's, and what it may be at most."""

    seconds: float
    ratio: float
    limit: float | None

    @property
    def is_missed(self) -> bool:
        """Whether the ratio is above its target, as it is shown with two digits."""
        return self.limit is not None and round(self.ratio, 2) > round(self.limit, 2)

    def text(self) -> str:
        """Ratio, target and mark; the peer's seconds."""
        limit = "" if self.limit is None else f" ≤ {self.limit:.2f}{MISSED if self.is_missed else ''}"
        return f"{self.ratio:.2f}{limit} ({seconds_text(self.seconds)})"


@dataclass(frozen=True)
class Row:
    """One workload: our seconds and a cell for each peer; or why there are none."""

    key: str
    title: str
    seconds: float = 0.0
    cells: dict[str, Cell] = field(default_factory=dict)
    skipped: str = ""
    disturbed: str = ""


def seconds_text(seconds: float) -> str:
    """Three digits of a time."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def markdown(rows: list[Row], peers: list[str]) -> str:
    """The table in Markdown."""
    lines = [["workload", "ours", *peers], ["---"] * (len(peers) + 2)]
    lines += [_fields(row, peers) for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def plain(rows: list[Row], peers: list[str]) -> str:
    """The table in columns of text."""
    lines = [["workload", "ours", *peers], *(_fields(row, peers) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _fields(row: Row, peers: list[str]) -> list[str]:
    name = f"{row.key}: {row.title}{row.disturbed}"
    if row.skipped:
        return [name, f"skipped: {row.skipped}", *("" for _ in peers)]
    cells = [row.cells[peer].text() if peer in row.cells else "" for peer in peers]
    return [name, seconds_text(row.seconds), *cells]
