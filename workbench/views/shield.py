"""No exception leaves a method that Qt calls: one that does is raised anew in the midst of other calls.

Qt paints cell after cell; where one fails below another method of ours, PySide keeps the exception and goes
on calling us with it pending, until the process falls.
"""

from __future__ import annotations

import sys
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOTHING = {"rowCount": 0, "columnCount": 0, "count": 0}  # what is answered where Qt has no answer of its own


def shield_overrides(package: str = "workbench") -> None:
    """Let what classes of `package` override of Qt's hand its exceptions to `sys.excepthook`.

    Of the classes that are there now: all modules of the window are loaded before it is built.
    """
    for owner in set(_below(QObject)):
        if owner.__module__.split(".")[0] == package:
            base = next(one for one in owner.__mro__ if one.__module__.startswith("PySide6"))
            for name, method in list(vars(owner).items()):
                is_bare = isinstance(method, FunctionType) and not hasattr(method, "__wrapped__")
                if is_bare and not name.startswith("__") and hasattr(base, name):
                    setattr(owner, name, _shielded(method, getattr(base, name)))


def _below(owner: type) -> Iterator[type]:
    made: type
    for made in owner.__subclasses__():
        yield made
        yield from _below(made)


def _shielded(method: FunctionType, base: Callable[..., Any]) -> Callable[..., Any]:
    name = method.__name__
    answers = not name.endswith("Event") and not name.startswith(("paint", "draw"))

    @wraps(method)
    def call(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
        return _answer(base, name, arguments) if answers else None

    return call


def _answer(base: Callable[..., Any], name: str, arguments: tuple[Any, ...]) -> Any:
    try:
        return base(*arguments)
    except NotImplementedError:
        return NOTHING.get(name)
