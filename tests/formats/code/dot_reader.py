"""Graphviz's language as its grammar has it, for what a digraph of clusters needs."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(->|[{}\[\]=;,])|([A-Za-z_]\w*))', re.DOTALL)
ENTITY = re.compile(r"&#?\w+;")  # which Graphviz shows as a character; without ";" it is text


@dataclass
class Graph:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, dict[str, str]] = field(default_factory=dict)  # of "node", of "edge"
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    clusters: list[Graph] = field(default_factory=list)


def read_dot(text):
    tokens = _tokens(text)
    assert next(tokens) == ("word", "digraph")
    graph = Graph(_name(next(tokens)))
    assert next(tokens) == ("mark", "{")
    _fill(graph, tokens)
    assert next(tokens, None) is None
    return graph


def rows_of(label):
    """The rows that are seen: escapes and entities undone."""
    rows = [""]
    for plain, escaped in re.findall(r"([^\\]+)|\\(.)", label, re.DOTALL):
        assert escaped in ("", "n", "\\", '"'), f"\\{escaped} would be replaced"
        if escaped == "n":
            rows.append("")
        else:
            rows[-1] += plain or escaped
    return [ENTITY.sub(lambda found: html.unescape(found[0]), row) for row in rows]


def _tokens(text):
    place = 0
    while text[place:].strip():
        found = TOKEN.match(text, place)
        assert found, f"no token: {text[place:place + 40]!r}"
        place = found.end()
        kind = ("string", "mark", "word")[found.lastindex - 1]
        yield kind, found[found.lastindex]


def _fill(graph, tokens):
    for kind, value in tokens:
        if (kind, value) == ("mark", "}"):
            return
        if (kind, value) == ("word", "subgraph"):
            graph.clusters.append(Graph(_name(next(tokens))))
            assert next(tokens) == ("mark", "{")
            _fill(graph.clusters[-1], tokens)
            continue
        _statement(graph, _name((kind, value)), tokens)


def _statement(graph, name, tokens):
    mark = next(tokens)
    if mark == ("mark", "="):
        graph.attributes[name] = _name(next(tokens))
        assert next(tokens) == ("mark", ";")
    elif mark == ("mark", "->"):
        target = _name(next(tokens))
        assert next(tokens) == ("mark", "[")
        graph.edges.append((name, target, _attributes(tokens)))
    else:
        assert mark == ("mark", "[")
        named = graph.defaults if name in ("graph", "node", "edge") else graph.nodes
        assert name not in named
        named[name] = _attributes(tokens)


def _attributes(tokens):
    found = {}
    while True:
        name = _name(next(tokens))
        assert next(tokens) == ("mark", "=")
        found[name] = _name(next(tokens))
        mark = next(tokens)
        if mark == ("mark", "]"):
            assert next(tokens) == ("mark", ";")
            return found
        assert mark == ("mark", ",")


def _name(token):
    assert token[0] in ("word", "string"), token
    return token[1]
