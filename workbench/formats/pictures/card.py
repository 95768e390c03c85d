"""What a notebook shows of a model: its facts, its curve, its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.formats.pictures.history import history_picture
from workbench.formats.pictures.importance import importance_picture
from workbench.formats.report.parts import text
from workbench.number_text import counted, figure

if TYPE_CHECKING:
    from workbench.formats.model_like import ModelLike

MOST_COLUMNS = 10


def card(model: ModelLike, heading: str = "") -> str:
    """Return a piece of HTML; names stand in it as escaped text only."""
    pieces = [f"<b>{text(heading or repr(model))}</b>", f"<div>{text(', '.join(_facts(model)))}</div>"]
    for picture in (lambda: history_picture(model), lambda: importance_picture(model, most=MOST_COLUMNS)):
        try:
            pieces.append(picture().svg)
        except WorkbenchError:  # what a file does not tell is left out
            continue
    inside = "".join(f'<div style="margin:4px 0">{piece}</div>' for piece in pieces)
    return f'<div style="font-family:system-ui,sans-serif">{inside}</div>'


def _facts(model: ModelLike) -> list[str]:
    facts = [f"method {model.params.method}", counted(model.rounds, "round")]
    if model.params.method != "linear":
        facts.append(counted(len(model.trees), "tree"))
    if model.best_round:
        facts.append(f"best round {model.best_round:,}")
    if model.history:
        last = model.history[-1]
        facts += [f"{key.replace('train:', 'training ').replace('valid:', 'hold-out ')} {figure(last[key])}"
                  for key in last if key.startswith(("train:", "valid:"))][:4]  # fmt: skip
    return facts
