"""What a text stream notices of a file, however it is cut into blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from workbench.data.text_stream import TextStream

if TYPE_CHECKING:
    import pytest

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
