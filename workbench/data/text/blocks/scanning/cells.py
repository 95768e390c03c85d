r"""Regular records taken apart: numbers to float64, texts to codes of the distinct ones.

What is irregular is left to others: a record of another width, text behind a closing quote, a doubled quote.

    data    1.5,"oslo",7\n2,pune,NA\n…
    values  [number, row]     float64; numbers and texts are counted from the left
    digits  [number, row]     uint8, digits of whole numbers with zeros in front; 0 for others
    padded  [number]          bool, whether there are such
    codes   [text, row]       int32, the place among the distinct texts of the column
    firsts  [text, code, 2]   int32, where in `data` that text stands first: begin and end
    table   [text, hash]      int32, code + 1, or 0
    hard    [cell, 4]         int32, cells that are left to Python: number, row, begin, end
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.text.blocks.scanning.decimals import MOST_DIGITS, nearest
from workbench.data.text.blocks.scanning.digits import read_digits
from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

SKIPPED, NUMBER, TEXT = 0, 1, 2
IRREGULAR = -1

_NEWLINE, _SPACE, _QUOTE, _PLUS, _MINUS, _ZERO, _NINE, _E, _LOWER = (*map(ord, '\n "+-09e'), 32)
_MOST_POWER_DIGITS = 4
_WIDEST = 255
_PRIME, _SEED = np.uint32(16777619), np.uint32(2166136261)  # of the hash FNV-1a
_HALF_HASH = np.uint32(15)


class RecordForm(NamedTuple):
    """How records are written.

    Attributes
    ----------
    separator, decimal : int
        One byte each.
    kinds : ndarray of int8, shape (columns,)
        SKIPPED, NUMBER or TEXT.
    missing : ndarray of uint8
        The codes of missing numbers, one behind the other.
    ends : ndarray of int64
        Where each of them ends.
    """

    separator: int
    decimal: int
    kinds: NDArray[np.int8]
    missing: NDArray[np.uint8]
    ends: NDArray[np.int64]


class NumberCells(NamedTuple):
    """The numbers of a block, as at the top of this file; `digits` and `padded` begin as zeros."""

    values: NDArray[np.float64]
    digits: NDArray[np.uint8]
    padded: NDArray[np.bool_]


class TextCells(NamedTuple):
    """The texts of a block, as at the top of this file.

    `table` begins as zeros, and has a power of two of places for each text, more than there are rows.
    """

    codes: NDArray[np.int32]
    firsts: NDArray[np.int32]
    table: NDArray[np.int32]


@kernel
def read_power(data, place):
    """Return the exponent in e-5 whose sign or first digit stands at `place`, and its end; no end is -1."""
    is_negative = data[place] == _MINUS
    if is_negative or data[place] == _PLUS:
        place += 1
    power, end = read_digits(data, place, 0)
    if not 0 < end - place <= _MOST_POWER_DIGITS:
        return 0, -1
    return -power if is_negative else power, end


@kernel
def read_number(data, begin, decimal):
    """Return the number at `begin`, and its end; -1 where Python must read it, or none is there."""
    is_negative = data[begin] == _MINUS
    first = begin + (is_negative | (data[begin] == _PLUS))
    w, place = read_digits(data, first, 0)
    digits = place - first
    q = 0
    if data[place] == decimal:
        w, end = read_digits(data, place + 1, w)
        q = place + 1 - end
        digits -= q
        place = end
    if digits == 0:
        return 0.0, -1
    while digits > MOST_DIGITS and (data[first] == _ZERO or data[first] == decimal):
        digits -= data[first] == _ZERO
        first += 1
    if digits > MOST_DIGITS:
        return 0.0, -1
    if data[place] | _LOWER == _E:
        power, place = read_power(data, place + 1)
        if place < 0:
            return 0.0, -1
        q += power
    value = nearest(np.uint64(w), q)
    if value < 0.0:
        return 0.0, -1
    return -value if is_negative else value, place


@kernel
def find_cell(data, begin, separator):
    """Return begin and end of the text of a cell, without its quotes, and where what follows it begins."""
    place = begin
    if data[begin] == _QUOTE:
        place += 1
        while place < len(data) and data[place] != _QUOTE:
            place += 1
        return begin + 1, place, place + 1
    while data[place] != separator and data[place] != _NEWLINE:
        place += 1
    return begin, place, place


@kernel
def are_equal(data, begin, end, other, start, stop):
    """Whether two pieces of text are the same."""
    if end - begin != stop - start:
        return False
    for offset in range(end - begin):  # noqa: SIM110 (numba has no generators)
        if data[begin + offset] != other[start + offset]:
            return False
    return True


@kernel
def is_missing(data, begin, end, missing, ends):
    """Whether a cell is empty, or one of the codes that stand one behind the other in `missing`."""
    if begin == end:
        return True
    start = 0
    for stop in ends:
        if are_equal(data, begin, end, missing, start, stop):
            return True
        start = stop
    return False


@kernel
def odd_number(data, begin, end, decimal, missing, ends):
    """Return the number in a cell with spaces behind it or a code instead, and whether it is one."""
    while end > begin and data[end - 1] == _SPACE:
        end -= 1
    if is_missing(data, begin, end, missing, ends):
        return np.nan, True
    value, stop = read_number(data, begin, decimal)
    return value, stop == end


@kernel
def is_padded(data, begin):
    """Whether a digit stands behind a zero; asked without a branch, as every other number begins with one."""
    return (data[begin] == _ZERO) & (data[begin + 1] >= _ZERO) & (data[begin + 1] <= _NINE)


@kernel
def padded_digits(data, begin, end):
    """Return the digits of a whole number with zeros in front, at most 255; 0 where it is none."""
    while end > begin and data[end - 1] == _SPACE:
        end -= 1
    if end - begin < 2 or data[begin] != _ZERO:
        return 0
    _, stop = read_digits(data, begin, 0)
    return min(end - begin, _WIDEST) if stop == end else 0


@kernel
def code_of(data, begin, end, firsts, table, count):
    """Return the code of a text among the `count` known ones of its column, `count` for a new one."""
    state = _SEED
    for place in range(begin, end):
        state = np.uint32((state ^ np.uint32(data[place])) * _PRIME)
    mask = len(table) - 1
    entry = np.int64(state ^ (state >> _HALF_HASH)) & mask
    while table[entry] != 0:
        code = table[entry] - 1
        if are_equal(data, begin, end, data, firsts[code, 0], firsts[code, 1]):
            return np.int64(code)
        entry = (entry + 1) & mask
    table[entry] = count + 1
    firsts[count, 0], firsts[count, 1] = begin, end
    return count


@kernel
def scan(data, form, numbers, texts, counts, hard):
    """Take every record apart; see the top of this file.

    Parameters
    ----------
    data : ndarray of uint8
        Whole records, the last with its line end.
    form : RecordForm
    numbers, texts, hard : NumberCells, TextCells, ndarray of int32
        To be filled.
    counts : ndarray of int64, shape (texts + 1,)
        Begins as zeros; gets the number of distinct texts of each column, and of hard cells at its end.

    Returns
    -------
    int
        Number of records, or IRREGULAR where a record is not regular or `hard` is full.
    """
    separator, decimal, kinds, missing, ends = form
    values, digits, padded = numbers
    codes, firsts, table = texts
    place, row, width = 0, 0, len(kinds)
    while place < len(data):
        if data[place] == _NEWLINE:
            place += 1
            continue
        number, text = -1, -1
        for column in range(width):
            wanted = separator if column + 1 < width else _NEWLINE
            kind = kinds[column]
            number += kind == NUMBER
            text += kind == TEXT
            while data[place] == _SPACE:
                place += 1
            if kind == NUMBER:
                value, end = read_number(data, place, decimal)
                if end > 0 and data[end] == wanted:
                    values[number, row] = value
                    if is_padded(data, place):
                        digits[number, row] = padded_digits(data, place, end)
                        padded[number] |= digits[number, row] > 0
                    place = end + 1
                    continue
            begin, end, place = find_cell(data, place, separator)
            if place >= len(data) or data[place] != wanted or (width == 1 and begin == place):
                return IRREGULAR
            place += 1
            if kind == NUMBER:
                value, is_known = odd_number(data, begin, end, decimal, missing, ends)
                values[number, row] = value
                digits[number, row] = padded_digits(data, begin, end)
                padded[number] |= digits[number, row] > 0
                if not is_known:
                    if counts[-1] == len(hard):
                        return IRREGULAR
                    cell = hard[counts[-1]]
                    cell[0], cell[1], cell[2], cell[3] = number, row, begin, end
                    counts[-1] += 1
            elif kind == TEXT:
                code = code_of(data, begin, end, firsts[text], table[text], counts[text])
                codes[text, row] = code
                counts[text] += code == counts[text]
        row += 1
    return row
