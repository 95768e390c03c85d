from __future__ import annotations

import numpy as np
import pytest

from workbench.drawing.raster import Marks, draw_cells, draw_edges, draw_marks, draw_way

WHITE, BLUE = 0xFFFFFFFF, 0xFF0000FF
PLAIN = np.array([10.0, 5.0, 1.0, 0.0, 0.0, 10.0])
SIDEWAYS = np.array([5.0, 10.0, 0.0, 1.0, 10.0, 0.0])
FEW, MANY = np.full(2, np.inf), np.zeros(2)  # distances from node to node of two levels


def ground(height=40, width=60):
    return np.full((height, width), WHITE, np.uint32)


def ink(pixels):
    """How much of each pixel is covered, from the blue that was painted on white."""
    return 1 - (pixels >> 16 & 255) / 255


def pair(x, level=(0.0, 1.0)):
    return np.array([1]), np.array([0, 0]), np.array(x, float), np.array(level)


def test_an_edge_is_one_pixel_wide_and_joins_its_ends():
    pixels = ground()
    draw_edges(pixels, *pair((0.0, 30.0)), FEW, PLAIN, BLUE)
    covered = ink(pixels)

    assert covered.sum(axis=0)[10:40] == pytest.approx(1.0, abs=0.02)
    assert covered[:, :9].sum() == covered[:, 42:].sum() == 0
    assert covered[:5].sum() + covered[16:].sum() < 0.6


def test_sideways_is_the_same_picture_turned():
    upright, turned = ground(60, 60), ground(60, 60)
    draw_edges(upright, *pair((0.0, 7.0)), FEW, PLAIN, BLUE)
    draw_edges(turned, *pair((0.0, 7.0)), FEW, SIDEWAYS, BLUE)

    assert ink(upright).sum() > 8
    assert (upright == turned.T).all()


def test_lines_that_fall_on_the_same_pixels_are_drawn_once():
    many, once = ground(), ground()
    nodes, x = np.arange(1, 1000), np.append(0.0, np.full(999, 3.0))
    draw_edges(many, nodes, np.zeros(1000, int), x, np.append(0.0, np.ones(999)), MANY, PLAIN, BLUE)
    draw_edges(once, *pair((0.0, 3.0)), MANY, PLAIN, BLUE)

    assert (many == once).all()


@pytest.mark.parametrize("x", [(-1e9, 1e9), (0.0, -1e12), (1e300, 1e300)])
def test_what_is_far_outside_harms_nothing(x):
    pixels = ground()
    draw_edges(pixels, *pair(x), FEW, PLAIN, BLUE)
    assert pixels.shape == (40, 60)


def mark(pixels, x, size, room, is_round):
    marks = Marks(np.array([BLUE], np.uint32), np.array([size]), np.array([room]), np.array([is_round]))
    draw_marks(pixels, np.array([0]), np.array([x]), np.zeros(1), FEW, PLAIN, marks, size)
    return ink(pixels)


@pytest.mark.parametrize(("is_round", "area"), [(True, np.pi * 16), (False, 64.0)])
def test_marks_have_the_area_of_a_disc_or_a_square_about_their_place(is_round, area):
    covered = mark(ground(), 20.25, 8.0, np.inf, is_round)

    assert covered.sum() == pytest.approx(area, rel=0.03)
    rows, columns = np.indices(covered.shape) + 0.5
    assert (covered * columns).sum() / covered.sum() == pytest.approx(30.25, abs=0.1)
    assert (covered * rows).sum() / covered.sum() == pytest.approx(5.0, abs=0.1)


def test_marks_give_way_to_their_neighbours_but_never_vanish():
    assert mark(ground(), 20.0, 8.0, 2.0, False).sum() == pytest.approx(1.6 * 8, rel=0.05)
    assert mark(ground(), 20.2, 8.0, 1.0, True).sum() == pytest.approx(0.8 * 8, rel=0.05)
    assert mark(ground(), 20.0, 8.0, 1e-6, True).sum() == pytest.approx(0.6 * 8, rel=0.05)


def test_bars_lie_along_the_levels():
    upright, turned = ground(60, 60), ground(60, 60)
    marks = Marks(np.array([BLUE], np.uint32), np.array([8.0]), np.array([1.5]), np.array([False]))
    for pixels, frame in ((upright, PLAIN), (turned, SIDEWAYS)):
        draw_marks(pixels, np.array([0]), np.array([7.0]), np.array([1.0]), FEW, frame, marks, 8.0)

    assert (ink(upright).sum(axis=1) > 0.5).sum() == 8
    assert (upright == turned.T).all()


