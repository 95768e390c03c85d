from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import WorkbenchError
from workbench.estimators import BoostedTreesRegressor
from workbench.parameters import column_values, forced_splits
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
    assert declared.parse(declared.shown(declared.default)) == declared.default


COLUMN_TEXTS = [
    ("column_numbers", "age: 1, income: -1", (("age", 1.0), ("income", -1.0))),
    ("column_numbers", 'age:1 , "a, b": -1', (("age", 1.0), ("a, b", -1.0))),
    ("column_list", "age, sex", ("age", "sex")),
    ("column_list", '"say ""hi""; you"', ('say "hi"; you',)),
    ("column_sets", "age, sex; height", (("age", "sex"), ("height",))),
    ("column_sets", "none", ()),
]


@pytest.mark.parametrize(("kind", "text", "value"), COLUMN_TEXTS)
def test_columns_are_typed(kind, text, value):
    assert column_values.read(kind, text, -1, 1) == value
    assert column_values.read(kind, column_values.written(kind, value), -1, 1) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [("column_numbers", "age"), ("column_numbers", "age: 2"), ("column_numbers", "age: 1, age: 0"),
     ("column_numbers", "age: x"), ("column_list", "a; b"), ("column_list", "a,,b"), ("column_list", '"a'),
     ("column_sets", "a: 1")],
)  # fmt: skip
def test_what_names_no_columns_is_refused(kind, text):
    with pytest.raises(column_values.UnreadableColumns):
        column_values.read(kind, text, -1, 1)


@given(st.lists(st.text(min_size=1).filter(lambda name: name.strip() == name), max_size=4, unique=True))
def test_any_name_can_be_written_and_read(names):
    assert column_values.read("column_list", column_values.written("column_list", tuple(names)), 0, 0) == (
        tuple(names)
    )


def test_columns_from_python():
    params = TrainingParams(monotone_constraints={"age": 1}, interaction_constraints=[["a", "b"], ["c"]])
    assert params.monotone_constraints == (("age", 1.0),)
    assert params.interaction_constraints == (("a", "b"), ("c",))
    assert TrainingParams.from_dict(json.loads(json.dumps(params.to_dict()))) == params


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


SPLIT_TEXTS = [
    ("age<54.5", "age < 54.5"),
    ("age < 5 {no: thal in {normal,fixed}; yes: b = x}", "age < 5 {yes: b = x; no: thal in {normal, fixed}}"),
    ('"a, b" < −1e3 {yes: check in = "in {x}"}', '"a, b" < -1e3 {yes: check in = "in {x}"}'),
    ("thal in {normal}", "thal = normal"),
    ("when < 2020-01-31", "when < 2020-01-31"),
    ('{"column": "age", "below": 3, "no": {"column": "b", "in": ["x", "y"]}}', "age < 3 {no: b in {x, y}}"),
    ({"column": "age", "below": 0.1, "yes": {"column": "b", "equals": 2}}, "age < 0.1 {yes: b = 2}"),
    (" age ", "age"),
    ("age{yes:my thal{no: b};no:chol<2}", "age {yes: my thal {no: b}; no: chol < 2}"),
    ('{"column": "age", "no": {"column": "b", "yes": {"column": "c"}}}', "age {no: b {yes: c}}"),
    ({"column": "None"}, '"None"'),
    ({"column": "a in", "yes": {"column": "in"}}, '"a in" {yes: "in"}'),
    ("thal in", '"thal in"'),
    ({}, ""),
    (" None ", ""),
]


@pytest.mark.parametrize(("given_splits", "text"), SPLIT_TEXTS, ids=str)
def test_splits_are_typed_or_given_as_a_mapping(given_splits, text):
    taken = TrainingParams(forced_splits=given_splits)
    assert taken.forced_splits == text
    assert TrainingParams(forced_splits=text) == taken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("age, chol", "'age, chol' is no split"),
        ("age\nchol", "'age chol' is no split and no name of a column"),
        ("age; chol", "'; chol' does not belong"),
        ('""', "'' is no split and no name of a column"),
        ("age {yes: }", "'}' is no split"),
        ("age {yes: b", "a } is missing"),
        ("age > 3", "'age > 3' is no split"),
        ("age <= 3", "a number must follow 'age <', not '= 3'"),
        ("age < ", "a number must follow 'age <'"),
        ("thal =", "a level must follow 'thal'"),
        ("thal in {a, }", "a level must follow 'thal'"),
        ("age < 3 {yes: b < 1", "a } is missing"),
        ("age < 3 {both: b < 1}", "yes: or no:"),
        ("age < 3 {yes: b < 1; yes: b < 2}", "yes: or no:"),
        ("age < 3 }", "'}' does not belong"),
        ("age < nan", "a number must follow"),
        ("{", "no JSON"),
        ('{"column": "age", "below": 1, "in": ["a"]}', "takes one of below, equals and in, or none"),
        ('{"column": "age", "below": null}', "a number must follow 'age <'"),
        ('{"feature": 3, "threshold": 1}', "a split has column"),
        ("a < 1 {yes: " * 40 + "a < 1" + "}" * 40, "30 deep at most"),
    ],
)  # fmt: skip
def test_what_holds_no_splits_is_refused(text, said):
    with pytest.raises(WorkbenchError) as refusal:
        TrainingParams(forced_splits=text)
    assert said in str(refusal.value)
    assert "forced_splits" in str(refusal.value)


