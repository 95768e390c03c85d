"""A column that a separator at the end of every row makes: it is none where nothing stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.data.table import TableNote

if TYPE_CHECKING:
    from workbench.data.text.blocks.record_block import RecordBlock
    from workbench.data.text.layout.layout import TextLayout
    from workbench.data.values.cell_rules import CellRules


class SpareColumn:
    """The last column, of which the header says nothing; in a layout without one, nothing.

    Attributes
    ----------
    is_left_out : bool
        Whether there is one, its blocks were seen and nothing stood in them.
    """

    def __init__(self, layout: TextLayout, rules: CellRules) -> None:
        self._name, self._place, self._rules = layout.spare, len(layout.names) - 1, rules
        self.is_left_out = False

    def begin(self, *, is_wanted: bool) -> None:
        """Begin to look at all blocks; a column that is wanted stays."""
        self.is_left_out = bool(self._name) and not is_wanted

    def see(self, block: RecordBlock) -> None:
        """Look at every row of a block."""
        if self.is_left_out and self._is_filled(block):
            self.is_left_out = False

    def _is_filled(self, block: RecordBlock) -> bool:
        if self._place in block.not_numbers:
            return True
        if (values := block.numbers.get(self._place)) is not None:
            return not np.isnan(values).all()
        return not all(self._rules.is_missing(text.strip()) for text in block.texts[self._place].texts)

    def notes(self) -> list[TableNote]:
        """Say what became of it."""
        if not self._name:
            return []
        if self.is_left_out:
            text = "Every row ends with an empty field that has no name, and is left out."
        else:
            text = f"Columns without a name are called after their place (column {self._place + 1})."
        return [TableNote(text, count=1, severity="warning")]
