"""What a person may settle about how a file is read; what is left open is guessed."""

from __future__ import annotations

import string
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from workbench.data.table import KINDS
from workbench.data.text.layout.separators import CONTROL_SEPARATORS, SEPARATORS
from workbench.data.text.wrappings.aligned import ALIGNED
from workbench.data.values.cell_rules import CellRules
from workbench.data.values.labels import MISSING_CODES
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.data.table import Kind
    from workbench.data.values.cell_rules import DateOrder, DecimalSign
    from workbench.data.values.writing import Writing

ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252 (Western Europe)",
    "iso-8859-15": "ISO 8859-15 (Western Europe, €)",
    "cp1250": "Windows-1250 (Central Europe)",
    "iso-8859-2": "ISO 8859-2 (Central Europe)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "mac_roman": "Mac Roman",
    "cp437": "DOS (437)",
    "cp850": "DOS (Western Europe)",
    "cp866": "DOS (Cyrillic)",
    "koi8_r": "KOI8-R (Russian)",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16, low byte first",
    "utf-16-be": "UTF-16, high byte first",
    "utf-32": "UTF-32",
    "utf-32-le": "UTF-32, low byte first",
    "utf-32-be": "UTF-32, high byte first",
    "shift_jis": "Shift JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "euc_kr": "EUC-KR (Korean)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese, traditional)",
}
EDGE_OPTIONS = frozenset({"header", "units", "first_line", "footer"})
SIZE_OPTIONS = frozenset({"sample_rows", "sample_share", "map_folder", "unpacks_all"})  # of large tables
CELL_OPTIONS = frozenset({"decimal", "missing", "usual_missing", "dates"})
_SEPARATOR_WORDS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";", "pipe": "|",
                    "aligned": ALIGNED}  # fmt: skip
