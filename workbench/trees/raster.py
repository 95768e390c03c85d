"""A large tree painted into an array of pixels, compiled: edges, marks and cells, blended over each other.

Pixels are 0xffRRGGBB, row by row. A place is a pixel by two steps, one across and one down a level, so the
same kernels draw a tree from the top down and from left to right:

    pixel x = frame[0] + frame[2]·across + frame[4]·level
    pixel y = frame[1] + frame[3]·across + frame[5]·level
"""

from __future__ import annotations

import math

import numpy as np

from workbench.kernels.kernel import kernel

FAR_AWAY = 1e7  # pixels: where no line ends
LEAST_RADIUS = 0.3  # pixels of a mark, however little room it has
MOST_ON_A_PIXEL = 4  # marks beside each other; more would not be seen


@kernel
def _mixed(below, color, share):
    """A colour of which `share` (0 to 256) covers another; red and blue are reckoned in one number."""
    rest = 256 - share
    red_blue = ((below & 0xFF00FF) * rest + (color & 0xFF00FF) * share) >> 8 & 0xFF00FF
    green = ((below & 0xFF00) * rest + (color & 0xFF00) * share) >> 8 & 0xFF00
    return 0xFF000000 | red_blue | green


@kernel
def _blend(pixels, row, column, color, part):
    """Cover a pixel with `part` (0 to 1) of a colour; nothing outside."""
    if part <= 0.004 or row < 0 or column < 0 or row >= pixels.shape[0] or column >= pixels.shape[1]:
        return
    share = int(min(part, 1.0) * 256.0)
    pixels[row, column] = _mixed(int(pixels[row, column]), int(color), share)


@kernel
def draw_edges(pixels, nodes, upper, x, level, frame, color):
    """Draw a smooth line of one pixel from each of `nodes` to the node above it.

    Of lines that follow each other and end on the same pixel one is drawn: a level has no more lines than
    pixels, however many nodes.

    Parameters
    ----------
    pixels : ndarray of uint32, shape (height, width)
        Painted on.
    nodes : ndarray of int64, shape (k,)
    upper : ndarray of int64, shape (n,)
        The node above each.
    x, level : ndarray of float64, shape (n,)
        Places across and down.
    frame : ndarray of float64, shape (6,)
    color : int
    """
    last_x = last_y = -FAR_AWAY
    for place in range(len(nodes)):
        i, j = nodes[place], upper[nodes[place]]
        x1 = frame[0] + frame[2] * x[i] + frame[4] * level[i]
        y1 = frame[1] + frame[3] * x[i] + frame[5] * level[i]
        end_x, end_y = np.floor(x1), np.floor(y1)
        if end_x == last_x and end_y == last_y:
            continue
        last_x, last_y = end_x, end_y
        x0 = frame[0] + frame[2] * x[j] + frame[4] * level[j]
        y0 = frame[1] + frame[3] * x[j] + frame[5] * level[j]
        _line(pixels, x0 - 0.5, y0 - 0.5, x1 - 0.5, y1 - 0.5, color)


@kernel
def _line(pixels, x0, y0, x1, y1, color):
    """Step along the longer side; of the two pixels beside the line each takes its part."""
    steep = abs(y1 - y0) > abs(x1 - x0)
    if steep:
        x0, y0, x1, y1 = y0, x0, y1, x1
    if x0 > x1:
        x0, y0, x1, y1 = x1, y1, x0, y0
    slope = (y1 - y0) / (x1 - x0) if x1 > x0 else 0.0
    end = pixels.shape[0 if steep else 1]
    for along in range(int(max(x0 + 0.5, 0.0)), int(np.floor(min(x1 + 0.5, end - 1.0))) + 1):
        beside = y0 + (along - x0) * slope
        first = int(np.floor(beside))
        part = beside - first
        if steep:
            _blend(pixels, along, first, color, 1.0 - part)
            _blend(pixels, along, first + 1, color, part)
        else:
            _blend(pixels, first, along, color, 1.0 - part)
            _blend(pixels, first + 1, along, color, part)


