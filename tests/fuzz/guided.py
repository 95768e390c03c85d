"""One target led by the coverage of its Python code, for as long as is wanted: libFuzzer through atheris."""

from __future__ import annotations

import sys
import tempfile
import warnings
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["workbench.formats", "workbench.data"]):
    from tests.fuzz.targets import TARGETS, refused

LARGEST = 10_000


def main(name: str, out: Path, inputs: int, seconds: float) -> None:
    """Run libFuzzer on the seeds of one target; a finding ends it, its input in the folder `out`."""
    target = TARGETS[name]
    corpus = out / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed {number}").write_bytes(seed)
    warnings.simplefilter("error")
    folder = tempfile.TemporaryDirectory(prefix="workbench-fuzz-")

    def one(data: bytes) -> None:
        refused(target, data, Path(folder.name), Random(len(data)))

    def change(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        try:
            return target.damage(rng, data, target.seeds())[:most]
        except Exception:  # no longer of the kind whose structure is known
            return bytes(atheris.Mutate(data, most))

    limits = [f"-runs={inputs}", f"-max_total_time={int(min(seconds, 10**8))}", f"-max_len={LARGEST}"]
    limits += ["-timeout=20", "-rss_limit_mb=3000", f"-artifact_prefix={out}/"]
    atheris.Setup([sys.argv[0], *limits, str(corpus)], one, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
