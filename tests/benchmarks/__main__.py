"""`make bench`: every benchmark, one after the other."""

from __future__ import annotations

from tests.benchmarks import booster, window

if __name__ == "__main__":
    booster.main()
    window.main()
