"""What many neighbours of one level paint alike on many rows of pixels, mixed once and then copied.

Where a level is crowded its marks are bars of one height, and its edges all but upright. Each is mixed into a
lane, one pixel wide along the level; the rows of pixels that the level takes are then covered with the lane:

    lane   --|||-||||||--    light: how much of the ground shows through, 0 to 256
                             tint:  what is added to it, 0xRRGGBB
    rows   ==|||=||||||==    row = row·light/256 + tint
           ==|||=||||||==

So a level costs its nodes and its pixels, not its nodes times the pixels of each.
"""

from __future__ import annotations

import math

import numpy as np

from workbench.drawing.raster_shapes import mixed
from workbench.kernels.kernel import kernel

CLEAR = 256


@kernel
def mix_bar(light, tint, left, right, color):
    """Cover a lane with a colour from `left` to `right`; pixels at its ends take the part that they share.

    Parameters
    ----------
    light, tint : ndarray of uint32, shape (pixels along the level,)
        Changed.
    left, right : float
        Pixels.
    color : int
    """
    left, right = max(left, 0.0), min(right, float(len(light)))
    if not left < right:
        return
    for place in range(int(left), math.ceil(right)):
        share = int(256.0 * (min(right, place + 1.0) - max(left, float(place))))
        light[place] = int(light[place]) * (CLEAR - share) >> 8
        tint[place] = mixed(int(tint[place]), int(color), share) & 0xFFFFFF


@kernel
def cover_rows(pixels, light, tint, begin, end, is_turned):
    """Cover rows of pixels with a lane, and clear it; the first and the last row as far as they are covered.

    Parameters
    ----------
    pixels : ndarray of uint32, shape (height, width)
        Painted on.
    light, tint : ndarray of uint32, shape (width,) or, turned, (height,)
        All clear afterwards.
    begin, end : float
        Rows; columns where `is_turned`.
    """
    first, end_of_lane = _touched(light)
    light_there, tint_there = light[first:end_of_lane], tint[first:end_of_lane]
    begin, end = max(begin, 0.0), min(end, float(pixels.shape[1 if is_turned else 0]))
    if begin < end and is_turned:
        for place in range(first, end_of_lane):
            if light[place] != CLEAR:
                _cover_along(pixels[place], light[place], tint[place], begin, end)
    elif begin < end:
        for row in range(int(begin), math.ceil(end)):
            part = int(256.0 * (min(end, row + 1.0) - max(begin, float(row))))
            if part == 256:
                _cover_whole_row(pixels[row, first:end_of_lane], light_there, tint_there)
            else:
                _cover_row(pixels[row, first:end_of_lane], light_there, tint_there, part)
    light_there[:] = CLEAR
    tint_there[:] = 0


@kernel
def cover_alike(pixels, light, tint, begin, end):
    """The same where the first whole row holds the ground: those after it are copied, whatever they hold.

    Parameters
    ----------
    pixels, light, tint, begin, end
        As in `cover_rows`, not turned.
    """
    begin, end = max(begin, 0.0), min(end, float(pixels.shape[0]))
    whole, below = math.ceil(begin), int(end)
    if whole >= below:
        cover_rows(pixels, light, tint, begin, end, False)
        return
    first, end_of_lane = _touched(light)
    light_there, tint_there = light[first:end_of_lane], tint[first:end_of_lane]
    _cover_whole_row(pixels[whole, first:end_of_lane], light_there, tint_there)
    for row in range(whole + 1, below):
        for column in range(pixels.shape[1]):
            pixels[row, column] = pixels[whole, column]
    if begin < whole:
        part = int(256.0 * (whole - begin))
        _cover_row(pixels[whole - 1, first:end_of_lane], light_there, tint_there, part)
    if below < end:
        _cover_row(pixels[below, first:end_of_lane], light_there, tint_there, int(256.0 * (end - below)))
    light_there[:] = CLEAR
    tint_there[:] = 0


@kernel
def _touched(light):
    """The first place that is not clear, and the one after the last."""
    first, end = 0, len(light)
    while first < end and light[first] == CLEAR:
        first += 1
    while end > first and light[end - 1] == CLEAR:
        end -= 1
    return first, end


@kernel
def _cover_row(row, light, tint, part):
    """Lay a lane over a row of pixels, of which it covers `part` (0 to 256)."""
    for place in range(len(row)):
        row[place] = _covered(int(row[place]), int(light[place]), int(tint[place]), part)


@kernel
def _cover_whole_row(row, light, tint):
    """The same where the lane covers all of the row: most rows, in numbers of 32 bits."""
    for place in range(len(row)):
        row[place] = _covered_whole(row[place], light[place], tint[place])


@kernel
def _cover_along(row, light, tint, begin, end):
    """Lay one place of a turned lane over the pixels that it takes of a row, from `begin` to `end`."""
    left, right, full_from, full_to = int(begin), math.ceil(end), math.ceil(begin), int(end)
    for place in range(full_from, full_to):
        row[place] = _covered_whole(row[place], light, tint)
    for place in (left, right - 1):
        if place < full_from or place >= full_to:
            part = int(256.0 * (min(end, place + 1.0) - max(begin, float(place))))
            row[place] = _covered(int(row[place]), int(light), int(tint), part)
            if left == right - 1:
                break


@kernel
def _covered_whole(below, light, tint):
    """A pixel all of which is behind a lane."""
    red_blue = (below & np.uint32(0xFF00FF)) * light >> np.uint32(8) & np.uint32(0xFF00FF)
    green = (below & np.uint32(0xFF00)) * light >> np.uint32(8) & np.uint32(0xFF00)
    return np.uint32(0xFF000000) | (red_blue | green) + tint


@kernel
def _covered(below, light, tint, part):
    """A pixel behind a lane of which `part` (0 to 256) lies over it."""
    shown = CLEAR - ((CLEAR - light) * part >> 8)
    red_blue = ((below & 0xFF00FF) * shown + (tint & 0xFF00FF) * part) >> 8 & 0xFF00FF
    green = ((below & 0xFF00) * shown + (tint & 0xFF00) * part) >> 8 & 0xFF00
    return 0xFF000000 | red_blue | green
