"""What a person, or a model, settles of a layout; the rest is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench.data.readers.options import ReadOptions


class Settled(NamedTuple):
    """What is settled of a layout; None is found.

    Attributes
    ----------
    separator : str, optional
    header : bool, optional
        Whether the first record names the columns.
    units : bool, optional
        Whether the record below it is left out; None leaves out what looks like units or a rule.
    first_line : int, optional
        The line in which the table begins, from 1.
    footer : bool, optional
        Whether lines that look like footers are left out; None leaves out the clear ones.
    known : frozenset of str
        Columns of a model: where all of them stand in the first record, it names the columns.
    """

    separator: str | None = None
    header: bool | None = None
    units: bool | None = None
    first_line: int | None = None
    footer: bool | None = None
    known: frozenset[str] = frozenset()

    @classmethod
    def by(cls, options: ReadOptions) -> Settled:
        """Return what options settle."""
        return cls(
            options.separator, options.header, options.units, options.first_line, options.footer,
            frozenset(name.strip() for name, _ in options.known or ()),
        )  # fmt: skip


NOTHING_SETTLED = Settled()
