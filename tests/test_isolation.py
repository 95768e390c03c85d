"""Names that are written from right to left turn nothing in the text around them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import workbench
from workbench.commands.console import on_console
from workbench.commands.tree_text import tree_lines
from workbench.data.schema import Feature
from workbench.data.table import TableNote
from workbench.errors import WorkbenchError, one_line
from workbench.explain.node_figures import question
from workbench.formats.base import FORMATS
from workbench.isolation import BEGIN, END, isolated
from workbench.views.tree.text import tree_text

ARABIC, HEBREW = "عمود", "עמודה"


@pytest.mark.parametrize("name", [ARABIC, HEBREW, f"x {HEBREW} 3", "٣", f"{ARABIC}\u200c{ARABIC}"])
def test_a_name_from_right_to_left_is_isolated_once(name):
    assert isolated(name) == BEGIN + name + END
    assert isolated(isolated(name)) == isolated(name)


@pytest.mark.parametrize("name", ["age", "", "naïve ✓ 🌲", "年齢", "a−b"])
def test_other_names_stay_as_they_are(name):
    assert isolated(name) == name


def test_signs_in_a_name_do_not_end_its_isolation():
    assert isolated(f"{HEBREW}{END}\u202ex") == f"{BEGIN}{HEBREW}x{END}"


def test_questions_isolate_column_and_categories():
    asked = question(Feature(ARABIC, "numeric"), np.float32(-1.258), np.empty(0, np.int32))
    assert asked.text == f"{BEGIN}{ARABIC}{END} < −1.258"
    kinds = Feature("kind", "category", (ARABIC, "b", HEBREW))
    asked = question(kinds, np.float32(np.nan), np.array([0, 1, 2]))
    assert asked.text == f"kind in {{{isolated(ARABIC)}, b, {isolated(HEBREW)}}}"
    assert asked.values(1) == f"{{{isolated(ARABIC)}, … +2}}"
    assert question(kinds, np.float32(np.nan), np.array([0])).text == f"kind = {isolated(ARABIC)}"


def test_sentences_isolate_names_in_quotes():
    words = f"The model's column '{ARABIC}' is missing in row 3."
    said = f"The model's column '{isolated(ARABIC)}' is missing in row 3."
    assert str(WorkbenchError(words)) == TableNote(words).text == said
    assert one_line(said) == said == on_console(said)


def test_what_does_not_end_is_taken_out_of_a_line():
    for text in (f"a{BEGIN}b", f"a{END}b{BEGIN}", f"a\u2067b{END}"):
        assert not set(one_line(text)) & {BEGIN, END, "\u2067"}
        assert not set(on_console(text)) & {BEGIN, END, "\u2067"}


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    frame = pd.DataFrame({ARABIC: x[:, 0], "b": x[:, 1], HEBREW: x[:, 0] > -0.5})
    return workbench.fit(frame, target=HEBREW, params=workbench.TrainingParams(rounds=2, max_depth=2))


def test_every_text_for_people_isolates_the_names(model):
    tree, schema = model.ensemble.trees[0], model.schema
    asked = f"{isolated(ARABIC)} < "
    texts = ["\n".join(tree_lines(tree, schema)), tree_text(tree, schema, "Tree 1")]
    texts += [FORMATS.get(name).write(model).decode() for name in ("rules", "dot")]
    for text in texts:
        assert asked in text
        assert text.replace(isolated(ARABIC), "").count(ARABIC) == 0
    page = FORMATS.get("html").write(model).decode()
    assert f"<title>Boosted trees for {isolated(HEBREW)}</title>" in page


@pytest.mark.parametrize("name", ["python", "sql", "c"])
def test_what_machines_read_holds_the_bare_name(model, name):
    assert BEGIN not in FORMATS.get(name).write(model).decode()