def test_a_crowd_on_one_pixel_costs_no_more_than_a_few():
    many, few = ground(), ground()
    for pixels, number in ((many, 1000), (few, 4)):
        x = 20 + np.linspace(0, 1e-3, number)
        colors, sizes = np.full(number, BLUE, np.uint32), np.full(number, 8.0)
        marks = Marks(colors, sizes, np.full(number, 1e-6), np.zeros(number, bool))
        draw_marks(pixels, np.arange(number), x, np.zeros(number), MANY, PLAIN, marks, 8.0)

    assert np.abs(ink(many) - ink(few)).max() < 0.02


def crowd(number=600, seed=0):
    """Neighbours in pairs below each other, as in a large tree: places, rooms, colours, kinds."""
    rng = np.random.default_rng(seed)
    upper = np.sort(rng.uniform(-20, 220, number // 2))
    x = np.sort(np.repeat(upper, 2) + np.tile([-0.3, 0.3], number // 2) * rng.uniform(0, 3, number))
    room = np.minimum(np.diff(x, prepend=-99), np.diff(x, append=999))
    colors = 0xFF000000 | rng.integers(0, 1 << 24, number)
    return upper, x, room, colors.astype(np.uint32), rng.random(number) < 0.5


def draw_crowd(frame, shape, *, marks, spacing=MANY):
    """Two levels of a large tree: edges alone, or marks alone."""
    upper, x, room, colors, is_round = crowd()
    places, number = np.append(upper, x), len(x)
    level = np.append(np.zeros(len(upper)), np.ones(number))
    parent = np.append(np.arange(len(upper)), np.arange(number) // 2)
    nodes, pixels = np.arange(len(upper), len(places)), ground(*shape)
    if marks:
        blank = np.zeros(len(upper))
        own = Marks(
            np.append(blank, colors).astype(np.uint32), np.full(len(places), 6.0), np.append(blank, room),
            np.append(blank, is_round) > 0,
        )
        draw_marks(pixels, nodes, places, level, spacing, frame, own, 6.0)
    else:
        draw_edges(pixels, nodes, parent, places, level, spacing, frame, BLUE)
    return pixels


def channels(pixels):
    return np.stack([pixels >> shift & 255 for shift in (16, 8, 0)]).astype(float)


@pytest.mark.parametrize("pitch", [8.0, 32.0])
@pytest.mark.parametrize("marks", [False, True])
def test_a_crowded_level_looks_as_if_each_node_were_painted_by_itself(marks, pitch):
    frame = np.array([0.25, 4.0, 1.0, 0.0, 0.0, pitch])
    lane = channels(draw_crowd(frame, (45, 200), marks=marks))
    apart = channels(draw_crowd(frame, (45, 200), marks=marks, spacing=FEW))

    assert apart.min() < 120
    assert lane.mean(axis=2) == pytest.approx(apart.mean(axis=2), abs=6)  # of 255, row by row
    moved = np.abs(lane - apart).cumsum(axis=2)
    assert (moved[:, :, 4:] - moved[:, :, :-4]).max() / 255 < 1  # pixels, of four beside each other


@pytest.mark.parametrize("marks", [False, True])
def test_a_crowded_level_sideways_is_the_same_picture_turned(marks):
    upright = draw_crowd(np.array([0.25, 3.4, 1.0, 0.0, 0.0, 9.3]), (45, 200), marks=marks)
    turned = draw_crowd(np.array([3.4, 0.25, 0.0, 1.0, 9.3, 0.0]), (200, 45), marks=marks)

    assert (upright == turned.T).all()
    assert (upright != WHITE).any()


@pytest.mark.parametrize("spacing", [FEW, MANY])
@pytest.mark.parametrize("marks", [False, True])
@pytest.mark.parametrize(("top", "left"), [(0, 171), (11, 40), (44, 3)])
def test_a_window_shows_its_part_of_the_whole_picture(marks, spacing, top, left):
    frame = np.array([0.25, 3.4, 1.0, 0.0, 0.0, 29.3])
    whole = draw_crowd(frame, (70, 200), marks=marks, spacing=spacing)
    moved = frame - [left, top, 0, 0, 0, 0]

    part = draw_crowd(moved, (26, 29), marks=marks, spacing=spacing)
    assert (part == whole[top : top + 26, left : left + 29]).all()
    assert (whole != WHITE).any()


def way(pixels, x, frame, width):
    draw_way(pixels, np.arange(len(x)), np.array(x, float), np.arange(float(len(x))), frame, BLUE, width)
    return ink(pixels)


def test_a_way_is_as_wide_as_is_said_and_joins_its_nodes():
    covered = way(ground(), (10.0, 14.0, 1.0, 1.0), PLAIN, 3.0)

    assert covered[5:15].sum() == pytest.approx(3 * np.hypot(4, 10), rel=0.02)
    assert covered[26:35].sum(axis=1) == pytest.approx(3.0, abs=0.02)
    assert covered[:5].sum() + covered[35:].sum() + covered[:, 29:].sum() == 0
    turned = way(ground(60, 60), (10.0, 14.0, 1.0, 1.0), SIDEWAYS, 3.0)
    assert (turned.T[:40] == covered).all()


def test_a_way_that_leads_far_away_is_cut():
    assert way(ground(), (0.0, 1e9, 0.0), PLAIN, 3.0)[4:26].sum() > 3 * 40
    assert way(ground(), (1e9, 1e9), PLAIN, 3.0).sum() == 0


def test_marks_at_the_border_are_cut():
    assert mark(ground(), -10.0, 8.0, np.inf, False).sum() == pytest.approx(32, rel=0.03)
    assert mark(ground(), 1e6, 8.0, np.inf, True).sum() == 0


def test_levels_that_share_a_row_of_pixels_are_drawn_once_and_fill_it():
    pixels, levels = ground(), 1000
    draw_cells(pixels, np.arange(levels), np.zeros(levels), np.arange(levels, dtype=float),
               np.full(levels, 20.0), np.array([30.0, 0.0, 1.0, 0.0, 0.0, 0.02]),
               np.full(levels, BLUE, np.uint32), 1.0, WHITE)

    assert ink(pixels)[:20, 21:39] == pytest.approx(1, abs=0.01)
    assert ink(pixels)[20:].sum() == 0


def test_cells_fill_their_room_and_leave_a_gap():
    pixels, colors = ground(), np.array([BLUE, BLUE, 0xFF00FF00], np.uint32)
    draw_cells(pixels, np.arange(3), np.array([0.0, -5.0, 5.0]), np.array([0.0, 1.0, 1.0]),
               np.array([20.0, 10.0, 10.0]), np.array([30.0, 0.0, 1.0, 0.0, 0.0, 20.0]), colors, 1.0, WHITE)
    covered = ink(pixels)

    assert covered[10, 21:39] == pytest.approx(1)
    assert covered[19].sum() == 0
    assert (pixels[30, 21:29] == BLUE).all()
    assert (pixels[30, 31:39] == 0xFF00FF00).all()
    assert 0 < covered[30, 29] < 1


@pytest.mark.parametrize(("top", "height"), [(-7.5, 20.0), (3.25, 9.5), (5.5, 1.0), (36.0, 20.0)])
def test_a_row_of_narrow_cells_covers_what_one_wide_cell_would(top, height):
    many, one, count = ground(), ground(), 400
    frame = np.array([0.0, top, 1.0, 0.0, 0.0, height])
    for pixels, number in ((many, count), (one, 1)):
        room = 40.0 / number
        draw_cells(pixels, np.arange(number), 10 + room * (np.arange(number) + 0.5), np.zeros(number),
                   np.full(number, room), frame, np.full(number, BLUE, np.uint32), 0.0, WHITE)

    rows = np.clip(np.minimum(top + height, np.arange(40) + 1.0) - np.maximum(top, np.arange(40)), 0, 1)
    assert ink(one)[:, 10:50] == pytest.approx(np.tile(rows[:, None], 40), abs=0.01)
    assert ink(many)[rows == 1, 10:50].min(initial=1) > 0.6  # each covers what is left of its pixel
    assert (ink(many)[rows == 0] == 0).all()


@pytest.mark.parametrize("pitch", [0.3, 1.0, 2.5, 7.3, 12.0])
@pytest.mark.parametrize("top", [-9.4, 0.0, 3.7, 60.0])
def test_cells_leave_nothing_of_what_was_there_before(pitch, top):
    dirty, clean = np.full((40, 60), 0xFF123456, np.uint32), ground()
    frame = np.array([30.0, top, 1.0, 0.0, 0.0, pitch])
    for pixels in (dirty, clean):
        draw_cells(pixels, np.arange(3), np.array([0.0, -5.0, 5.0]), np.array([0.0, 1.0, 1.0]),
                   np.array([20.0, 10.0, 8.0]), frame, np.full(3, BLUE, np.uint32), 1.0, WHITE)

    assert (dirty == clean).all()
