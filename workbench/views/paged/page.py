"""What every page of a tab has: a name on the switch, and the bench it works on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QRectF, QSize
    from PySide6.QtGui import QPainter

    from workbench.views.base import Bench


class TabPage(QWidget):
    """One page; `synchronize` redraws from the session and writes nothing, and is called while it is seen.

    It is made when it is shown first, or a little before, `build` in several turns. `key` is what stands at
    the right end of the switch.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    order: ClassVar[int] = 0

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench

    def build(self) -> Iterator[None]:
        """Make what takes long, a part each time the next is asked for; all of it before it is shown."""
        yield from ()

    def synchronize(self) -> None:
        """Redraw from the session."""

    def key(self) -> QWidget | None:
        """What the colours mean, or what is chosen for this page."""
        return None

    @property
    def picture_size(self) -> QSize:
        """Of the picture that is written."""
        return self.size()

    def paint_picture(self, painter: QPainter, target: QRectF) -> None:
        """Paint what is shown into a picture."""

    def figures(self) -> list[tuple[Any, ...]]:
        """The figures of what is shown, the first row names."""
        return []

    def restyle(self) -> None:
        """Take over the colours of the present theme."""
        self.update()

    @property
    def words(self) -> str:
        """A sentence for the status line."""
        return ""
