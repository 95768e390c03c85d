"""How widgets leave a layout: before they are put elsewhere, and before they are deleted.

Of a layout that is filled first and then added to another, PySide remembers every item, and Qt does not tell
it when it deletes one, as it does where a widget is put elsewhere or ends. What Python makes next at that
place in memory is then taken for the item, and its end is the end of the process. A widget that leaves first
takes its item out of PySide's memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout, QWidget


def leave_layouts(widget: QWidget, *layouts: QLayout) -> None:
    """Take a widget out of those of the layouts that it is in, for it to be put elsewhere."""
    for layout in layouts:
        layout.removeWidget(widget)


def empty_layout(layout: QLayout) -> None:
    """Take every widget out of a layout, and let it end."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