@given(
    st.lists(
        st.text(min_size=1).filter(lambda name: name.strip() == name), min_size=3, max_size=6, unique=True
    ),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_splits_on_any_names_can_be_written_and_read(names, number):
    column, other, *levels = names
    below = {"column": other, "in": levels, "yes": {"column": column, "equals": levels[0]}}
    text = TrainingParams(forced_splits={"column": column, "below": number, "no": below}).forced_splits
    split = forced_splits.read(text)
    assert (split.column, float(split.values[0]), split.no.column) == (column, number, other)
    assert split.no.values == tuple(levels)
    assert split.no.yes.values == (levels[0],)
    assert split.text == text


@given(st.lists(st.text(min_size=1).filter(lambda name: name.strip() == name), min_size=3, max_size=3))
def test_columns_of_any_names_may_stand_alone(names):
    column, yes, no = names
    given = {"column": column, "yes": {"column": yes, "no": {"column": no}}, "no": {"column": no}}
    text = TrainingParams(forced_splits=given).forced_splits
    split = forced_splits.read(text)
    assert [(s.column, s.names_column_alone) for s in split.all] == [(n, True) for n in (column, yes, no, no)]
    assert TrainingParams(forced_splits=text).forced_splits == text


TOO_MUCH = {
    "large": 10**400, "larger": 10**5000, "long": "x" * 500, "lines": "two\nlines", "list": [1] * 500,
    "by column": {"a": 10**400}, "array": np.zeros((30, 30)),
}


@pytest.mark.parametrize("value", TOO_MUCH.values(), ids=TOO_MUCH)
@pytest.mark.parametrize("declared", PARAMETERS, ids=lambda p: p.name)
def test_refusals_are_short(declared, value):
    said = ""
    try:
        TrainingParams(**{declared.name: value})
    except WorkbenchError as refusal:
        said = str(refusal)
    assert "\n" not in said
    assert len(said) < 300


def test_numbers_and_truth_values_of_numpy():
    params = TrainingParams(one_drop=np.True_, max_depth=np.int64(3), reg_lambda=np.float64(0.5))
    assert params == TrainingParams(one_drop=True, max_depth=3, reg_lambda=0.5)
    assert type(params.one_drop) is bool
    by_class = dict(zip(np.unique([0, 1, 1]), [1.0, np.float32(2.0)], strict=True))
    assert TrainingParams(class_weights=by_class).class_weights == (("0", 1.0), ("1", 2.0))
    assert TrainingParams(class_weights={np.True_: 2}).class_weights == (("True", 2.0),)
    with pytest.raises(WorkbenchError, match="max_depth is True"):
        TrainingParams(max_depth=np.True_)


SPELLINGS = {
    "rounds": "num_boost_round n_estimators num_trees nrounds max_iter",
    "gamma": "min_split_loss min_split_gain min_gain_to_split",
    "learning_rate": "eta shrinkage_rate", "reg_alpha": "alpha lambda_l1", "reg_lambda": "lambda lambda_l2",
    "max_leaves": "num_leaves max_leaf_nodes", "min_leaf_rows": "min_child_samples min_samples_leaf",
    "subsample": "bagging_fraction", "colsample_bytree": "feature_fraction",
    "early_stopping_min_change": "tol min_delta", "seed": "random_state", "threads": "nthread n_jobs",
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_of_a_library_is_understood(name):
    assert {resolve(other) for other in SPELLINGS[name].split()} == {name}


@pytest.mark.parametrize("name", ["min_split_loss", "min_gain_to_split", "min_split_gain"])
def test_the_cost_of_a_leaf_is_half_of_what_gains_without_the_half_are_held_against(name):
    assert TrainingParams.from_dict({name: 3}).gamma == TrainingParams().change(**{name: 3.0}).gamma == 1.5
    assert TrainingParams.from_dict({"gamma": 3}).gamma == 3
    assert TrainingParams.from_dict({"lambda_l2": 3}).reg_lambda == 3
    assert BoostedTreesRegressor().set_params(**{name: 3}).gamma == 1.5
    with pytest.raises(WorkbenchError, match="gamma is 'x'"):
        TrainingParams.from_dict({name: "x"})


def test_no_spelling_means_two_parameters():
    owners = [(other, p.name) for p in PARAMETERS for other in p.other_names]
    assert len({other for other, _ in owners}) == len(owners)
    assert [other for other, name in owners if other in TrainingParams().to_dict() and other != name] == []


def test_aliases_of_lightgbm_are_those_that_it_documents():
    aliases = pytest.importorskip("lightgbm").basic._ConfigAliases._get_all_param_aliases()
    for declared in PARAMETERS:
        usual = declared.name_in("lightgbm")
        named = declared.aliases.get("lightgbm", usual)
        assert {*([named] if isinstance(named, str) else named)} <= {*aliases.get(usual, ()), ""}


def test_the_usual_name_in_a_library_is_the_first():
    by_name = {p.name: p for p in PARAMETERS}
    assert by_name["rounds"].name_in("xgboost") == "n_estimators"
    assert by_name["class_weights"].name_in("xgboost") == ""


def test_it_is_shown_by_what_is_not_at_its_default():
    params = TrainingParams(method="friedman", learning_rate=0.3, class_weights={"yes": 2.0})
    assert repr(params) == (
        "TrainingParams(method='friedman', class_weights=(('yes', 2.0),), learning_rate=0.3)"
    )
    assert eval(repr(params)) == params
