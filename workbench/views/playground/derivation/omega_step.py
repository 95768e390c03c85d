"""Step 3: Ω of the tree, term by term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHeaderView

from workbench.number_text import count, counted, figure
from workbench.views.look.scale import px
from workbench.views.playground.derivation.figures_model import FiguresModel, FiguresTable
from workbench.views.playground.derivation.step_section import StepSection
from workbench.views.playground.derivation.tree_formulas import omega_formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.explain.derivation.tree_terms import TreeTerms
    from workbench.views.playground.derivation.subject import Subject
    from workbench.views.playground.derivation.tree_formulas import TreeTexts

TALL = 224
HEADS = ("Leaf", "Rows", "G", "H", "w", "G²/(H+λ)")


class OmegaStep(StepSection):
    """The leaves stand in a table, as they are summed."""

    number = 3
    title = "Ω: what the tree costs"

    def beside(self) -> QWidget:
        self.model = FiguresModel(HEADS)
        self.table = leaf_table(self.model, "Leaves of the tree")
        return self.table

    def show_subject(self, subject: Subject) -> Iterator[None]:
        terms, texts = subject.terms, subject.texts
        leaves = counted(terms.n_leaves, "leaf", "leaves")
        self.say(
            f"Every leaf costs γ, and large weights cost λ. {leaves} here: "
            f"γT is {figure(terms.leaf_cost)}, ½λΣw² is {figure(terms.squares)}.",
            omega_formula(terms, texts),
        )
        yield
        self.model.show_rows(leaf_rows(terms, texts))


def leaf_rows(terms: TreeTerms, texts: TreeTexts) -> list[tuple[str, ...]]:
    """The leaves as rows of a table."""
    columns: tuple[Sequence[str], ...] = (
        [str(node) for node in terms.leaves.tolist()], [count(rows) for rows in terms.count.tolist()],
        texts.soft, texts.sum_hessian, texts.weight, texts.term,
    )
    return list(zip(*columns, strict=True))


def leaf_table(model: FiguresModel, name: str) -> FiguresTable:
    """A table of leaves, scrolled where there are many."""
    table = FiguresTable(model, name)
    table.setFixedHeight(px(TALL))
    table.setMinimumWidth(px(260))
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    for narrow in range(HEADS.index("G")):
        header.setSectionResizeMode(narrow, QHeaderView.ResizeMode.ResizeToContents)
    return table
