"""What a text stream notices of a file, however it is cut into blocks."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.data.text.stream.text_stream import NEAR, TextStream

if TYPE_CHECKING:
    from pathlib import Path

LINES = st.lists(st.text("a,é\0漢 ", max_size=9), min_size=1, max_size=12)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 40), st.booleans())
def test_the_line_and_the_character_of_the_first_nul_byte_are_found(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, block_bytes: int, is_ended: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "stream.csv"
    path.write_bytes((end.join(lines) + end * is_ended).encode())
    stream = TextStream(path, "utf-8", ",", block_bytes)
    given_out = b"".join(stream).decode()
    assert given_out.rstrip("\n") == "\n".join(lines).replace("\0", "").rstrip("\n")
    assert stream.nul_bytes == sum(line.count("\0") for line in lines)
    first = next(((n, line.index("\0")) for n, line in enumerate(lines) if "\0" in line), None)
    if first is None:
        assert (stream.nul_line, stream.nul_place) == (0, 0)
    else:
        assert (stream.nul_line, stream.nul_place) == (first[0] + 1, first[1] + 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blocks_end_with_lines_however_long_these_are(tmp_path: Path, end: str) -> None:
    random = np.random.default_rng(0)
    lengths = [int(n) for n in random.integers(0, 400, 3_000)]
    lengths[700:702] = [3 * NEAR, NEAR]
    lines = [f"{number},{'x' * length}" for number, length in enumerate(lengths)]
    lines[1_500] = '1500,"' + "y\n" * NEAR + '"'
    path = tmp_path / "t.csv"
    path.write_bytes(end.join(lines).encode())
    stream = TextStream(path, "utf-8", ",", NEAR + 1)
    blocks, begins = [], []
    for block in stream:
        begins.append(stream.lines)
        assert (block.endswith(b"\n"), stream.block_lines) == (True, block.count(b"\n"))
        assert block.count(b'"') % 2 == 0
        blocks.append(block)
    assert b"".join(blocks) == "\n".join([*lines, ""]).encode()
    assert begins == np.cumsum([0, *(block.count(b"\n") for block in blocks[:-1])]).tolist()
    assert stream.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert len(blocks) > 5
