"""`make bench`: the booster beside its peers, then the window. One benchmark alone where it is named."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = ("booster", "window", "tables", "profile", "scaling", "latency", "rescoring", "trees", "inspector",
         "reading", "projects", "playground", "explaining", "scripts",
         "views", "cluster")  # fmt: skip


def main(arguments: list[str]) -> None:
    """Run the benchmark that is named first, with the rest as its options."""
    if arguments[:1] in (["--help"], ["-h"]):
        print(f"usage: python -m tests.benchmarks [{' | '.join(NAMES)}] [options]", __doc__, sep="\n\n")
    elif not arguments:
        for name in ("booster", "window"):
            import_module(f"tests.benchmarks.{name}").main()
    elif arguments[0] in NAMES:
        import_module(f"tests.benchmarks.{arguments[0]}").main(arguments[1:])
    else:
        raise SystemExit(f"There is no benchmark {arguments[0]!r}. Known: {', '.join(NAMES)}.")


if __name__ == "__main__":
    main(sys.argv[1:])
