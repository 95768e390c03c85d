"""A view is complete when constructed: it needs the bench and nothing more."""

from __future__ import annotations

import pytest

from tests.views.made_forest import made_bench, made_session, show
from workbench.session.session import Session
from workbench.views.base import VIEWS

NAMES = sorted(view_class.name for view_class in VIEWS)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_empty", [True, False])
def test_a_view_shows_what_there_is_and_follows(name, is_empty, qtbot, jobs):
    session = Session() if is_empty else made_session()
    made = next(view_class for view_class in VIEWS if view_class.name == name)(made_bench(session, jobs))
    show(qtbot, made, (900, 600))
    assert not made.grab().isNull()
    session.shown.select(round=1, node=0, row=3)
    session.hyperparameters.change(reg_lambda=2.0)
    assert not made.grab().isNull()
