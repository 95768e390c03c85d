"""Damaged files given to every reader and every parser of models, each in a process of its own."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

STILL = 60  # seconds of work on one input after which a process hangs in compiled code


def main(arguments: list[str]) -> None:
    """Fuzz the named targets, or all."""
    from tests.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--inputs", type=int, default=100_000, help="of each target")
    parser.add_argument("--seconds", type=float, default=1e9, help="at most, for each target")
    parser.add_argument("--seed", type=int, default=Random().randrange(10**6))
    parser.add_argument("--only", type=int, metavar="NUMBER", help="give this input alone, without limits")
    parser.add_argument("--out", type=Path, default=Path(".cache/fuzz"), help="where findings are kept")
    parser.add_argument("--resume", action="store_true", help="go on where the last run of this seed stood")
    parser.add_argument("--atheris", action="store_true", help="led by coverage of the Python code")
    parser.add_argument("--count", action="store_true", help="say what all tests try, and fuzz nothing")
    args = parser.parse_args(arguments)
    if args.count:
        from tests.fuzz.counts import table

        print(table())
        return
    if unknown := set(args.targets) - TARGETS.keys():
        parser.error(f"no target {', '.join(sorted(unknown))}")
    for name in args.targets or TARGETS:
        if args.only is not None:
            _only(TARGETS[name], args.seed, args.only)
        elif args.atheris:
            _guided(name, args)
        else:
            print(_line(name, args.seed, _fuzzed(name, args)), flush=True)


def _only(target: Any, seed: int, number: int) -> None:
    from tempfile import TemporaryDirectory

    from tests.fuzz.loop import input_of
    from tests.fuzz.targets import refused

    data, rng = input_of(target, seed, number)
    with TemporaryDirectory() as folder:
        print(refused(target, data, Path(folder), rng) or "loaded")


def _guided(name: str, args: argparse.Namespace) -> None:
    out = args.out / f"{name}-atheris"
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(out), str(args.inputs), str(args.seconds)]
    subprocess.run(command, check=False)


def _fuzzed(name: str, args: argparse.Namespace) -> dict[str, Any]:
    """Start the process, and start it again behind an input that ended it."""
    out = args.out / name
    out.mkdir(parents=True, exist_ok=True)
    known = _state(out) if args.resume else {}
    first = known["next"] if known.get("seed") == args.seed else 0
    if not first:
        for old in out.iterdir():
            old.unlink()
    deaths: list[dict[str, int]] = []
    begin = time.monotonic()
    while first < args.inputs and (left := args.seconds - (time.monotonic() - begin)) > 0:
        command = [
            sys.executable,
            "-m",
            "tests.fuzz.loop",
            name,
            str(args.seed),
            str(first),
            str(args.inputs),
            str(out),
            str(left),
        ]
        status = _watched(subprocess.Popen(command), out / "at")
        if status == 0:
            break
        number = int.from_bytes((out / "at").read_bytes() or bytes(8), "little")
        deaths.append({"number": number, "status": status})
        if len(deaths) > 20 or number < first:
            break
        first = number + 1
    return {**_state(out), "deaths": deaths, "seconds": time.monotonic() - begin}


def _state(out: Path) -> dict[str, Any]:
    path = out / "state.json"
    state: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return state


def _watched(process: subprocess.Popen[bytes], at: Path) -> int:
    """Wait for the end; end what works without moving on."""
    seen, since = b"", 0.0
    while True:
        try:
            return process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            now = at.read_bytes() if at.exists() else b""
            if now != seen or not now:
                seen, since = now, _worked(process.pid)
            elif _worked(process.pid) - since > STILL:
                process.kill()


def _worked(pid: int) -> float:
    """Return seconds of CPU; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def _line(name: str, seed: int, state: dict[str, Any]) -> str:
    count = state.get("count", {})
    total = sum(count.get(kind, 0) for kind in ("loaded", "refused", "findings"))
    grown = (state.get("resident", 0) - state.get("first_resident", 0)) / 1024
    head = (
        f"{name:<15} seed {seed}: {total:,} inputs in {state['seconds']:.0f} s: "
        f"{count.get('loaded', 0):,} loaded, "
        f"{count.get('refused', 0):,} refused, {count.get('findings', 0):,} findings, "
        f"{len(state['deaths'])} crashes; memory {grown:+.0f} MiB since the first 400"
    )
    more = [f"  crash: {death}" for death in state["deaths"]]
    more += [f"  {key}: {found}" for key, found in state.get("found", {}).items()]
    more += [f"  {key}: {n}" for key, n in count.items() if key.startswith("seed")]
    return "\n".join([head, *more])


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    main(sys.argv[1:])
