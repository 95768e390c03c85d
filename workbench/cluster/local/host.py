"""The process of a cluster on this machine: the scheduler, and what looks after the workers' processes.

XGBoost's tracker runs beside the scheduler and may end the process that it runs in; here that is nobody's
window and nobody's script. The process ends with the one that started it, however that ended.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from typing import Any

from workbench.cluster.local.quiet import hush
from workbench.priority import lower_group

MEND = "mend"
CLOSE_SECONDS = 8.0
# Its processes look at themselves many times a second, which takes a seventh of a core while nothing is done.
SELDOM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "2s",
}


def main() -> None:
    """Start what the first line of the input says, say its address, and do as the next lines say."""
    given = json.loads(sys.stdin.readline())
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    hush()
    with answers:
        try:
            cluster = _started(**given)
        except Exception as error:
            _say(answers, error=f"{type(error).__name__}: {error}")
            return
        lower_group()
        _say(answers, address=cluster.scheduler_address)
    for line in sys.stdin:  # which ends with who started this
        if line.strip() == MEND:
            cluster.scale(given["n_workers"])
    with suppress(Exception):
        cluster.close(timeout=CLOSE_SECONDS)
    shutil.rmtree(given["local_directory"], ignore_errors=True)


def _started(**given: Any) -> Any:
    import dask
    from distributed import LocalCluster

    dask.config.set(SELDOM)
    return LocalCluster(
        processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50, **given
    )


def _say(answers: Any, **words: str) -> None:
    answers.write(f"{json.dumps(words)}\n")
    answers.flush()


if __name__ == "__main__":
    main()
