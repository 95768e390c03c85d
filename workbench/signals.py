"""A signal of our own: whoever connected is called, once for all that was said in one act."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Slot = Callable[[], Any]


class Teller:
    """Calls slots at once, or each of them once at the end of an act, whichever signals it hears."""

    def __init__(self) -> None:
        self._depth = 0
        self._waiting: dict[Any, None] = {}  # references to slots, in the order of their calls

    @contextmanager
    def act(self) -> Iterator[None]:
        """Let slots wait until the end of the block, in which a lot may be said."""
        self._depth += 1
        try:
            yield
            if self._depth == 1:
                while self._waiting:
                    slot = next(iter(self._waiting))
                    del self._waiting[slot]
                    _call(slot)
        finally:
            self._depth -= 1
            if not self._depth:
                self._waiting.clear()

    def tell(self, slots: list[Any]) -> None:
        """Call them, or let them wait."""
        if self._depth:
            self._waiting.update(dict.fromkeys(slots))
            return
        for slot in slots:
            _call(slot)


class Signal:
    """Methods are held weakly, other callables strongly."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._slots: list[Any] = []

    def connect(self, slot: Slot) -> None:
        """Call `slot` whenever this is emitted, after those that were connected before."""
        dead = partial(_let_go, self._slots)
        self._slots.append(WeakMethod(slot, dead) if isinstance(slot, MethodType) else _Strong(slot))

    def disconnect(self, slot: Slot) -> None:
        """Call it no more."""
        self._slots[:] = [kept for kept in self._slots if kept() != slot]

    def emit(self) -> None:
        """Tell all who are connected."""
        self._teller.tell(list(self._slots))


class _Strong:
    """A reference to what is no method."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    def __call__(self) -> Slot:
        return self._slot


def _let_go(slots: list[Any], dead: Any) -> None:
    slots[:] = [slot for slot in slots if slot is not dead]


def _call(slot: Any) -> None:
    call = slot()
    if call is not None:
        call()
