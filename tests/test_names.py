"""One word, one meaning: no public class of the package has the name of another."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "workbench"


def test_no_public_class_name_stands_twice():
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text("utf-8"), re.MULTILINE):
            places[name].append(str(path.relative_to(PACKAGE.parent)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
