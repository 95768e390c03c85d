"""Peak memory of a fit of W1 in a process of its own, above what the process held before it."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.benchmarks.workloads import W1, Sample, draw

FITS = {"ours": "ours", "LightGBM": "light_gbm", "XGBoost hist": "xgboost_hist"}
MEBIBYTE = 2**20
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes of one unit of ru_maxrss
ROUNDS = 10  # of the fit that is looked at: the peak stands after the first


def peak() -> float:
    """Return the most memory this process has held, in MiB.

    Linux passes ru_maxrss of the starting process on to the started one; VmHWM begins anew.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(x.split()[1]) for x in status.read_text().splitlines() if "VmHWM" in x) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * PEAK_UNIT / MEBIBYTE


def fit_and_look(name: str, folder: Path, threads: int) -> None:
    """In the process of its own: print the peak with the data loaded, after a small fit, after the fit."""
    from tests.benchmarks import peers

    fit = getattr(peers, name)
    data = Sample(np.load(folder / "x.npy"), np.load(folder / "y.npy"), None)
    loaded = peak()
    fit(replace(W1, rounds=1), Sample(data.x[:2000], data.y[:2000], None), threads)
    warmed = peak()
    fit(replace(W1, rounds=ROUNDS), data, threads)
    print(loaded, warmed, peak())


def measure(threads: int) -> None:
    """Print the peaks of each library."""
    data = draw(W1)
    size = data.x.nbytes / MEBIBYTE
    print(f"peak memory of W1, {ROUNDS} rounds, {threads} threads; the data are {size:.0f} MiB", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "x.npy"), data.x)
        np.save(Path(folder, "y.npy"), data.y)
        for label, name in FITS.items():
            words = [sys.executable, "-m", "tests.benchmarks.memory", name, folder, str(threads)]
            said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
            loaded, warmed, most = map(float, said.split()[-3:])
            print(f"  {label:14s} {most - loaded:6.0f} MiB above the loaded data, of which "
                  f"{warmed - loaded:4.0f} MiB by a fit of 2,000 rows", flush=True)


if __name__ == "__main__":
    fit_and_look(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
