from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from workbench.views.tool_tip import as_it_stands, in_lines


@pytest.mark.parametrize("name", ['<img src="x.png"> < 5', "tree 3 › <b>age</b> < 5", "<br> a & b &lt;"])
def test_a_name_that_looks_like_html_is_shown_letter_by_letter(name):
    for made in (as_it_stands(name), in_lines(name)):
        page = QTextDocument()
        page.setHtml(made)
        assert page.toPlainText() == name
        assert "<img" not in page.toHtml()


def test_other_names_stay_as_they_are():
    assert as_it_stands("a < b & c") == in_lines("a < b & c") == "a < b & c"
