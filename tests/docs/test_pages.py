"""The pages say what the program does: made parts are new, links lead somewhere, examples run."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import workbench
from tests.docs.commands import anchor
from tests.docs.docstrings import public_names
from tests.docs.examples import LANGUAGES, PROGRAM, command_lines, examples, opens_a_window
from tests.docs.makers import MAKERS
from tests.docs.pages import FOLDER, PAGES, README, parts_of, read, renewed
from workbench.__main__ import main
from workbench.resources import resource_path, sample_path

MOST_LINES = {"README.md": 150, "performance.md": 90}
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@every_page
def test_the_made_parts_are_new(page):
    text = read(page)
    assert text == renewed(text, MAKERS), f"{page.name} is stale. Renew it with: python -m tests.docs"


def test_every_made_part_stands_on_one_page():
    parts = [part for page in PAGES for part in parts_of(read(page))]
    assert sorted(parts) == sorted(MAKERS)


def test_a_stale_part_is_found():
    page = "before\n<!-- made: keys -->\nold\n<!-- /made -->\nafter"
    assert renewed(page, MAKERS) == page.replace("old", MAKERS["keys"]())


def test_the_api_page_has_every_public_name():
    assert public_names() == set(workbench.__all__)


def test_what_is_to_be_short_is_short():
    for page in PAGES:
        assert len(read(page).splitlines()) <= MOST_LINES.get(page.name, 1000), page.name


def test_the_readme_links_every_page():
    linked = {Path(link).name for link in LINK.findall(read(README))}
    assert {page.name for page in PAGES if page != README} <= linked


@every_page
def test_links_lead_somewhere(page):
    for link in LINK.findall(read(page)):
        if link.startswith("https://"):
            continue
        name, _, place = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not place or place in map(anchor, HEADING.findall(read(target))), link


def test_the_pages_come_with_the_program():
    assert resource_path("docs") == FOLDER


@every_page
def test_examples_run(page, tmp_path, monkeypatch, capsys):
    for table in sample_path().glob("*.csv"):
        (tmp_path / table.name).write_bytes(table.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, ""])
    names: dict[str, object] = {"__name__": "page"}
    for example in examples(read(page)):
        assert example.language in LANGUAGES, f"{page.name}, line {example.line}"
        if example.language == "python":
            lines = "\n" * example.line + example.text
            exec(compile(lines, page, "exec"), names)
        elif example.language == "sh":
            for program, *arguments in command_lines(example.text):
                assert program == PROGRAM
                assert main(arguments) == 0, f"{' '.join(arguments)}: {capsys.readouterr().err}"


@pytest.mark.parametrize(
    ("line", "opens"),
    [("workbench", True), ("workbench my.csv", True), ("workbench tour --shots d", True),
     ("workbench train my.csv --target y", False), ("workbench describe x.csv", False)],
)  # fmt: skip
def test_what_opens_a_window_is_not_run(line, opens):
    assert opens_a_window(line.split()) == opens
    assert bool(list(command_lines(line))) == (not opens)
