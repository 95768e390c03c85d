"""A large tree painted into an array of pixels, compiled: edges, ways, marks and cells, over each other.

Pixels are 0xffRRGGBB, row by row. A place is a pixel by two steps, one across and one down a level, so the
same kernels draw a tree from the top down and from left to right:

    pixel x = frame[0] + frame[2]·across + frame[4]·level
    pixel y = frame[1] + frame[3]·across + frame[5]·level

Every pixel depends on what lies near it alone, and not on how much of the tree is painted: moved by whole
pixels, a picture is the same, so that what a hand moves into the window is painted beside what was there.
For that, steps are rounded to a FINE part of a pixel, as the caller rounds where the root stands: sums of
such numbers are exact.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.drawing.layout import FINE
from workbench.drawing.raster_lanes import CLEAR, cover_alike, cover_rows, mix_bar
from workbench.drawing.raster_shapes import band, box, disc, line
from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

FAR_AWAY = 1e7  # pixels: where no line ends
LEAST_RADIUS = 0.3  # pixels of half a mark, however little room it has
LEAST_DISC = 1.5  # pixels of the radius of a disc
MOST_ON_A_PIXEL = 4  # marks beside each other; more would not be seen
CROWDED = 8.0  # pixels from node to node of a level that is mixed in a lane
UPRIGHT = 0.5  # pixels that an edge leans at most, to be drawn upright


class Marks(NamedTuple):
    """How each node of a tree is marked, shape (n,) each.

    Attributes
    ----------
    colors : ndarray of uint32
    sizes : ndarray of float64
        Pixels across where there is room.
    room : ndarray of float64
        Distance across to the nearest mark of the level; marks take 0.8 of it across, and of a level along.
    is_round : ndarray of bool
        Discs; all others are squares, or bars.
    """

    colors: NDArray[np.uint32]
    sizes: NDArray[np.float64]
    room: NDArray[np.float64]
    is_round: NDArray[np.bool_]


@kernel(allocates=True)
def draw_edges(pixels, nodes, upper, x, level, spacing, frame, color):
    """Draw a smooth line of one pixel from each of `nodes` to the node above it.

    Of lines that follow each other and join the same pixels one is drawn: a level has few more lines than
    pixels, however many nodes. In crowded levels lines that lean half a pixel at most are drawn upright.

    Parameters
    ----------
    pixels : ndarray of uint32, shape (height, width)
        Painted on.
    nodes : ndarray of int64, shape (k,)
        Level by level.
    upper : ndarray of int64, shape (n,)
        The node above each.
    x, level : ndarray of float64, shape (n,)
        Places across and down.
    spacing : ndarray of float64, shape (n_levels,)
        Distance across from node to node of each level, infinite where they are few.
    frame : ndarray of float64, shape (6,)
    color : int
    """
    across = pixels.shape[0 if frame[2] == 0.0 else 1]
    light, tint = np.full(across, CLEAR, np.uint32), np.zeros(across, np.uint32)
    first = 0
    while first < len(nodes):
        end = _end_of_level(nodes, level, first)
        _draw_edges_of_level(pixels, nodes[first:end], upper, x, level, spacing, frame, color, light, tint)
        first = end


@kernel
def fine(length):
    """A length in pixels, rounded."""
    return np.rint(length * FINE) / FINE


@kernel
def _end_of_level(nodes, level, first):
    """Where the nodes of the next level begin."""
    end = first + 1
    while end < len(nodes) and level[nodes[end]] == level[nodes[first]]:
        end += 1
    return end


@kernel
def _draw_edges_of_level(pixels, nodes, upper, x, level, spacing, frame, color, light, tint):
    """Draw edges one by one, upright ones into a lane where there are many."""
    is_turned = frame[2] == 0.0
    origin, step = (frame[1], frame[3]) if is_turned else (frame[0], frame[2])
    is_crowded = spacing[int(level[nodes[0]])] * step <= CROWDED
    top, pitch = (frame[0], frame[4]) if is_turned else (frame[1], frame[5])
    below, above = top + fine(pitch * level[nodes[0]]), top + fine(pitch * (level[nodes[0]] - 1.0))
    last_start = last_end = -FAR_AWAY
    for i in nodes:
        start, end = origin + fine(step * x[upper[i]]), origin + fine(step * x[i])
        if np.floor(end) == last_end and np.floor(start) == last_start:
            continue
        last_start, last_end = np.floor(start), np.floor(end)
        if is_crowded and abs(end - start) <= min(UPRIGHT, pitch):
            middle = 0.5 * (start + end)
            mix_bar(light, tint, middle - 0.5, middle + 0.5, color)
        elif is_turned:
            line(pixels, above - 0.5, start - 0.5, below - 0.5, end - 0.5, color)
        else:
            line(pixels, start - 0.5, above - 0.5, end - 0.5, below - 0.5, color)
    if is_crowded:
        cover_rows(pixels, light, tint, np.floor(above), np.floor(below) + 1.0, is_turned)


@kernel
def draw_way(pixels, way, x, level, frame, color, width):
    """Draw a way down the tree: from each of its nodes a line to the next.

    Parameters
    ----------
    pixels, x, level, frame, color
        As in `draw_edges`.
    way : ndarray of int64, shape (k,)
        Nodes below each other.
    width : float
        Pixels.
    """
    x0 = y0 = 0.0
    for place, node in enumerate(way):
        x1 = frame[0] + fine(frame[2] * x[node]) + fine(frame[4] * level[node])
        y1 = frame[1] + fine(frame[3] * x[node]) + fine(frame[5] * level[node])
        if place > 0:
            band(pixels, x0, y0, x1, y1, width, color)
        x0, y0 = x1, y1


@kernel(allocates=True)
def draw_marks(pixels, nodes, x, level, spacing, frame, marks, bar):
    """Draw a disc or a square at each of `nodes`, no larger than its room; bars where they stand close.

    Parameters
    ----------
    pixels, nodes, x, level, spacing, frame
        As in `draw_edges`.
    marks : Marks
    bar : float
        Pixels along of all that is no disc.
    """
    across = pixels.shape[0 if frame[2] == 0.0 else 1]
    light, tint = np.full(across, CLEAR, np.uint32), np.zeros(across, np.uint32)
    first = 0
    while first < len(nodes):
        end = _end_of_level(nodes, level, first)
        _draw_marks_of_level(pixels, nodes[first:end], x, level, spacing, frame, marks, bar, light, tint)
        first = end


@kernel
def _draw_marks_of_level(pixels, nodes, x, level, spacing, frame, marks, bar, light, tint):
    """Draw discs one by one, and bars into a lane where there are many."""
    colors, sizes = marks.colors, marks.sizes
    is_turned = frame[2] == 0.0
    origin, step = (frame[1], frame[3]) if is_turned else (frame[0], frame[2])
    is_crowded = spacing[int(level[nodes[0]])] * step <= CROWDED
    top, pitch = (frame[0], frame[4]) if is_turned else (frame[1], frame[5])
    beside = top + fine(pitch * level[nodes[0]])
    length = fine(max(0.5 * min(bar, 0.8 * pitch), LEAST_RADIUS))
    last, crowd = -FAR_AWAY, 0
    for i in nodes:
        middle = origin + fine(step * x[i])
        crowd = crowd + 1 if np.floor(middle) == last else 0
        if crowd >= MOST_ON_A_PIXEL:
            continue
        last = np.floor(middle)
        half = fine(max(0.5 * min(sizes[i], 0.8 * marks.room[i] * step), LEAST_RADIUS))
        reach = fine(0.5 * min(sizes[i], 0.8 * pitch))
        if marks.is_round[i] and half > LEAST_DISC and reach > LEAST_DISC:
            column, row = (beside, middle) if is_turned else (middle, beside)
            disc(pixels, column, row, min(half, reach), colors[i])
        elif is_crowded:
            mix_bar(light, tint, middle - half, middle + half, colors[i])
        elif is_turned:
            box(pixels, beside - length, middle - half, beside + length, middle + half, colors[i])
        else:
            box(pixels, middle - half, beside - length, middle + half, beside + length, colors[i])
    if is_crowded:
        cover_rows(pixels, light, tint, beside - length, beside + length, is_turned)


@kernel(allocates=True)
def draw_cells(pixels, nodes, x, level, room, frame, colors, gap, ground):
    """Fill the cell of each of `nodes`: as wide as its room, one level high, `gap` pixels from the next.

    Of several levels on one row of pixels the first is drawn. What the pixels held before is gone: they are
    the ground where no cell is.

    Parameters
    ----------
    pixels, x, level, frame
        As in `draw_edges`.
    colors : ndarray of uint32, shape (n,)
    nodes : ndarray of int64, shape (k,)
        Level by level.
    room : ndarray of float64, shape (n,)
        Width of each cell.
    gap : float
        In wide cells; in narrow ones a quarter of their width.
    ground : int
        A colour.
    """
    light, tint = np.full(pixels.shape[1], CLEAR, np.uint32), np.zeros(pixels.shape[1], np.uint32)
    first = clear = 0  # the rows above `clear` are done
    while first < len(nodes):
        end = _end_of_level(nodes, level, first)
        depth = level[nodes[first]]
        top, above = frame[1] + fine(frame[5] * depth), frame[1] + fine(frame[5] * (depth - 1.0))
        is_hidden = frame[5] < 1.0 and depth > 0 and np.floor(top) == np.floor(above)
        if not is_hidden:
            top = np.floor(top) if frame[5] < 1.0 else top
            bottom = top + fine(frame[5] - gap if frame[5] > 2.0 * gap else max(frame[5], 1.0))
            whole, below = max(math.ceil(top), 0), min(math.floor(bottom), pixels.shape[0])
            if whole < below:
                _fill_rows(pixels, clear, whole + 1, ground)
                clear = below
            _fill_rows(pixels, clear, math.ceil(bottom), ground)
            clear = max(clear, math.ceil(bottom))
            _mix_cells(light, tint, nodes[first:end], x, room, frame, colors, gap)
            cover_alike(pixels, light, tint, top, bottom)
        first = end
    _fill_rows(pixels, clear, pixels.shape[0], ground)


@kernel
def _fill_rows(pixels, begin, end, color):
    """Give rows of pixels one colour."""
    for row in range(max(begin, 0), min(end, pixels.shape[0])):
        for column in range(pixels.shape[1]):
            pixels[row, column] = color


@kernel
def _mix_cells(light, tint, nodes, x, room, frame, colors, gap):
    """Mix the cells of one level into a lane."""
    for i in nodes:
        middle, width = frame[0] + fine(frame[2] * x[i]), frame[2] * room[i]
        half = fine(width / 2 - 0.5 * min(gap, width / 4))
        mix_bar(light, tint, middle - half, middle + half, colors[i])
