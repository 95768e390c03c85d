from __future__ import annotations

from workbench.parameters.clashes import Clash
from workbench.parameters.training import TrainingParams
from workbench.session.clash import LastClash, clash_of
from workbench.session.objective_facts import ObjectiveFacts
from workbench.session.plan import Plan


def test_a_clash_is_looked_for_again_only_where_something_else_is_asked_about():
    known, calls, one = LastClash(), [], object()
    found = Clash("gamma", "", "is odd")

    def find():
        calls.append(1)
        return found

    assert known.of((one, None), find) is found
    assert known.of((one, None), find) is found
    assert len(calls) == 1
    known.of((one, one), find)
    known.of((one, one, one), find)
    assert len(calls) == 3


def test_a_method_that_cannot_train_such_a_target_says_so():
    params = TrainingParams(method="steps")
    found = clash_of(params, Plan(), ObjectiveFacts("logistic", "binary"))
    assert found is not None
    assert found.text == ("objective and method clash: steps is for regression targets, and this one is "
                          "binary; choose another method.")
    assert clash_of(params, Plan(), ObjectiveFacts("squared", "regression")) is None
