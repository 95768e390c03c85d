"""Damage done to files: to their bytes, and to the values of a JSON document."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

RAW = "@raw@"  # a text that begins so stands for JSON that no Python value can say
NUMBERS = (
    0, 1, -1, 2, 3, 127, 128, 255, 256, -2, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**62, 2**63, 2**64,
    999_999, 10**12, -(10**30), 10**30, 0.5, -0.0, 1e-45, 1e38, 3.5e38, 1e300, -1e300, 5e-324,
    float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
TEXTS = (
    "", "x", "0", "-1", "1e400", "nan", "inf", "9" * 30, "²", "\ud800", "\x00", "a\nb", "é", "\u2028",
    "__proto__", "[", "%300000000d", "%s{0}", "0||1", "1 2",
    RAW + "1e400", RAW + "-1e400", RAW + "9" * 5000, RAW + "0." + "9" * 500,
)  # fmt: skip
TOKENS = (
    b"\x00", b"\xff", b"\x80", b"\r", b"\n", b"\t", b'"', b'""', b"'", b",", b";", b"|", b"#", b"\\", b"=",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"nan", b"inf", b"-", b"1e400", b"1e39", b"-1", b"99999999999",
    b"{", b"}", b"[", b"]", b":", b"null", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x00\x00\x00\x00",
    b"\x7f" + b"\xff" * 7, "\u2028".encode(), "١".encode(), b"1,5", b"1.000,5", b"%", b"2020-13-45", b"NA",
)  # fmt: skip


def changed_bytes(rng: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Return the bytes after one to four changes."""
    raw = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        rng.choice(_BYTE_CHANGES)(rng, raw, others)
    return bytes(raw)


def _flip(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    if raw:
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)


def _set(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    if raw:
        raw[rng.randrange(len(raw))] = rng.randrange(256)


def _insert(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    at = rng.randint(0, len(raw))
    raw[at:at] = rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 40, 1000, 6000))


