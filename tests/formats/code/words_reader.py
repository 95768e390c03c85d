"""Trees read back from words meant for people: of the rules, of a graph's boxes, of a report's lists."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import numpy as np

from tests.formats.code.dot_reader import read_dot, rows_of

RELATIONS = {"<", "≥", "=", "≠", "in", "not in"}
RELATION = re.compile(r" (<|≥|=|≠|in|not in) ")
END = re.compile(r" or missing\)| and |: add |$")
DECODER = json.JSONDecoder()


@dataclass
class Node:
    """A leaf has `adds`; a split a test, where missing values go, and what follows each answer."""

    adds: float | None = None
    name: str = ""
    relation: str = ""
    value: object = None
    missing: str = ""
    then: dict[str, Node] = field(default_factory=dict)


@dataclass
class Words:
    """What is told of a model."""

    starts: list[float]
    doubles: bool
    offset: str | None
    trees: list[tuple[str, object]]  # the output that each adds to, "" for the only one


def number(text):
    return float(text.replace("−", "-"))


def threshold(text):
    """A number, a date, or the number of a day."""
    if re.match(r"-?\d{4,}-", text):
        return np.datetime64(text.replace(" ", "T"), "s").astype(float) / 86400
    return number(text.removeprefix("day "))


def name_at(text, place, end):
    """A name in quotes or up to where the pattern is found; and the place after it."""
    if text[place : place + 1] == '"':
        return DECODER.raw_decode(text, place)
    stop = end.search(text, place).start()
    return text[place:stop], stop


def question_at(text, place=0, end=END):
    """A question's name, relation and value; and the place after it."""
    name, place = name_at(text, place, RELATION)
    relation = RELATION.match(text, place)
    place = relation.end()
    if relation[1] in ("<", "≥"):
        stop = end.search(text, place).start()
        return name, relation[1], threshold(text[place:stop]), stop
    if relation[1] in ("=", "≠"):
        label, place = name_at(text, place, end)
        return name, relation[1], [label], place
    assert text[place] == "{"
    labels, place = [], place + 1
    while True:
        label, place = name_at(text, place, re.compile(r", |\}"))
        labels.append(label)
        if text[place] == "}":
            return name, relation[1], labels, place + 1
        place += 2


def says_yes(relation, value, given):
    """What a value that is there is answered."""
    if relation in ("<", "≥"):
        return bool(np.float32(given) < np.float32(value)) == (relation == "<")
    return (given in value) == (relation in ("=", "in"))


def added_up(words, outputs, row, offset=None):
    """Raw predictions of a row, a dict: what every tree says, in the precision that the text tells."""
    real = np.float64 if words.doubles else np.float32
    sums = [real(start) for start in words.starts]
    if words.offset is not None:
        sums = [real(start + np.float32(offset)) for start in sums]
    for of, tree in words.trees:
        place = list(outputs).index(of) if of else 0
        sums[place] = real(sums[place] + real(_reached(tree, row)))
    return sums


def _reached(tree, row):
    if isinstance(tree, list):
        held = [adds for conditions, adds in tree if all(_holds(one, row) for one in conditions)]
        assert len(held) == 1, "of each tree one rule holds"
        return held[0]
    while tree.adds is None:
        given = row[tree.name]
        if given is None:
            answer = tree.missing
        else:
            answer = "yes" if says_yes(tree.relation, tree.value, given) else "no"
        tree = tree.then[answer]
    return tree.adds


def _holds(condition, row):
    name, relation, value, with_missing = condition
    return with_missing if row[name] is None else says_yes(relation, value, row[name])


BEGIN = re.compile(r"Begin with ([-\d.e+, ]+?)(?:, plus (.*?))?\. (?:Of each|Add one)", re.DOTALL)


def _words(said, trees):
    begin = BEGIN.search(said)
    offset = begin[2] if begin[2] is None else name_at(begin[2], 0, re.compile("$"))[0]
    assert ("in double precision." in said) != ("in single precision as in training." in said)
    return Words([float(x) for x in begin[1].split(", ")], "in double precision." in said, offset, trees)


def of_rules(text):
    head, *parts = text.split("\nTree ")
    trees = []
    for part in parts:
        first, *lines = part.rstrip("\n").split("\n")
        of = re.fullmatch(r"\d+(?:, for (.*))?:", first)[1] or ""
        trees.append((name_at(of, 0, re.compile("$"))[0], [_rule(line) for line in lines if line]))
    return _words(head, trees)


