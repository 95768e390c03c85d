"""The tokens of the look: every colour has its name here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QColor, QGuiApplication

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QCoreApplication

_TOKENS = {  # name: (light, dark)
    "window": ("EEF0F1", "131619"),
    "panel": ("F8F9F9", "1A1E21"),
    "data": ("FFFFFF", "0F1214"),
    "raised": ("FFFFFF", "23282D"),
    "field": ("FFFFFF", "0F1214"),
    "hover": ("E6E9EB", "272D32"),
    "press": ("DADEE1", "30373D"),
    "tint": ("DCEEEB", "173632"),
    "text1": ("15191D", "E9ECEE"),
    "text2": ("454C54", "B6BDC4"),
    "text3": ("616973", "949DA5"),
    "disabled": ("9BA2A9", "5B636B"),
    "line": ("DFE3E5", "2A3035"),
    "line2": ("C4CACE", "3B434A"),
    "ctl": ("838B94", "727C86"),
    "grid": ("ECEEF0", "1F2428"),
    "accent": ("0B6F68", "45BFB1"),
    "accent_hover": ("095B55", "62D3C5"),
    "on_accent": ("FFFFFF", "06211E"),
    "train": ("1F6AAE", "6CB2F0"),
    "validation": ("B5430A", "FF9358"),
    "score": ("8E3A8C", "D68BD6"),
    "omega": ("75670A", "C4B642"),
    "warning": ("855700", "F0B849"),
    "warning_ground": ("FFF3D6", "352A12"),
    "error": ("B3261E", "FF8A80"),
    "error_ground": ("FDEBE9", "3F1F1D"),
}
_GAIN_RAMP = ("E6EEF7 C0D6EB 8DB6DB 4E8FC7 1F6AAE 0C3F70", "1A2835 23415C 2F628F 4A8BC6 82B9EC C6E2FC")
_WEIGHT_RAMP = (
    "4B2A8C 7653B5 A98FD3 D9CDEB F1F0EE F3DDA6 DFB24C B27D0A 7A5200",
    "CDB8F7 A388E0 755CB3 463A69 2C3034 574820 92721D CFA236 F6D582",
)
_CATEGORIES = (
    "2D2C9F D67C0D 24A589 653402 8B7FFE 805064 4382B0 700F5B BB4409 5A4ECD",
    "7894FD F0A011 AFE4B7 C63C5F B1C2FD 74B5A0 DE640B 5461DA FDD90B 2E89AA",
)
SMALL_MARK_FLOOR = 0.28  # so that the least gain is visible in a small mark


@dataclass(frozen=True)
class Theme:
    """The colours of one scheme.

    Attributes
    ----------
    name : {"light", "dark"}
    tokens : dict of str to str
        Colour as "#RRGGBB" by token.
    gain_ramp, weight_ramp, categories : tuple of str
    """

    name: str
    tokens: dict[str, str]
    gain_ramp: tuple[str, ...]
    weight_ramp: tuple[str, ...]
    categories: tuple[str, ...]

    def color(self, token: str, alpha: float = 1.0) -> QColor:
        """Return the colour of a token."""
        return QColor(_color(self.tokens[token], alpha))

    def on_data(self, token: str, alpha: float) -> QColor:
        """What a colour that lets the ground of data through looks like there; painted sooner than that."""
        over, under = QColor(self.tokens[token]).rgb(), QColor(self.tokens["data"]).rgb()
        parts = [(over >> shift & 255) * alpha + (under >> shift & 255) * (1 - alpha) for shift in (16, 8, 0)]
        return QColor(*map(round, parts))

    def gain(self, share: float) -> QColor:
        """Colour of a gain that is `share` (0 to 1) of the largest."""
        return QColor(_interpolate(self.gain_ramp, share))

    def gain_mark(self, share: float) -> QColor:
        """As `gain`, for small marks: starts where the ramp is visible."""
        return self.gain(SMALL_MARK_FLOOR + (1 - SMALL_MARK_FLOOR) * share)

    def weight(self, signed_share: float) -> QColor:
        """Colour of a leaf weight that is `signed_share` (−1 to 1) of the limit."""
        return QColor(_interpolate(self.weight_ramp, 0.5 + 0.5 * signed_share))

    def gain_marks(self, shares: NDArray[np.float64]) -> NDArray[np.uint32]:
        """The same of many, as 0xffRRGGBB."""
        return _between(self.gain_ramp, SMALL_MARK_FLOOR + (1 - SMALL_MARK_FLOOR) * shares)

    def weights(self, signed_shares: NDArray[np.float64]) -> NDArray[np.uint32]:
        """As `weight`, of many, as 0xffRRGGBB."""
        return _between(self.weight_ramp, 0.5 + 0.5 * signed_shares)

    def category(self, index: int) -> QColor:
        """Colour of the `index`-th run, class or feature; grey beyond ten."""
        if index >= len(self.categories):
            return self.color("ctl")
        return QColor(self.categories[index])


def _make(index: int, name: str) -> Theme:
    def ramp(pair: tuple[str, str]) -> tuple[str, ...]:
        return tuple("#" + stop for stop in pair[index].split())

    tokens = {token: "#" + pair[index] for token, pair in _TOKENS.items()}
    categories = ramp(_CATEGORIES)
    tokens |= {f"category{place}": color for place, color in enumerate(categories)}
    return Theme(name, tokens, ramp(_GAIN_RAMP), ramp(_WEIGHT_RAMP), categories)


LIGHT = _make(0, "light")
DARK = _make(1, "dark")


@lru_cache(maxsize=1024)
def _color(code: str, alpha: float) -> QColor:
    """The same object each time: whoever changes it must copy it."""
    color = QColor(code)
    color.setAlphaF(alpha)
    return color


@cache  # asked for some hundred times a picture
def theme() -> Theme:
    """Return the theme the application shows now."""
    app = QGuiApplication.instance()
    return DARK if app is not None and app.property("theme") == "dark" else LIGHT


def set_theme(app: QCoreApplication, name: str | None) -> None:
    """Let `theme` return another one from now on; None where none is put on."""
    app.setProperty("theme", name)
    theme.cache_clear()


def text_on(ground: QColor) -> QColor:
    """Black or white, whichever has more contrast on `ground`."""
    return QColor("black") if _is_light(ground.rgb()) else QColor("white")


@lru_cache(maxsize=4096)
def _is_light(color: int) -> bool:
    """Whether black has more contrast on a colour than white (WCAG relative luminance)."""
    channels = np.array([color >> 16 & 255, color >> 8 & 255, color & 255]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ np.array([0.2126, 0.7152, 0.0722]))
    return (luminance + 0.05) ** 2 > 1.05 * 0.05


@lru_cache(maxsize=4096)
def _interpolate(stops: tuple[str, ...], position: float) -> QColor:
    place = min(max(position, 0.0), 1.0) * (len(stops) - 1)
    index = min(int(place), len(stops) - 2)
    low, high = _channels(stops)[index : index + 2].tolist()
    share = place - index
    return QColor(*(round(one + (other - one) * share) for one, other in zip(low, high, strict=True)))


@cache
def _channels(stops: tuple[str, ...]) -> NDArray[np.int64]:
    """Red, green and blue of each stop, shape (n, 3)."""
    codes = np.array([int(stop[1:], 16) for stop in stops])[:, None]
    return codes >> np.array([16, 8, 0]) & 255


def _between(stops: tuple[str, ...], positions: NDArray[np.float64]) -> NDArray[np.uint32]:
    """The colours 0xffRRGGBB at positions (0 to 1) between stops."""
    channels = _channels(stops)
    places = np.clip(positions, 0.0, 1.0) * (len(stops) - 1)
    index = np.minimum(places.astype(np.int64), len(stops) - 2)
    low, high, share = channels[index], channels[index + 1], (places - index)[:, None]
    red, green, blue = np.rint(low + (high - low) * share).astype(np.uint32).T
    mixed: NDArray[np.uint32] = np.uint32(0xFF << 24) | red << 16 | green << 8 | blue
    return mixed
