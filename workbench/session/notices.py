"""What is said to the person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.session.notice import Notice

if TYPE_CHECKING:
    from workbench.session.events import SessionEvents


class Notices:
    """One sentence at a time, and one that outlasts others.

    Attributes
    ----------
    current : Notice or None
    lasting : Notice or None
        Shown wherever there is no other, until the person puts it away.
    """

    def __init__(self, events: SessionEvents) -> None:
        self._events = events
        for signal in (events.params, events.plan, events.what_if):
            signal.connect(self._pass)
        self.current: Notice | None = None
        self.lasting: Notice | None = None

    def say(self, text: str, severity: Any = "info", place: Any = "window", **offers: Any) -> None:
        """Say one sentence in the window; `offers` are those of `Notice`."""
        self.current = Notice(text, severity, place, **offers)
        self._events.notice.emit()

    def say_lasting(self, text: str, place: Any = "window", **offers: Any) -> None:
        """Say one sentence that outlasts others; `offers` are those of `Notice`."""
        self.lasting = Notice(text, "warning", place, **offers)
        self._events.notice.emit()

    @property
    def asks_for_rows(self) -> bool:
        """Whether the person is still to decide about the table of a project."""
        return self.lasting is not None and (self.lasting.offers_table or self.lasting.offers_changed)

    def recall(self) -> None:
        """Show the sentence that outlasts others, in place of the present one."""
        self.current = None
        self._events.notice.emit()

    def recall_error(self) -> None:
        """Take away what went wrong, where it is tried again."""
        if self.current is not None and self.current.severity == "error":
            self.recall()

    def begin(self) -> None:
        """Take away what was said of what was open before; whoever opens announces it."""
        self.current = None
        self.lasting = None if self.asks_for_rows else self.lasting

    def _pass(self) -> None:
        """Take away what was true before something was done."""
        if self.current is not None and self.current.passes:
            self.current = None
            self._events.notice.emit()

    def dismiss(self) -> None:
        """Take the sentence away that is shown."""
        if self.current is None:
            self.lasting = None
        self.current = None
        self._events.notice.emit()
