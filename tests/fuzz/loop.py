"""One target in a process of its own, with limits of memory and time: every input made from its number."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from contextlib import redirect_stdout, suppress
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.targets import TARGETS, Target, refused
from workbench.data.text import reading_plan
from workbench.data.text.blocks.record_scan import RecordScan

MEMORY = 4 << 30  # bytes of addresses, which allocators reserve generously, above what a warm program has
SLOW = 2.0  # seconds of CPU for one small input
STUCK = 20  # seconds of CPU
GROWTH = 100 << 10  # KiB that one small input may add to the peak, and all together to what is kept
KEPT = 25  # findings whose input is kept
WARM = 400  # inputs until imports and caches take no more


class Stuck(BaseException):
    """An input takes for ever; no handler of the product's may take this for damage."""


def input_of(target: Target, seed: int, number: int) -> tuple[bytes, Random]:
    """Return the input of this number, and the source of chance for its check."""
    rng = Random(f"{target.name} {seed} {number}")
    return target.made(rng), rng


class Run:
    """What has happened so far."""

    def __init__(self, out: Path, seed: int) -> None:
        self.out, self.seed = out, seed
        self.count: Counter[str] = Counter()
        self.found: dict[str, dict[str, Any]] = {}

    def add(self, kind: str, where: str, number: int, data: bytes) -> None:
        """Note a finding; the first of its kind keeps its input."""
        self.count["findings"] += 1
        key = f"{kind} at {where}"
        if key in self.found:
            self.found[key]["times"] += 1
        elif len(self.found) < KEPT:
            name = f"{hashlib.sha256(data).hexdigest()[:16]}.input"
            (self.out / name).write_bytes(data)
            self.found[key] = {"number": number, "bytes": len(data), "times": 1, "input": name}

    def save(self, number: int, memory: int, first_memory: int) -> None:
        """Write the state, so that a process that dies leaves its counts."""
        state = {"seed": self.seed, "next": number + 1, "count": self.count, "found": self.found,
                 "resident": memory, "first_resident": first_memory or memory}  # fmt: skip
        (self.out / "state.json").write_text(json.dumps(state))


def _limit_memory() -> None:
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))


def _resident() -> int:
    """Return KiB of memory in use now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 10


def _kept() -> int:
    """Return KiB of memory in use, without what is free and only not given back."""
    gc.collect()
    with suppress(OSError, AttributeError):  # other systems have no such call
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    return _resident()


def _stuck(_signal: int, _frame: Any) -> None:
    raise Stuck


def _where(error: BaseException) -> str:
    """Return the innermost places in the product, or in the check."""
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if "/workbench/" in f.filename or "/fuzz/" in f.filename
    ]
    return " < ".join(f"{Path(f.filename).stem}:{f.lineno}" for f in frames[:-4:-1])


def one(run: Run, target: Target, number: int, data: bytes, rng: Random, folder: Path) -> None:
    """Give one input, and note what came of it."""
    begin, peak = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.setitimer(signal.ITIMER_PROF, STUCK)
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            run.count["refused" if refused(target, data, folder, rng) else "loaded"] += 1
    except (Exception, Stuck) as error:
        text = (str(error).splitlines() or [""])[0][:120]
        run.add(f"{type(error).__name__}: {text}", _where(error), number, data)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if (spent := time.process_time() - begin) > SLOW and len(data) < 10_000:
        run.add("slow", f"{spent:.0f} s", number, data)
    if printed.getvalue():
        run.add("printed", printed.getvalue()[:40], number, data)
    for left in Path(tempfile.gettempdir()).iterdir():
        run.add("left behind", left.name[:10], number, data)
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak
    if grown > GROWTH:
        run.add("memory", f"{grown >> 10} MiB", number, data)


def main(name: str, seed: int, first: int, last: int, out: Path, seconds: float) -> None:
    """Run the inputs `first` to `last`; the number of the one at work stands in the file `at`."""
    target, run = TARGETS[name], Run(out, seed)
    state = out / "state.json"
    if state.exists():
        known = json.loads(state.read_text())
        run.count.update(known["count"])
        run.found.update(known["found"])
    # A preview, a table and its chunks have one layout; finding it is most of the work on a small file.
    reading_plan.find_layout = lru_cache(4)(reading_plan.find_layout)  # type: ignore[assignment]
    warnings.simplefilter("error")
    sys.setswitchinterval(1)
    signal.signal(signal.SIGPROF, _stuck)
    begin, first_memory = time.monotonic(), 0
    at = os.open(out / "at", os.O_WRONLY | os.O_CREAT)
    where = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with (
        tempfile.TemporaryDirectory(prefix="workbench-fuzz-", dir=where) as folder,
        tempfile.TemporaryDirectory(prefix="workbench-fuzz-", dir=where) as tempfile.tempdir,
    ):
        # The kernels and everything imported late; a file that is packed small may be long.
        RecordScan(1, frozenset({0}), frozenset(), ",", ".").columns(b"1\n", 1)
        for known in target.seeds():
            try:
                target.check(known, Path(folder), Random(1))
            except Exception as error:
                run.count[f"seed: {type(error).__name__}"] += 1
        gc.collect()
        gc.freeze()  # what is loaded need not be looked through again and again
        _limit_memory()
        for number in range(first, last):
            data, rng = input_of(target, seed, number)
            os.pwrite(at, number.to_bytes(8, "little"), 0)
            one(run, target, number, data, rng, Path(folder))
            if number == first + WARM:
                first_memory = _kept()
            if number % 100 == 0:
                run.save(number, _resident(), first_memory)
                if time.monotonic() - begin > seconds:
                    break
        memory = _kept()
        if first_memory and memory - first_memory > GROWTH:
            run.add("memory", f"{memory - first_memory >> 10} MiB since the first {WARM}", number, data)
        run.save(number, memory, first_memory)


if __name__ == "__main__":
    main(
        sys.argv[1],
        int(sys.argv[2]),
        int(sys.argv[3]),
        int(sys.argv[4]),
        Path(sys.argv[5]),
        float(sys.argv[6]),
    )
