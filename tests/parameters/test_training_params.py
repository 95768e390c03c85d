from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import WorkbenchError
from workbench.parameters.training import GROUPS, PARAMETERS, TrainingParams, resolve


@pytest.mark.parametrize("declared", PARAMETERS, ids=lambda p: p.name)
def test_every_declaration_is_complete_and_its_default_is_allowed(declared):
    assert declared.check(declared.default) == declared.default
    assert declared.group in GROUPS
    assert declared.help.endswith(".")
    assert declared.label
    if declared.kind in ("real", "integer") and not declared.optional:
        low, high = declared.slider
        assert declared.lower <= low < high <= declared.upper


@pytest.mark.parametrize("declared", PARAMETERS, ids=lambda p: p.name)
def test_text_shown_for_a_value_reads_back_as_the_value(declared):
    assert declared.parse("none" if declared.default is None else str(declared.default)) == declared.default


@given(st.one_of(st.floats(), st.text(max_size=5), st.none(), st.booleans(), st.integers()))
def test_any_value_is_either_taken_or_refused_in_one_line(value):
    for declared in PARAMETERS:
        said = ""
        try:
            taken = TrainingParams(**{declared.name: value})
        except WorkbenchError as refusal:
            said = str(refusal)
        if said:
            assert declared.name in said
            assert "\n" not in said
        else:
            assert TrainingParams.from_dict(taken.to_dict()) == taken


def test_names_of_other_libraries_are_understood():
    assert resolve("eta") == "learning_rate"
    assert resolve("lambda_l2") == "reg_lambda"
    assert resolve("n_estimators") == "rounds"
    with pytest.raises(WorkbenchError, match="no parameter 'depht'"):
        resolve("depht")


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-3", 0.001), ("−5", None), ("abc", None), ("0.5", 0.5), ("2,5", 2.5), ("1,000", None)],
)
def test_typed_text_for_lambda(text, value):
    declared = next(p for p in PARAMETERS if p.name == "reg_lambda")
    if value is None:
        with pytest.raises(WorkbenchError, match="reg_lambda"):
            declared.parse(text)
    else:
        assert declared.parse(text) == value
