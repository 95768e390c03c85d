"""What is said of the models that were kept."""

from __future__ import annotations

from pathlib import Path

from workbench.shell.kept_models import kept_words


def test_every_kept_file_is_named():
    paths = [Path("/kept") / f"a-run{number}.json" for number in range(1, 5)]
    said = kept_words(paths)
    assert all(path.name in said for path in paths)
    assert kept_words(paths[:1]) == f"What was trained and not exported is kept: {paths[0]}"
    assert kept_words([]) == ""
