from __future__ import annotations

from pathlib import Path

from workbench.parameters.table import markdown_table


def test_the_readme_shows_the_declared_parameters():
    """Renew with `python -m workbench.parameters.table`."""
    readme = Path(__file__).parents[2] / "README.md"
    after = readme.read_text(encoding="utf-8").split("<!-- parameters -->")[1]
    assert after.split("<!-- /parameters -->")[0].strip() == markdown_table()
