"""Step 6: pre-stopping beside post-pruning: which splits γ kills either way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QBoxLayout, QHeaderView, QVBoxLayout

from workbench.explain.node_figures import weight_limit
from workbench.number_text import counted, figure
from workbench.views.controls.label import Label
from workbench.views.formula.digits import agreeing, exact, follows, result, value
from workbench.views.formula.formula import Formula
from workbench.views.formula.parts.letter import Letter
from workbench.views.formula.parts.number import Number
from workbench.views.formula.parts.row import Row
from workbench.views.formula.parts.sign import Sign
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.weight_limits import WeightScale
from workbench.views.playground.derivation.figures_model import FiguresModel, FiguresTable
from workbench.views.playground.derivation.step_section import GAP, StepSection
from workbench.views.playground.small_tree import SmallTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.explain.derivation.split_fates import Outcome
    from workbench.views.playground.derivation.subject import Subject

HEADS = ("Node", "Asks", "½[…]", "− γ", "Best below", "Pre-stopping", "Post-pruning")
ASKS = 1
TALL = 224
PLUS, TIMES, EQUALS = Sign("+"), Sign("·"), Sign("=")
WAYS = (("pre", "Pre-stopping"), ("post", "Post-pruning"))
KEPT, KILLED, GONE = "stays", "killed", "not reached"


class PruningStep(StepSection):
    """Two small trees, and a line a split."""

    number = 6
    title = "Pre-stopping and post-pruning"

    def _build_body(self) -> None:
        self.trees, self.titles = (SmallTree(), SmallTree()), (Label(), Label())
        self._row = row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(GAP)
        for (_, name), title, tree in zip(WAYS, self.titles, self.trees, strict=True):
            tree.setAccessibleName(f"Tree with {name.lower()}")
            title.setFont(ui_font(NOTE, bold=True))
            set_look(title, tone="2")
            side = QVBoxLayout()
            side.setSpacing(6)
            side.addWidget(title)
            side.addWidget(tree)
            row.addLayout(side, 1)
        self.model = FiguresModel(HEADS, (ASKS,))
        self.table = FiguresTable(self.model, "Splits and what γ does to them")
        self.table.setFixedHeight(px(TALL))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(ASKS, QHeaderView.ResizeMode.Stretch)
        self._column.addLayout(row)
        self._column.addWidget(self.formulas)
        self._column.addWidget(self.table)

    def show_subject(self, subject: Subject) -> Iterator[None]:
        fates, gamma = subject.fates, subject.assumed.gamma
        limit = weight_limit([subject.tree.nodes["weight"]])
        outcomes = (fates.pre, fates.post)
        sides = zip(WAYS, self.titles, self.trees, outcomes, strict=True)
        for (_, name), title, view, outcome in sides:
            leaves = counted(outcome.tree.n_leaves, "leaf", "leaves")
            title.setText(f"{name}: {leaves}, Obj* {figure(outcome.structure_score)}")
            view.show_tree(outcome.tree, subject.schema, WeightScale(0.0, limit))
        yield
        pairs = zip(WAYS, outcomes, strict=True)
        told = [outcome_formula(way, outcome, gamma) for (way, _), outcome in pairs]
        dead = [sum(not getattr(split, way) for split in fates.splits) for way, _ in WAYS]
        self.say(
            f"Stopping before a split that gains less than γ never sees what lies below it; pruning grows "
            f"first and takes away only splits below which nothing pays. With γ {exact(gamma)}, of "
            f"{counted(len(fates.splits), 'split')} {dead[0]} fall the first way, {dead[1]} the second.",
            *told, remark=self._grown(subject),
        )
        yield
        stays = [{split.node: getattr(split, way) for split in fates.splits} for way, _ in WAYS]
        rows = [
            (str(split.node), subject.questions[split.node],
             result(split.loss_change), result(split.gain), result(split.best_below),
             *(_fate(subject, split.node, by_node) for by_node in stays))
            for split in fates.splits
        ]
        yield
        fallen = [line for line, split in enumerate(fates.splits) if not (split.pre or split.post)]
        self.model.show_rows(rows, fallen)

    def _grown(self, subject: Subject) -> str:
        stored = subject.stored.gamma
        if stored <= 0.0:
            return ""
        return (f"The tree was grown with γ {exact(stored)}: splits that fell while it was trained are not "
                f"among these, so a smaller γ brings none back.")


def outcome_formula(way: str, outcome: Outcome, gamma: float) -> Formula:
    """Obj* of what is left: Σ score + γT."""
    leaves = Number(str(outcome.tree.n_leaves))
    cost = Number(exact(gamma))

    def write(decimals: int) -> tuple[str, str]:
        return result(outcome.scores, decimals), result(outcome.structure_score)

    def agrees(made: tuple[str, str]) -> bool:
        return follows(float(value(made[0])) + gamma * outcome.tree.n_leaves, made[1])

    scores, end = agreeing(write, agrees)
    number = Number(scores)
    letters = Letter("score"), Letter("γ"), Letter("T")
    steps = (Row((letters[0], PLUS, letters[1], TIMES, letters[2])),
             Row((number, PLUS, cost, TIMES, leaves, EQUALS, Number(end, result=True))))
    values = tuple(zip(letters, (number, cost, leaves), strict=True))
    return Formula(Letter("Obj*", way), steps, values, inline=True)


def _fate(subject: Subject, node: int, stays: dict[int, bool]) -> str:
    """What becomes of a split: it stays, it is killed, or it went with one above it."""
    if stays[node]:
        return KEPT
    parent = int(subject.tree.nodes["parent"][node])
    return KILLED if parent < 0 or stays[parent] else GONE
