"""An SVG picture, and the shapes that it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.formats.bytes.files import atomic_write
from workbench.formats.report.parts import text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

INK, FAINT, GRID, PAPER = "#1f2933", "#616e7c", "#e4e7eb", "#ffffff"
BLUE, ORANGE = "#0b6bcb", "#c2410c"  # told apart by the colour-blind too
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"
LETTER = 6.4  # pixels of a letter of 12 pixels, more than most take
BOLD_LETTER = 7.2
ANCHORS = {"left": "start", "middle": "middle", "right": "end"}


class Picture:
    """A picture that shows itself in a notebook.

    Attributes
    ----------
    svg : str
        The whole of it.
    """

    def __init__(self, title: str, width: float, height: float, shapes: Iterable[str]) -> None:
        self.title = title
        said = text(title)
        self.svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{said}" font-family="{FONT}" '
            f'font-size="12" fill="{INK}"><title>{said}</title>'
            f'<rect width="{width:.0f}" height="{height:.0f}" rx="6" fill="{PAPER}"/>{"".join(shapes)}</svg>'
        )

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write it to a file, as a whole or not at all."""
        atomic_write(path, self.svg.encode())


def words(x: float, y: float, said: str, side: str = "left", ink: str = INK, *, bold: bool = False) -> str:
    """Return text whose left end, middle or right end stands at (x, y)."""
    look = f'text-anchor="{ANCHORS[side]}" fill="{ink}"' + (' font-weight="600"' if bold else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{text(said)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, ink: str = GRID, dash: str = "") -> str:
    """Return a straight line."""
    look = f'stroke="{ink}"' + (f' stroke-dasharray="{dash}"' if dash else "")
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {look}/>'


def box(x: float, y: float, width: float, height: float, fill: str, stroke: str = "none") -> str:
    """Return a rectangle with round corners."""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}"'
    return f'<rect {place} rx="3" fill="{fill}" stroke="{stroke}"/>'


def dot(x: float, y: float, radius: float, fill: str) -> str:
    """Return a filled circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}"/>'


def cut(said: str, width: float) -> str:
    """Return a text that fits, its middle left out where it is too long."""
    most = max(int(width / LETTER), 4)
    if len(said) <= most:
        return said
    head = (most - 1) // 2
    return f"{said[:head]}…{said[len(said) - (most - 1 - head):]}"


def of_columns(names: Iterable[str]) -> float:
    """Return the room that names of columns need, at most a third of a picture."""
    return min(max((len(name) for name in names), default=4) * LETTER + 20, 240.0)
