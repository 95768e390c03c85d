"""Models in files that are not read, told by how they begin, and what to save in their place."""

from __future__ import annotations

import re

_XGBOOST = "Save XGBoost's model with save_model('model.json')."
_PICKLE = (
    "a pickle, which can run code as it is opened, so it is not read. Save the model itself: XGBoost with "
    "save_model('m.json'), LightGBM with booster_.save_model('m.txt'), CatBoost with save_model('m.json', "
    "format='json', pool=pool), scikit-learn with the script of 'workbench script'."
)
_KNOWN = (
    (
        re.compile(rb"CBM1"),
        "CatBoost's binary model. Save it with save_model('m.json', format='json', pool=pool).",
    ),
    (re.compile(rb"booster\[0\]:"), f"a dump of trees without objective and base. {_XGBOOST}"),
    (re.compile(rb'\[\s*\{\s*"nodeid"'), f"a dump of trees without objective and base. {_XGBOOST}"),
    (re.compile(rb"binf"), f"an old binary model. {_XGBOOST}"),
)
_PACKED = (
    (b"\x1f\x8b", "packed by gzip"), (b"BZh", "packed by bzip2"), (b"\xfd7zXZ\x00", "packed by xz"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd"), (b"PK\x03\x04", "a zip archive"),
)  # fmt: skip
_MARKED = (b"\xef\xbb\xbf{", b"\xff\xfe{\x00", b"\xfe\xff\x00{")
_UNMARK = "a text with a byte order mark, which no model has. Save it as UTF-8 without one."
_UNPACK = "{}, and models are read unpacked. Unpack it, and give the file in it."
_PICKLES = (re.compile(rb"\x80[\x02-\x05]"), (".pkl", ".pickle", ".joblib"))
_SKOPS_ENDING = ".skops"
_SKOPS = (
    "a file of skops. Load it where scikit-learn is, and save the model by the script of 'workbench script'."
)


def is_unread_model(beginning: bytes, name: str) -> bool:
    """Whether a file that begins so, or is called so, is nothing but a model; a pickle may be a table."""
    return name.lower().endswith(_SKOPS_ENDING) or any(pattern.match(beginning) for pattern, _ in _KNOWN)


def advice_on(beginning: bytes, name: str) -> str | None:
    """Say what the file is and what to save in its place; None where nothing is known of it."""
    for pattern, said in _KNOWN:
        if pattern.match(beginning):
            return said
    begin, endings = _PICKLES
    if begin.match(beginning) or name.lower().endswith(endings):
        return _PICKLE
    if name.lower().endswith(_SKOPS_ENDING):
        return _SKOPS
    if beginning.startswith(_MARKED):
        return _UNMARK
    return next((_UNPACK.format(how) for sign, how in _PACKED if beginning.startswith(sign)), None)
