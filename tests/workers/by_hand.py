"""An executor that works when the test says so."""

from __future__ import annotations

from concurrent.futures import Executor, Future


class ByHand(Executor):
    """Keeps calls until the test runs them."""

    def __init__(self):
        self.calls = []

    def submit(self, call, /, *arguments, **named):
        self.calls.append(lambda: call(*arguments, **named))
        return Future()

    def run_all(self):
        while self.calls:
            self.calls.pop(0)()
