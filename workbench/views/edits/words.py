"""What a receipt says, as texts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from workbench.isolation import isolated
from workbench.number_text import count, counted, figure, fixed, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.edits.receipt import Move, Receipt
    from workbench.explain.edits.roads import Road
    from workbench.session.run import Run
    from workbench.validation.noise_floor import NoiseFloor

MOST_DECIMALS = 7
SIGNIFICANT = 2  # digits of a change
Line = tuple[str, str, str, str, str]


def pair_texts(before: float, after: float) -> tuple[str, str, str]:
    """Return two figures and their difference, with so many decimals that it can be seen."""
    change = after - before
    if not math.isfinite(change):
        return figure(before), figure(after), "–"
    if change == 0:
        return figure(before), figure(after), "0"
    size = max(abs(before), abs(after))
    wanted = SIGNIFICANT - 1 - math.floor(math.log10(abs(change)))
    least = 3 - math.floor(math.log10(size))
    decimals = min(max(wanted, least, 0), MOST_DECIMALS)
    if round(abs(change), decimals) == 0 or size >= 1e9:
        return figure(before), figure(after), _signed_digits(change)
    return fixed(before, decimals), fixed(after, decimals), signed(change, decimals)


def _signed_digits(value: float) -> str:
    """A change in a few digits: "+1.2e−09"."""
    text = figure(value, SIGNIFICANT)
    return text if value <= 0 or text == "0" else f"+{text}"


def verdict(
    before: float, after: float, *, higher_is_better: bool = False, noise: float = math.nan
) -> str:
    """Say of the second what the two figures allow, and no more; "" where they are the same, or unknown.

    It is "lower" or "higher" while `noise`, how far such a figure moves by chance, is not known; else it is
    "better" or "worse" beyond it, or within it.
    """
    change = after - before
    if not math.isfinite(change) or change == 0:
        return ""
    if not math.isfinite(noise):
        return "higher" if change > 0 else "lower"
    width = f"noise ± {figure(noise, 2)}"
    if abs(change) <= noise:
        return f"within {width}"
    return f"{'better' if (change > 0) == higher_is_better else 'worse'}, {width}"


def noise_of(run: Run, metric: str, round: int, floor: NoiseFloor | None) -> float:
    """Return how far a hold-out metric moves by chance after a round; NaN where that is not known."""
    return math.nan if floor is None or not run.rounds[-1].valid else floor.at(metric, round)


def figure_lines(run: Run, receipt: Receipt, floor: NoiseFloor | None = None) -> list[Line]:
    """Return the lines of the table of a receipt: objective, loss, Ω, and the metrics."""
    lines = [_line("Objective", receipt.objective), _line("Loss", receipt.loss), _line("Ω", receipt.omega)]
    for where, metrics in (("hold-out", receipt.valid), ("training", receipt.train)):
        for name, change in metrics.items():
            facts = run.facts.metric(name)
            known = floor if where == "hold-out" else None
            noise = noise_of(run, name, receipt.edit.round, known)
            lines.append(_line(f"{facts.label}, {where}", change, noise, facts.higher_is_better))
    return lines


def grown_lines(run: Run, made: Run, floor: NoiseFloor | None = None) -> list[Line]:
    """Return what the metric that a run watches came to there, and in the one that was made of it.

    The best of both only where both watch it.
    """
    rounds = min(len(run.rounds), len(made.rounds))
    if rounds == 0 or not run.watched:
        return []
    facts, where = run.facts.metric(run.watched), "Hold-out" if run.rounds[-1].valid else "Training"
    known, other = (_measured(one, rounds, run.watched) for one in (run, made))
    pairs = [(f"{where} at {count(rounds)}", (known, other), rounds)]
    if run.best is not None and made.best is not None and made.watched == run.watched:
        pairs.append((f"{where}, best", (run.best[1], made.best[1]), run.best_round))
    return [
        _line(name, change, noise_of(run, run.watched, at, floor), facts.higher_is_better)
        for name, change, at in pairs
    ]


def no_floor_sentence(run: Run, floor: NoiseFloor | None = None) -> str:
    """Say that nobody knows how far the hold-out metric moves by chance; "" where it is known, or none is."""
    if not run.rounds or not run.rounds[-1].valid or math.isfinite(noise_of(run, run.watched, 1, floor)):
        return ""
    return "No noise floor yet."


def rows_sentence(receipt: Receipt) -> str:
    """How many rows change leaf: "12 training rows and 3 hold-out rows change leaf."."""
    train, valid = receipt.train_rows, receipt.valid_rows
    if not train and not valid:
        return "No row changes leaf."
    parts = [counted(train, "training row")] if train else []
    parts += [counted(valid, "hold-out row")] if valid else []
    return f"{' and '.join(parts)} {'changes' if train + valid == 1 else 'change'} leaf."


def moved_sentence(receipt: Receipt) -> str:
    """How many predictions move, and of how many that is told."""
    if not receipt.moved:
        return "none moves"
    told = len(receipt.moves)
    return f"{count(told)} of {count(receipt.moved)}" if told < receipt.moved else count(told)


def move_lines(run: Run, receipt: Receipt) -> list[tuple[str, ...]]:
    """Return the predictions that move most; of several classes the one that moves most."""
    return [_move_line(run, move) for move in receipt.moves]


def _move_line(run: Run, move: Move) -> tuple[str, ...]:
    place = int(np.argmax(np.abs(np.subtract(move.after, move.before))))
    names = run.output_names
    told = isolated(names[place]) if len(move.before) > 1 and place < len(names) else ""
    row = int(run.dataset.table_rows[move.row]) + 1 if run.dataset is not None else move.row + 1
    where = "hold-out" if move.is_held_out else "train"
    return count(row), where, told, *pair_texts(move.before[place], move.after[place])


def price_sentence(receipt: Receipt) -> str:
    """What a weight that was set costs beside the best."""
    if receipt.price is None:
        return ""
    best, price = receipt.price
    return f"w* = {signed(best, 4)}; price ½(H+λ)(w−w*)² = {figure(price)}"


def road_line(road: Road) -> tuple[str, ...]:
    """One road not taken: what was asked instead, its margin, and the watched metric."""
    margin = f"{signed(100 * road.margin, 1)} %"
    if road.refused:
        return road.words, margin, fixed(math.nan), fixed(math.nan), road.refused
    return road.words, margin, *pair_texts(road.before, road.after)


def roads_sentence(run: Run, roads: Sequence[Road], floor: NoiseFloor | None = None) -> str:
    """How the metric comes out of roads that were grown to the end, as far as the figures tell."""
    facts = run.facts.metric(run.watched)
    noise = noise_of(run, run.watched, len(run.rounds), floor)
    said = [
        verdict(road.before, road.after, higher_is_better=facts.higher_is_better, noise=noise)
        for road in roads
    ]
    if not math.isfinite(noise):
        told = (f"{count(said.count(word))} {word}" for word in ("lower", "higher"))
        return f"{' and '.join(told)}; no noise floor yet"
    better = sum(word.startswith("better") for word in said)
    return f"{count(better) if better else 'none'} better beyond the noise, ± {figure(noise, 2)}"


def _line(
    name: str, change: tuple[float, float], noise: float = math.nan, higher_is_better: bool = False
) -> Line:
    return name, *pair_texts(*change), verdict(*change, higher_is_better=higher_is_better, noise=noise)


def _measured(run: Run, round: int, metric: str) -> float:
    event = run.rounds[round - 1]
    return (event.valid or event.train).get(metric, math.nan)
