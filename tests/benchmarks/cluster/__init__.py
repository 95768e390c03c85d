"""What training on a cluster costs; with "window" first, how long the window stalls while it does."""

from __future__ import annotations

from tests.benchmarks.cluster import beats, overhead


def main(arguments: list[str]) -> None:
    """Run one of both."""
    if arguments[:1] == ["window"]:
        beats.main(arguments[1:])
    else:
        overhead.main(arguments)


__all__ = ["main"]
