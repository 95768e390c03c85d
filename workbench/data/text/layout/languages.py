"""Text that is no table, but of a language that is known: JSON, XML, SQL."""

from __future__ import annotations

import re

from workbench.errors import WorkbenchError

_LANGUAGES = (
    (re.compile(r'\s*[{\[]\s*["{\[]'), "JSON"),
    (re.compile(r"\s*\[\s*(?:-?\d[^,\]\s]*|true|false|null|NaN)?\s*(?:,[^\n]*)?\]\s*?(?:\n|$)"), "JSON"),
    (re.compile(r"\s*<(!doctype\s+html|html|head|body|table)\b", re.IGNORECASE), "a web page"),
    (re.compile(r"\s*<\?xml\b"), "XML"),
    (re.compile(r"(\s*%[^\n]*\n)*\s*@relation\b", re.IGNORECASE), "an ARFF table"),
    (
        re.compile(
            r"(?:\s*+(?:--[^\n]*|/\*[^\n]*\*/;?|(?:SET|BEGIN|START|PRAGMA|USE|LOCK|DROP)\b[^\n]*;)\n)*+"
            r"\s*+(?:(?:CREATE TABLE(?: IF NOT EXISTS)?|INSERT INTO) [\w.`\"\[\]]++ ?(?:\(|VALUES\b)"
            r"|COPY [\w.\"]++ (?:\([^\n]*\) )?FROM stdin;)", re.IGNORECASE,
        ), "statements of SQL",
    ),
    (re.compile(r"\s*+(?:-\[ RECORD 1 \]|\*{9,}+ 1\. row \*{9,}+)"), "records with one value a line"),
    (re.compile(r"%%MatrixMarket\s"), "a sparse matrix"),
    (re.compile(r"\s*+(?:---\n)?- [\w ]++: [^\n]*\n  [\w ]++:"), "YAML"),
    (re.compile(r"\s*+\{\|"), "a page of a wiki"),
    (re.compile(r"version https://git-lfs\."), "a pointer to a table that Git LFS keeps elsewhere"),
)  # fmt: skip


def refuse_languages(text: str, file_name: str) -> None:
    """Say of which language a text is, where it is of one."""
    what = next((what for pattern, what in _LANGUAGES if pattern.match(text)), None)
    if what is not None:
        raise WorkbenchError(f"'{file_name}' holds {what}, not a text table. Save the table as CSV.")