@kernel
def draw_marks(pixels, nodes, x, level, frame, colors, sizes, room, is_round):
    """Draw a disc or a square at each of `nodes`, no larger than its room; bars where they stand close.

    Parameters
    ----------
    pixels, nodes, x, level, frame
        As in `draw_edges`.
    colors : ndarray of uint32, shape (n,)
    sizes : ndarray of float64, shape (n,)
        Pixels across where there is room.
    room : ndarray of float64, shape (n,)
        Distance across to the nearest mark of the level; marks take 0.8 of it across, and of a level along.
    is_round : ndarray of bool, shape (n,)
    """
    across = abs(frame[2]) + abs(frame[3])
    along = abs(frame[4]) + abs(frame[5])
    last_x = last_y = -FAR_AWAY
    crowd = 0
    for place in range(len(nodes)):
        i = nodes[place]
        middle_x = frame[0] + frame[2] * x[i] + frame[4] * level[i]
        middle_y = frame[1] + frame[3] * x[i] + frame[5] * level[i]
        pixel_x, pixel_y = np.floor(middle_x), np.floor(middle_y)
        crowd = crowd + 1 if pixel_x == last_x and pixel_y == last_y else 0
        last_x, last_y = pixel_x, pixel_y
        if crowd >= MOST_ON_A_PIXEL:
            continue
        half = max(0.5 * min(sizes[i], 0.8 * room[i] * across), LEAST_RADIUS)
        reach = max(0.5 * min(sizes[i], 0.8 * along), LEAST_RADIUS)
        if is_round[i] and half > 1.5 and reach > 1.5:
            _disc(pixels, middle_x, middle_y, min(half, reach), colors[i])
            continue
        if frame[2] == 0.0:
            half, reach = reach, half
        _box(pixels, middle_x - half, middle_y - reach, middle_x + half, middle_y + reach, colors[i])


@kernel
def _disc(pixels, x, y, radius, color):
    for row in range(int(np.floor(y - radius - 0.5)), int(np.floor(y + radius + 0.5)) + 1):
        for column in range(int(np.floor(x - radius - 0.5)), int(np.floor(x + radius + 0.5)) + 1):
            away = ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) ** 0.5
            _blend(pixels, row, column, color, radius + 0.5 - away)


@kernel
def _box(pixels, left, top, right, bottom, color):
    """Fill a rectangle; pixels at its sides take the part that they share with it."""
    left, right = max(left, 0.0), min(right, float(pixels.shape[1]))
    top, bottom = max(top, 0.0), min(bottom, float(pixels.shape[0]))
    if left >= right or top >= bottom:
        return
    for row in range(int(top), math.ceil(bottom)):
        high = 256.0 * (min(bottom, row + 1.0) - max(top, float(row)))
        for column in range(int(left), math.ceil(right)):
            wide = min(right, column + 1.0) - max(left, float(column))
            pixels[row, column] = _mixed(int(pixels[row, column]), int(color), int(wide * high))


@kernel
def draw_cells(pixels, nodes, x, level, room, frame, colors, gap):
    """Fill the cell of each of `nodes`: as wide as its room, one level high, `gap` pixels from the next.

    Of several levels on one row of pixels the first is drawn.

    Parameters
    ----------
    pixels, x, level, frame, colors
        As in `draw_marks`.
    nodes : ndarray of int64, shape (k,)
        Level by level.
    room : ndarray of float64, shape (n,)
        Width of each cell.
    gap : float
        In wide cells; in narrow ones a quarter of their width.
    """
    first = 0
    while first < len(nodes):
        end = first + 1
        while end < len(nodes) and level[nodes[end]] == level[nodes[first]]:
            end += 1
        top = frame[1] + frame[5] * level[nodes[first]]
        is_hidden = frame[5] < 1.0 and level[nodes[first]] > 0 and np.floor(top) == np.floor(top - frame[5])
        if not is_hidden:
            top = np.floor(top) if frame[5] < 1.0 else top
            _draw_level(pixels, nodes[first:end], x, room, frame, top, colors, gap)
        first = end


@kernel
def _draw_level(pixels, nodes, x, room, frame, top, colors, gap):
    """Draw the cells of one level; its whole rows of pixels are alike, so one is drawn and copied."""
    bottom = top + (frame[5] - gap if frame[5] > 2.0 * gap else max(frame[5], 1.0))
    whole, below = max(math.ceil(top), 0), min(math.floor(bottom), pixels.shape[0])
    for i in nodes:
        middle, width = frame[0] + frame[2] * x[i], frame[2] * room[i]
        half = width / 2 - 0.5 * min(gap, width / 4)
        if whole >= below:
            _box(pixels, middle - half, top, middle + half, bottom, colors[i])
            continue
        _box(pixels, middle - half, top, middle + half, whole + 1.0, colors[i])
        _box(pixels, middle - half, float(below), middle + half, bottom, colors[i])
    for row in range(whole + 1, below):
        for column in range(pixels.shape[1]):
            pixels[row, column] = pixels[whole, column]
