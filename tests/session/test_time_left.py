from __future__ import annotations

import pytest

from workbench.session.time_left import TimeLeft, reading_words


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("seconds", "done", "words"),
    [(0.5, 50, ""), (4, 50, "about 4 s left"), (30, 60, "about 20 s left"), (60, 20, "about 4 min left"),
     (5, 0, ""), (5, 100, ""), (5, 99, "about 1 s left")],
)  # fmt: skip
def test_the_rest_goes_as_fast_as_what_is_done(seconds: float, done: int, words: str) -> None:
    clock = Clock()
    left = TimeLeft(clock)
    clock.now += seconds
    assert left.words(done, 100) == words


def test_an_even_pace_counts_down() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    said = []
    for done in range(1, 400):
        clock.now += 0.1 if done % 2 else 0.06
        said.append(left.words(done, 400))
    seconds = [int(words.split()[1]) for words in said if words]
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[0] >= 25


def test_the_sentence_has_rows_share_and_rest() -> None:
    clock = Clock()
    left = TimeLeft(clock)
    clock.now += 12
    assert reading_words("t.csv", 500_000, 1_000_000, left) == (
        "Reading t.csv, 500,000 rows so far, 50 %, about 10 s left."
    )
    assert reading_words("t.csv", 7, 0, left) == "Reading t.csv, 7 rows so far."
