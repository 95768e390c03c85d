"""Which of the encodings before UTF-8 a text is in: guessed by the letters that it would hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOOKED_AT = 1 << 16  # bytes from the line of the first one beyond ASCII on
FEWEST = 8  # bytes beyond ASCII, to tell another script by
CLEARLY = 0.9  # of the signs are usual ones
MOSTLY = 0.6
BETTER = 0.1  # than by Windows-1252
WESTERN = "cp1252"
_HIGH = re.compile(rb"[\x80-\xff]+")
_OF_WEST = frozenset("äöüÄÖÜßéèêëÉÈÊàâáãåÀÂÁÅçñÑíìîïÍóòôõÓúùûÚøØæÆœ€£°²³µ§±«»–—…’‘“”„•®©½¿¡ªº\u00a0")
_OF_CENTRE = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽőűŐŰăâîşţöüäß€–„”")
_OF_TURKEY = frozenset("şŞıİğĞüöçÜÖÇâî€–“”’")
_CYRILLIC = frozenset("оеаинтсрвлкмдпуязыбгчйхжшюцщэфіїєґў")  # small letters, as most of a text is
_GREEK = frozenset("αοιετσνηυρπκμλςάέήίόύώγδβχθφξζψω")
_LATIN = (("iso-8859-15", _OF_WEST), ("mac_roman", _OF_WEST), ("cp850", _OF_WEST), ("cp1250", _OF_CENTRE),
          ("iso-8859-2", _OF_CENTRE), ("cp1254", _OF_TURKEY))  # fmt: skip
_SCRIPTS = (("cp1251", _CYRILLIC), ("koi8_r", _CYRILLIC), ("cp866", _CYRILLIC), ("cp1253", _GREEK))


def find_code_page(data: bytes) -> str:
    """Return the encoding of a text that is not UTF-8; Windows-1252 where nothing speaks for another."""
    first = _HIGH.search(data)
    if first is None:
        return WESTERN
    begin = data.rfind(b"\n", 0, first.start()) + 1
    text = data[begin : begin + LOOKED_AT]
    if len(text) == LOOKED_AT:
        text = text[: text.rfind(b"\n") + 1] or text
    runs = sorted(set(_HIGH.findall(text)))  # a label that recurs says no more than once
    high = b"".join(runs)
    if high == b"\xff":  # damage oftener than the blank of DOS
        return WESTERN
    if len(high) >= FEWEST and 2 * len(runs) <= len(high):  # letters beyond ASCII side by side
        found = _of_two_bytes(text) or _likeliest(high, _SCRIPTS, MOSTLY)
        if found is not None:
            return found
    likeliest = _likeliest(high, _LATIN, max(CLEARLY, _share(high, WESTERN, _OF_WEST) + BETTER))
    return likeliest or WESTERN


def _share(high: bytes, encoding: str, usual: frozenset[str]) -> float:
    """Return the share of the characters that are usual."""
    return sum(map(usual.__contains__, high.decode(encoding, "replace"))) / max(len(high), 1)


def _likeliest(high: bytes, tried: tuple[tuple[str, frozenset[str]], ...], least: float) -> str | None:
    """Return the encoding by which most characters are usual, and at least so many."""
    shares = {encoding: _share(high, encoding, usual) for encoding, usual in tried}
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] >= least else None


def _of_two_bytes(text: bytes) -> str | None:
    """Return an encoding of two bytes a sign in which all is text of its language."""
    for codec, is_text, encoding in (
        ("euc_jp", _are_japanese, "euc_jp"), ("cp932", _are_japanese, "shift_jis"),
        ("euc_kr", _are_korean, "euc_kr"), ("gb2312", _are_chinese, "gb18030"),
        ("big5", _are_chinese, "big5"),
        ("cp932", _are_chinese, "shift_jis"), ("gb18030", _are_chinese, "gb18030"),
    ):  # fmt: skip
        if _decodes(text, codec, is_text):
            return encoding
    return None


def _decodes(text: bytes, codec: str, is_text: Callable[[list[str]], bool]) -> bool:
    try:
        signs = [sign for sign in text.decode(codec) if sign > "\x7f"]
    except UnicodeDecodeError:
        return False
    letters = [sign for sign in signs if sign.isalpha()]  # ㈱, ① and ℃ are of no language
    return 2 * len(signs) >= FEWEST and len(letters) > 0 and is_text(letters)


def _are_japanese(signs: list[str]) -> bool:
    """Whether kana stand among ideographs."""
    kana = sum("\u3040" <= sign <= "\u30ff" for sign in signs)
    return 20 * kana >= len(signs) and kana + _ideographs(signs) >= CLEARLY * len(signs)


def _are_korean(signs: list[str]) -> bool:
    return sum("\uac00" <= sign <= "\ud7a3" for sign in signs) >= CLEARLY * len(signs)


def _are_chinese(signs: list[str]) -> bool:
    return _ideographs(signs) >= CLEARLY * len(signs)


def _ideographs(signs: list[str]) -> int:
    return sum("\u4e00" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef" for sign in signs)
