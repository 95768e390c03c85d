r"""Tables of LaTeX: cells parted by &, rows that end with \\."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.data.text.wrappings.base import WRAPPINGS, Wrapping

if TYPE_CHECKING:
    from workbench.data.text.wrappings.base import FirstLines

_BEGIN = re.compile(r"\\begin\{(?:tabular|tabularx|longtable|array)\*?\}")
_CELL_END = re.compile(r"(?<!\\)&")
_ROW_END = re.compile(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline")
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|addlinespace|(?:cline|cmidrule)(?:\([a-z]+\))?\{[^}]*\})(?:\[[^\]]*\])?"
)
_MULTICOLUMN = re.compile(r"\\multicolumn\{\d+\}\{[^}]*\}\{([^{}]*)\}")
_IN_COMMAND = re.compile(r"\\(?:textbf|textit|texttt|emph|mathrm|mathbf|text|num|bf|it)\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\([&%_#$])|[${}]")
_REMARK = "The commands of LaTeX round the cells are left out."


class Latex:
    """An environment for tables."""

    name = "LaTeX"
    order = 12

    def find(self, lines: FirstLines) -> Wrapping | None:
        """Return how such lines are read."""
        return Wrapping(_plain_rows, _REMARK, "|") if _is_latex("\n".join(lines.as_they_stand)) else None


WRAPPINGS.register(Latex())


def _is_latex(text: str) -> bool:
    """Whether a table of LaTeX begins in the text."""
    return _BEGIN.search(text) is not None


def _plain_rows(text: str) -> str:
    """Write the cells of each row with bars between them; other lines are empty."""
    return "\n".join(map(_plain_row, text.split("\n")))


def _plain_row(line: str) -> str:
    row = _RULE.sub("", _ROW_END.sub("", line)).strip()
    cells = _CELL_END.split(row)
    return "|".join(map(_plain_cell, cells)) if len(cells) > 1 else ""


def _plain_cell(cell: str) -> str:
    """Return what a cell shows, in quotes where a bar or a quote is in it."""
    text = _IN_COMMAND.sub(r"\1", _MULTICOLUMN.sub(r"\1", cell)).replace("{,}", ",").replace("~", " ")
    text = _ESCAPED.sub(lambda found: found[1] or "", text).strip()
    return '"' + text.replace('"', '""') + '"' if '"' in text or "|" in text else text