def _rule(line):
    if line.startswith("  add "):
        return [], float(line.removeprefix("  add "))
    assert line.startswith("  if ")
    conditions, place = [], 5
    while True:
        in_brackets = line[place] == "(" and _is_whole(line, place)
        name, relation, value, place = question_at(line, place + in_brackets)
        if in_brackets:
            assert line.startswith(" or missing)", place)
            place += len(" or missing)")
        conditions.append((name, relation, value, in_brackets))
        if line.startswith(": add ", place):
            return conditions, float(line[place + 6 :])
        assert line.startswith(" and ", place)
        place += 5


def _is_whole(line, place):
    """Whether the bracket is that of "(… or missing)", and not the first sign of a name."""
    *_, stop = question_at(line, place + 1)
    return line.startswith(" or missing)", stop)


def of_dot(text):
    graph = read_dot(text)
    trees = []
    for cluster in graph.clusters:
        [title] = rows_of(cluster.attributes["label"])
        of = re.fullmatch(r"Tree \d+(?:, for (.*))?", title)[1] or ""
        trees.append((name_at(of, 0, re.compile("$"))[0], of_graph(cluster)))
    return _words(" ".join(rows_of(graph.attributes["label"])), trees)


def of_graph(graph):
    """Follow the edges from the only node that none leads to."""
    nodes = {key: _box(rows_of(said["label"])) for key, said in graph.nodes.items()}
    for source, target, said in graph.edges:
        answer, _, missing = said["label"].partition(", ")
        assert answer not in nodes[source].then
        nodes[source].then[answer] = nodes[target]
        if missing:
            nodes[source].missing = answer
    [root] = set(nodes) - {target for _, target, _ in graph.edges}
    return nodes[root]


def _box(rows):
    for row in rows[:2]:
        if row.startswith("adds "):
            return Node(adds=number(row.removeprefix("adds ")))
    name, relation, value, stop = question_at(rows[0], end=re.compile("$"))
    assert stop == len(rows[0])
    return Node(None, name, relation, value)


class _Report(HTMLParser):
    """The section with the trees: numbers by their exact values, names by their elements."""

    def __init__(self, page):
        super().__init__()
        self.trees, self.said, self.of, self.open = [], "", "", []
        self.where, self.names, self.labels, self.every, self.value, self.words = "", [], [], None, None, ""
        self.feed(page[page.index("<h2>Trees</h2>") : page.index("<h2>Parameters</h2>")])
        self.close()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "data":
            self.value = given["value"]
            self.said += given["value"] if self.where == "p" else ""
        elif tag == "p" or (tag == "summary" and not self.open):
            self.where, self.names = tag, []
        elif tag == "details" and self.open:
            self.every = []
        elif tag == "li":
            self._finish()
            self.open.append(Node())
            self.names, self.labels, self.every, self.value, self.words = [], [], None, None, ""
        elif tag == "bdi" and self.where != "p":
            self.where = "label" if given.get("class") == "label" else "name"
            self.names += [""] if self.where == "name" else []
            if self.where == "label":
                (self.labels if self.every is None else self.every).append("")

    def handle_endtag(self, tag):
        if tag == "summary" and not self.open:
            self.of = "".join(self.names)
        if tag == "li":
            self._finish()
            node = self.open.pop()
            if self.open:
                self.open[-1].then[node.answer] = node
            else:
                self.trees.append((_plain(self.of), node))
        self.where = "p" if self.where == "p" and tag != "p" else ""

    def handle_data(self, data):
        if self.where == "name":
            self.names[-1] += data
        elif self.where == "label":
            (self.labels if self.every is None else self.every)[-1] += data
        elif self.where == "p" and self.value is None:
            self.said += data
        elif self.where == "p":
            self.value = None  # the number as it is shown
        elif self.open:
            self.words += data

    def _finish(self):
        """Make a node of what stood before its children."""
        if not self.open or hasattr(self.open[-1], "answer"):
            return
        node, words = self.open[-1], self.words
        node.answer = words.partition(":")[0]
        if not self.names:
            node.adds = float(self.value)
            return
        node.name = _plain(self.names[0])
        node.missing = re.search("missing: (yes|no)", words)[1]
        if self.value is not None:
            node.relation, node.value = "<", float(self.value)
        else:
            node.relation, node.value = "in", [_plain(x) for x in self.every or self.labels]


def _plain(name):
    return json.loads(name) if name.startswith('"') else name


def of_html(page):
    report = _Report(page)
    return _words(report.said, report.trees)


READERS = {"rules": of_rules, "dot": of_dot, "html": of_html}
