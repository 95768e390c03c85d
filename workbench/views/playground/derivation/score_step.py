"""Step 4: the structure scores of two trees beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from workbench.number_text import figure
from workbench.views.controls.label import Label
from workbench.views.formula.formula import FormulaView
from workbench.views.inspector.path.row_chooser import RowChooser
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.playground.derivation.figures_model import FiguresModel
from workbench.views.playground.derivation.omega_step import HEADS, leaf_rows, leaf_table
from workbench.views.playground.derivation.step_section import GAP, StepSection
from workbench.views.playground.derivation.tree_formulas import score_formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.explain.derivation.tree_terms import TreeTerms
    from workbench.views.formula.formula import Formula
    from workbench.views.playground.derivation.subject import Subject
    from workbench.views.playground.derivation.tree_formulas import TreeTexts

ALONE = "The run has one round so far: there is no other tree to compare with."


class ScoreStep(StepSection):
    """The chosen tree at the left, another round's at the right."""

    number = 4
    title = "Structure score of two trees"

    def _build_body(self) -> None:
        self._row = self._beside_each_other = row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(GAP)
        self._column.addLayout(row)
        self.sides: list[_Side] = []

    def build(self) -> Iterator[None]:
        for name in ("Leaves of the tree", "Leaves of the other tree"):
            self.sides.append(_Side(name))
            self._beside_each_other.addWidget(self.sides[-1], 1)
            yield
        self.rounds = RowChooser("Round", "Round of the tree beside", "")
        self.sides[1].head.addWidget(self.rounds)

    def show_subject(self, subject: Subject) -> Iterator[None]:
        own, other, texts = subject.terms, subject.other_terms, subject.other_texts
        formulas = [self.sides[0].show_tree(f"Tree {subject.round}", own, subject.texts, "")]
        yield
        self.sides[1].setVisible(other is not None)
        if other is not None and texts is not None:
            title = f"Tree {subject.other_round}"
            formulas.append(self.sides[1].show_tree(title, other, texts, "2"))
            self.rounds.show_row(subject.other_round - 1, len(subject.run.rounds))
            yield
        self.say(
            "Every leaf at its best weight, Obj* says what a tree is worth by its structure alone: "
            "smaller is better. Each tree is scored on the gradients of its own round.",
            *formulas, remark=ALONE if other is None else _compared(subject, own, other),
        )
        self.formulas.hide()


class _Side(QWidget):
    """One tree: its name, the formula, its leaves."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.title, self.formula, self.model = Label(), FormulaView(), FiguresModel(HEADS)
        self.title.setFont(ui_font(NOTE, bold=True))
        set_look(self.title, tone="2")
        self.head = QHBoxLayout()
        self.head.addWidget(self.title)
        self.head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self.head)
        column.addWidget(self.formula)
        column.addWidget(leaf_table(self.model, name))

    def show_tree(self, title: str, terms: TreeTerms, texts: TreeTexts, name: str) -> Formula:
        """Show a tree, and return its formula."""
        formula = score_formula(terms, texts, name)
        self.title.setText(title)
        self.formula.show_formulas(formula)
        self.model.show_rows(leaf_rows(terms, texts))
        return formula


def _compared(subject: Subject, own: TreeTerms, other: TreeTerms) -> str:
    better = own.structure_score < other.structure_score
    first, second = (subject.round, subject.other_round) if better else (subject.other_round, subject.round)
    gap = abs(own.structure_score - other.structure_score)
    return f"Tree {first} takes {figure(gap)} more off the objective than tree {second}."