_NO_SEPARATORS = frozenset(string.ascii_letters + string.digits + "\"'+-.#_\n\r")
_SAMPLE = b"a,b\n"


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file; None is a guess from its first bytes.

    Attributes
    ----------
    separator : str, optional
        One ASCII character; a space stands for runs of spaces.
    encoding : str, optional
        Python's name of a text encoding.
    decimal : "." or ",", optional
    header : bool, optional
        Whether the first record names the columns.
    missing : tuple of str, optional
        Texts that stand for missing, beside an empty cell and the usual codes.
    usual_missing : bool, optional
        False where NA, null, ? and the like are no codes.
    dates : "dmy" or "mdy", optional
        The order of dates that end with the year.
    known : tuple of (name, Writing), optional
        How columns are written in the table that a model was trained on, which holds where no cell tells. The
        model says too which columns are dates, so that none are sought among whole numbers.
    part : str, optional
        A sheet of a workbook, or a table in a zip archive.
    merged : bool, optional
        Whether cells of a sheet that are merged over several rows hold their value in each of them; None is
        the first alone.
    first_line : int, optional
        The line in which the table begins, from 1; what stands above it is left out.
    footer : bool, optional
        Whether last lines that look like totals or remarks are left out; None leaves out the clear ones.
    units : bool, optional
        Whether the line below the names is left out; None leaves out what looks like units or a rule.
    kinds : tuple of (name, kind)
        Columns to be read as a kind.
    sample_rows : int, optional
        Of a larger table so many rows are drawn at random, each as likely as any other.
    sample_share : float, optional
        The same with a share of the rows, each drawn by itself.
    map_folder : str, optional
        The folder on whose disk the columns are kept instead of in memory; "" is the usual one for temporary
        files.
    unpacks_all : bool, optional
        Whether packed text is read however much it unpacks to.

    Raises
    ------
    WorkbenchError
        Where a value cannot be.
    """

    separator: str | None = None
    encoding: str | None = None
    decimal: DecimalSign | None = None
    header: bool | None = None
    missing: tuple[str, ...] | None = None
    usual_missing: bool | None = None
    dates: DateOrder | None = None
    known: tuple[tuple[str, Writing], ...] | None = None
    part: str | None = None
    merged: bool | None = None
    first_line: int | None = None
    footer: bool | None = None
    units: bool | None = None
    kinds: tuple[tuple[str, Kind], ...] = ()
    sample_rows: int | None = None
    sample_share: float | None = None
    map_folder: str | None = None
    unpacks_all: bool | None = None

    def __post_init__(self) -> None:
        """Check the values."""
        if self.separator is not None:
            _check_separator(self.separator)
        if self.encoding is not None:
            _check_encoding(self.encoding)
        if self.decimal not in (None, ".", ","):
            raise WorkbenchError(f"The decimal sign is a point or a comma, not '{self.decimal}'.")
        if self.dates not in (None, "dmy", "mdy"):
            raise WorkbenchError(f"The order of dates is dmy or mdy, not '{self.dates}'.")
        if self.first_line is not None and self.first_line < 1:
            raise WorkbenchError(f"The first line of a table is 1 or more, not {self.first_line}.")
        if self.sample_rows is not None and self.sample_rows < 1:
            raise WorkbenchError(f"A sample has at least 1 row, not {self.sample_rows}.")
        if self.sample_share is not None and not 0.0 < self.sample_share <= 1.0:
            raise WorkbenchError(f"The share of a sample is above 0 and at most 1, not {self.sample_share}.")
        if self.sample_rows is not None and self.sample_share is not None:
            raise WorkbenchError("A sample has a number of rows or a share of them; give one of the two.")
        wrong = next((kind for _, kind in self.kinds if kind not in KINDS), None)
        if wrong is not None:
            raise WorkbenchError(f"There is no kind '{wrong}'. Known: {', '.join(KINDS)}.")

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of what is settled."""
        settled = (f.name for f in fields(self) if f.name != "known")
        return tuple(name for name in settled if getattr(self, name) not in (None, ()))

    @property
    def of_cells(self) -> tuple[tuple[str, Any], ...]:
        """What is settled about cells, by name: it holds for other files of the kind, too."""
        return tuple((name, getattr(self, name)) for name in self.chosen if name in CELL_OPTIONS)

    def filled(self, of_cells: Iterable[tuple[str, Any]]) -> ReadOptions:
        """Return these options; of what they leave open about cells, as it was settled elsewhere."""
        return replace(self, **{name: value for name, value in of_cells if getattr(self, name) is None})

    @property
    def is_sample(self) -> bool:
        """Whether only some of the rows are wanted."""
        return self.sample_rows is not None or self.sample_share is not None

    @property
    def bears_much(self) -> bool:
        """Whether a person settled that a table is read which takes long."""
        return bool(self.unpacks_all) or self.is_sample or self.map_folder is not None

    @property
    def cell_rules(self) -> CellRules:
        """What holds for cells."""
        codes = frozenset(code.strip() for code in self.missing or ())
        if self.usual_missing is False:
            rules = CellRules(self.decimal, codes | {""}, frozenset(), self.dates)
        else:
            rules = CellRules(self.decimal, MISSING_CODES | codes, dates=self.dates)
        return rules if self.known is None else replace(rules, known=self.known, finds_days=False)

    def names_column(self, name: str) -> bool:
        """Whether something is settled, or known, of a column."""
        return self.kind_of(name) is not None or name in dict(self.known or ())

    def kind_of(self, name: str) -> Kind | None:
        """Return the kind in which a column is wanted."""
        return dict(self.kinds).get(name)


GUESS_ALL = ReadOptions()


def separator_of(text: str) -> str:
    """Return the separator that a word or a character stands for."""
    return _SEPARATOR_WORDS.get(text.strip().lower(), text) if text != " " else text


def _check_separator(separator: str) -> None:
    if separator in SEPARATORS or separator in CONTROL_SEPARATORS or separator == ALIGNED:
        return
    if len(separator) != 1 or not separator.isascii() or separator in _NO_SEPARATORS or not (
        separator.isprintable()
    ):  # fmt: skip
        raise WorkbenchError(
            f"{separator!r} cannot separate fields. Choose one sign, such as , ; | : or a tab or a space."
        )


def _check_encoding(encoding: str) -> None:
    try:
        is_usable = _SAMPLE.decode("ascii").encode(encoding).decode(encoding, "replace") == "a,b\n"
    except (LookupError, UnicodeError, ValueError, TypeError):
        is_usable = False
    if not is_usable:
        raise WorkbenchError(
            f"There is no text encoding '{encoding}'. Known are {', '.join(list(ENCODINGS)[:4])} and others."
        )
