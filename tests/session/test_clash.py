from __future__ import annotations

from workbench.parameters.clashes import Clash
from workbench.session.clash import LastClash


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