def _overwrite(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    at, token = rng.randint(0, len(raw)), rng.choice(TOKENS)
    raw[at : at + len(token)] = token


def _remove(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    at = rng.randint(0, len(raw))
    del raw[at : at + rng.choice((1, 1, 2, 4, 8, 64))]


def _repeat(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    at, size = rng.randint(0, len(raw)), rng.choice((1, 4, 16, 100))
    raw[at:at] = raw[at : at + size] * rng.choice((1, 1, 2, 30))


def _cut(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    del raw[rng.randint(0, len(raw)) :]


def _splice(rng: Random, raw: bytearray, others: Sequence[bytes]) -> None:
    other = rng.choice(others)
    at = rng.randint(0, len(raw))
    raw[at:] = other[rng.randint(0, len(other)) :]


def _number(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    """Put another number in the place of one that is written in digits."""
    places = [i for i in range(len(raw)) if 48 <= raw[i] <= 57]
    if not places:
        return
    first = last = rng.choice(places)
    while last < len(raw) and raw[last] in b"0123456789.eE+-":
        last += 1
    raw[first:last] = str(rng.choice(NUMBERS)).encode()


def _lines(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    lines = bytes(raw).split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    raw[:] = b"\n".join(lines)


def _word(rng: Random, raw: bytearray, _: Sequence[bytes]) -> None:
    """Write a small or a huge whole number over some bytes, as lengths and offsets are kept."""
    at, size = rng.randint(0, len(raw)), rng.choice((2, 4, 8))
    value = rng.choice(
        (0, 1, 2, 255, (1 << 8 * size - 1) - 1, (1 << 8 * size) - 1, rng.getrandbits(8 * size))
    )
    raw[at : at + size] = (value % (1 << 8 * size)).to_bytes(size, rng.choice(("little", "big")))


_BYTE_CHANGES = (
    _flip, _flip, _set, _insert, _overwrite, _remove, _repeat, _cut, _splice, _number, _number, _lines, _word,
)  # fmt: skip


class _Twin(str):
    """A key that equals no other, so that a document can have one twice."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def changed_document(rng: Random, document: Any) -> Any:
    """Return the parsed document, changed in place in one to three values."""
    root = {"": document}
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        holder, key = _place(rng, root)
        rng.choice(_VALUE_CHANGES)(rng, root, holder, key)
    return root.get("")


def _place(rng: Random, root: dict[str, Any]) -> tuple[Any, Any]:
    """Walk down at random; what is found in small containers is chosen as often as what is in large ones."""
    holder, key = root, ""
    while isinstance(holder[key], dict | list) and holder[key] and rng.random() > 0.12:
        holder = holder[key]
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    return holder, key


def _odd(rng: Random) -> Any:
    return rng.choice((rng.choice(NUMBERS), rng.choice(TEXTS), None, True, False, [], {}, [[]], {"": 0}))


def _replace(rng: Random, root: Any, holder: Any, key: Any) -> None:
    holder[key] = _odd(rng)


def _delete(rng: Random, root: Any, holder: Any, key: Any) -> None:
    if holder is not root:
        del holder[key]


def _nudge(rng: Random, root: Any, holder: Any, key: Any) -> None:
    value = holder[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        holder[key] = _odd(rng)
        return
    near = [value + 1, value - 1, -value, value * 1e30, ~int(value) if abs(value) < 1e9 else 0, str(value)]
    if isinstance(holder, list):
        near += [rng.randrange(len(holder)), key, rng.choice(holder)]  # so that children come to be parents
    holder[key] = rng.choice(near)


def _twice(rng: Random, root: Any, holder: Any, key: Any) -> None:
    if isinstance(holder, dict) and holder is not root:
        holder[_Twin(key)] = _odd(rng)


def _rename(rng: Random, root: Any, holder: Any, key: Any) -> None:
    if isinstance(holder, dict) and holder is not root:
        holder[rng.choice((*TEXTS[:10], key + "x"))] = holder.pop(key)


def _resize(rng: Random, root: Any, holder: Any, key: Any) -> None:
    found = holder[key] if isinstance(holder[key], list) else holder
    if not isinstance(found, list) or not found:
        holder[key] = [holder[key]] if holder is not root else holder[key]
        return
    how = rng.randrange(6)
    if how == 0:
        found.append(rng.choice(found))
    elif how == 1:
        found.pop(rng.randrange(len(found)))
    elif how == 2:
        rng.shuffle(found)
    elif how == 3:
        found *= rng.choice((2, 3, 50))
    elif how == 4:
        found.clear()
    else:
        found.reverse()


def _swap(rng: Random, root: Any, holder: Any, key: Any) -> None:
    other, place = _place(rng, root)
    if holder is root or other is root:
        return
    if isinstance(holder[key], dict | list) or isinstance(other[place], dict | list):
        holder[key] = copy.deepcopy(other[place])  # so that no value holds itself
    else:
        holder[key], other[place] = other[place], holder[key]


def _nest(rng: Random, root: Any, holder: Any, key: Any) -> None:
    depth = rng.choice((2, 60, 70, 900, 1100, 100_000))
    opening, closing = rng.choice((("[", "]"), ('{"a":', "}")))
    holder[key] = RAW + opening * depth + "0" + closing * depth


_VALUE_CHANGES: tuple[Callable[[Any, Any, Any, Any], None], ...] = (
    _replace, _replace, _replace, _delete, _nudge, _nudge, _nudge, _nudge, _twice, _rename, _resize, _resize,
    _swap, _swap, _nest,
)  # fmt: skip


def written(document: Any) -> bytes:
    """Return the document as JSON text, with what stands for raw JSON put in; b"" where that cannot be."""
    try:
        parts = json.dumps(document, separators=(",", ":")).split(f'"{RAW}')
    except (ValueError, RecursionError):
        return b""
    rest = []
    for part in parts[1:]:
        raw, _, after = part.replace('\\"', "\x00").partition('"')
        rest.append(raw.replace("\x00", '"') + after.replace("\x00", '\\"'))
    return "".join([parts[0], *rest]).encode()
