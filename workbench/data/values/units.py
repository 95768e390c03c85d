"""Units of numbers, and which of them are the same quantity in another size: 300 g are 0.3 kg."""

from __future__ import annotations

import re

MEASURE = re.compile(  # a number, and its unit
    r"([-+]?[\d.,][\d.,' ]*(?:[eE][-+]?\d+)?) ?(k?m|[cmµμn]m|mi|ft|yd|kg|[mµμ]?g|lbs?|oz|tons?|[mcdh]?l|gal"
    r"|[°º] ?[CF]|[hkM]?Pa|m?bar|psi|[mk]?V|[mk]?A|[mkMG]?W|[kMG]?Wh|[kMG]?Hz|[kMGT]i?B|k?m/h|kmph|mph|m/s"
    r"|[kcdm]?m[²³23]|ha|acres?|ft²|sq\.? ?ft\.?|[nmµμ]?g/(?:[md]?[lL]|m[³3])|kcal|mmHg"
    r"|bpm|rpm|pp[mb]|ms|s|sec|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|yrs?)"
)
_SIZES: tuple[dict[str, float], ...] = (  # of each quantity, in its smallest unit but for lb and oz
    {"µg": 1e-6, "mg": 1e-3, "g": 1.0, "kg": 1e3, "lb": 453.59237},
    {"nm": 1e-6, "µm": 1e-3, "mm": 1.0, "cm": 10.0, "m": 1e3, "km": 1e6},
    {"ft": 1.0, "yd": 3.0, "mi": 5280.0},
    {"mm²": 1e-2, "cm²": 1.0, "dm²": 100.0, "m²": 1e4, "ha": 1e8, "km²": 1e10},
    {"ft²": 1.0, "acre": 43_560.0},
    {"mm³": 1e-3, "cm³": 1.0, "dm³": 1e3, "m³": 1e6},
    {"ml": 1.0, "cl": 10.0, "dl": 100.0, "l": 1e3, "hl": 1e5},
    {"ms": 1.0, "s": 1e3, "min": 6e4, "h": 3.6e6, "day": 8.64e7, "week": 6.048e8},
    {"month": 1.0, "year": 12.0},
    {"Pa": 1.0, "hPa": 100.0, "mbar": 100.0, "kPa": 1e3, "bar": 1e5, "MPa": 1e6},
    {"mV": 1e-3, "V": 1.0, "kV": 1e3},
    {"mA": 1e-3, "A": 1.0, "kA": 1e3},
    {"mW": 1e-3, "W": 1.0, "kW": 1e3, "MW": 1e6, "GW": 1e9},
    {"Wh": 1.0, "kWh": 1e3, "MWh": 1e6, "GWh": 1e9},
    {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    {"km/h": 1.0, "m/s": 3.6},
    {"ppb": 1.0, "ppm": 1e3},
    {"‰": 1.0, "%": 10.0},
)
_OTHER_NAMES = {
    "mm2": "mm²", "cm2": "cm²", "dm2": "dm²", "m2": "m²", "km2": "km²", "sqft": "ft²", "sq ft": "ft²",
    "sq.ft": "ft²", "sq. ft": "ft²", "sqft.": "ft²", "sq ft.": "ft²", "sq.ft.": "ft²", "sq. ft.": "ft²",
    "mm3": "mm³", "cm3": "cm³", "dm3": "dm³", "m3": "m³", "km3": "km³",
    "µg/m3": "µg/m³", "μg/m3": "µg/m³", "μg/m³": "µg/m³", "ng/m3": "ng/m³", "mg/m3": "mg/m³", "g/m3": "g/m³",
    "μg": "µg", "μm": "µm", "sec": "s", "second": "s", "minute": "min", "hr": "h", "hour": "h",
    "yr": "year", "kmh": "km/h", "kmph": "km/h", "lbs": "lb", "EUR": "€", "GBP": "£", "INR": "₹", "Rs": "₹",
    "Rs.": "₹", "USD": "$", "US$": "$",
}  # fmt: skip


def usual_name(unit: str) -> str:
    """Return the name of a unit under which others are known that mean the same."""
    return _OTHER_NAMES.get(unit, unit)


def factor_between(unit: str, wanted: str) -> float | None:
    """Return by what numbers with a unit are multiplied to have the wanted one; None where none is sure."""
    unit, wanted = usual_name(unit), usual_name(wanted)
    if unit == wanted:
        return 1.0
    sizes = next((sizes for sizes in _SIZES if unit in sizes and wanted in sizes), None)
    return None if sizes is None else sizes[unit] / sizes[wanted]
