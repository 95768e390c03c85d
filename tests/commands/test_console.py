"""What a terminal is told: names from files do not steer it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.making import make_model
from workbench.__main__ import main
from workbench.commands.console import on_console

STEERING = "\x1b]0;owned\x07a\nb\r\x9bc\u202e\u2028"
SPELT = "\\u001b]0;owned\\u0007a\\nb\\r\\u009bc\\u202e\\u2028"


@given(st.text())
def test_a_line_is_one_and_can_be_read_back(line):
    shown = on_console(line)
    assert len(shown.splitlines()) == bool(line)
    assert "\x1b" not in shown
    if not {'"', "\\"} & set(line):
        assert json.loads(f'"{shown}"') == line


@pytest.fixture
def model(tmp_path):
    made = make_model(2, "squared", 2, rounds=2, kinds=("number",), names=(STEERING, "x"))
    made = replace(made, provenance={**made.provenance, "notes": [STEERING], "program": STEERING})
    made.save(tmp_path / "m.json")
    (tmp_path / "t.csv").write_text('x,"\x1b[2J"\n1,2\n')
    return tmp_path / "m.json"


@pytest.mark.parametrize("more", [[], ["--tree", "1"]])
def test_inspect(model, more, capsys):
    assert main(["inspect", str(model), *more]) == 0
    told = capsys.readouterr().out
    assert SPELT in told
    assert not set(told) & set("\x1b\x07\r\x9b\u202e\u2028")


def test_predict_and_describe(model, tmp_path, capsys):
    table = str(tmp_path / "t.csv")
    assert main(["predict", str(model), table, "--output", str(tmp_path / "o.csv")]) == 0
    said = capsys.readouterr().err
    assert f"Column '{SPELT}' is missing" in said
    assert "'\\u001b[2J'" in said
    assert main(["describe", table]) == 0
    assert "\\u001b[2J" in (told := capsys.readouterr().out)
    assert "\x1b" not in said + told
