"""What training on a cluster costs."""

from tests.benchmarks.cluster.overhead import main

__all__ = ["main"]
