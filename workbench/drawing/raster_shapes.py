"""Lines, discs and rectangles blended into an array of pixels, compiled; cut at its borders.

Pixels are 0xffRRGGBB, row by row.
"""

from __future__ import annotations

import math

import numpy as np

from workbench.kernels.kernel import kernel


@kernel
def mixed(below, color, share):
    """A colour of which `share` (0 to 256) covers another; red and blue are reckoned in one number."""
    rest = 256 - share
    red_blue = ((below & 0xFF00FF) * rest + (color & 0xFF00FF) * share) >> 8 & 0xFF00FF
    green = ((below & 0xFF00) * rest + (color & 0xFF00) * share) >> 8 & 0xFF00
    return 0xFF000000 | red_blue | green


@kernel
def blend(pixels, row, column, color, part):
    """Cover a pixel with `part` (0 to 1) of a colour; nothing outside."""
    if part <= 0.004 or row < 0 or column < 0 or row >= pixels.shape[0] or column >= pixels.shape[1]:
        return
    share = int(min(part, 1.0) * 256.0)
    pixels[row, column] = mixed(int(pixels[row, column]), int(color), share)


@kernel
def line(pixels, x0, y0, x1, y1, color):
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
            blend(pixels, along, first, color, 1.0 - part)
            blend(pixels, along, first + 1, color, part)
        else:
            blend(pixels, first, along, color, 1.0 - part)
            blend(pixels, first + 1, along, color, part)


@kernel
def band(pixels, x0, y0, x1, y1, width, color):
    """A line of any width: step along the longer side, and cover what is beside as far as it is shared."""
    steep = abs(y1 - y0) > abs(x1 - x0)
    if steep:
        x0, y0, x1, y1 = y0, x0, y1, x1
    if x0 > x1:
        x0, y0, x1, y1 = x1, y1, x0, y0
    slope = (y1 - y0) / (x1 - x0) if x1 > x0 else 0.0
    half = 0.5 * width * math.sqrt(1.0 + slope * slope)
    end, end_beside = pixels.shape[0 if steep else 1], pixels.shape[1 if steep else 0]
    for along in range(int(max(x0 + 0.5, 0.0)), int(max(min(x1 + 0.5, float(end)), 0.0))):
        middle = y0 + (along + 0.5 - x0) * slope
        low, high = max(middle - half, 0.0), min(middle + half, float(end_beside))
        if low >= high:
            continue
        for beside in range(int(low), math.ceil(high)):
            part = min(high, beside + 1.0) - max(low, float(beside))
            if steep:
                blend(pixels, along, beside, color, part)
            else:
                blend(pixels, beside, along, color, part)


@kernel
def disc(pixels, x, y, radius, color):
    """Fill a circle; pixels at its rim take the part that they share with it."""
    for row in range(int(np.floor(y - radius - 0.5)), int(np.floor(y + radius + 0.5)) + 1):
        for column in range(int(np.floor(x - radius - 0.5)), int(np.floor(x + radius + 0.5)) + 1):
            away = ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) ** 0.5
            blend(pixels, row, column, color, radius + 0.5 - away)


@kernel
def box(pixels, left, top, right, bottom, color):
    """Fill a rectangle; pixels at its sides take the part that they share with it."""
    left, right = max(left, 0.0), min(right, float(pixels.shape[1]))
    top, bottom = max(top, 0.0), min(bottom, float(pixels.shape[0]))
    if left >= right or top >= bottom:
        return
    for row in range(int(top), math.ceil(bottom)):
        high = 256.0 * (min(bottom, row + 1.0) - max(top, float(row)))
        for column in range(int(left), math.ceil(right)):
            wide = min(right, column + 1.0) - max(left, float(column))
            pixels[row, column] = mixed(int(pixels[row, column]), int(color), int(wide * high))
