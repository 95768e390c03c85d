"""The README's table of parameters, from the declarations: `python -m workbench.parameters.table`."""

from __future__ import annotations

import sys

from workbench.parameters.training import PARAMETERS

HEAD = "| parameter | | what it does | default | allowed | XGBoost |\n|---|---|---|---|---|---|"


def markdown_table() -> str:
    """Return one row a parameter."""
    rows = [
        f"| `{p.name}` | {p.symbol} | {p.help} | {p.shown(p.default)} | {p.allowed()} "
        f"| {_code(p.name_in('xgboost'))} |"
        for p in PARAMETERS
    ]
    return "\n".join([HEAD, *rows])


def _code(name: str) -> str:
    return f"`{name}`" if name else ""


if __name__ == "__main__":
    sys.stdout.write(markdown_table() + "\n")
