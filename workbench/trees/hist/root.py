"""The root's histogram: the rows that grow the tree are packed and counted in one pass.

    block of rows   | gradients, hessians | → word 0 of their records | → bins of all columns |

So records come from memory once, not once to be written and once to be read. Where every row grows the tree,
blocks are counted where they stand.
"""

from __future__ import annotations

from workbench.kernels.kernel import kernel
from workbench.threads.parallel import part_begin
from workbench.trees.bins.binning import BINS_A_WORD
from workbench.trees.hist.fine_histogram import count_fine_rows
from workbench.trees.hist.histogram import (
    FETCHED_ROWS,
    HISTOGRAM_STRIDE,
    TILE_WORDS,
    count_fetched,
    count_neighbours,
)
from workbench.trees.packing import pack_drawn, pack_records

NOBODY = -1


@kernel(takes_none=True, apart=True)
def pack_and_count_part(part, parts, gradients, hessians, matrix, fine, memory, rows):
    """Pack one part of the rows that grow the tree, and count it for the root: node 0; see `count_part`.

    Part 0 counts into the root's own histogram, the others into their heads.

    Parameters
    ----------
    gradients, hessians : ndarray of float64, shape (n,)
    matrix : MatrixArrays
    fine : FineColumns or None
    memory : GrowingMemory
    rows : ndarray of uint32, shape (m,)
        Ascending.
    """
    histograms, scales, records = memory.histograms, memory.scales, matrix.records
    packed, fetched, n_features = memory.packed[part], memory.fetched[part], len(matrix.by_column)
    begin, end = part_begin(part, parts, len(rows)), part_begin(part + 1, parts, len(rows))
    histograms.head_of_part[part] = NOBODY
    if begin == end:
        return
    if begin > 0:
        histograms.head_of_part[part] = 0
        histogram = histograms.heads[part]
    else:
        histogram = histograms.pool[histograms.slots[0]]
    for entry in range(len(histogram)):
        histogram[entry] = 0
    is_every_row = len(rows) == len(records)
    tile = TILE_WORDS * BINS_A_WORD
    for first in range(0, max(n_features, 1), tile):
        n = n_features - first if n_features - first < tile else tile
        of_tile = histogram[first * HISTOGRAM_STRIDE : (first + n) * HISTOGRAM_STRIDE]
        for b in range(begin, end, FETCHED_ROWS):
            e = b + FETCHED_ROWS if b + FETCHED_ROWS < end else end
            next_rows = rows[e : e + FETCHED_ROWS if e + FETCHED_ROWS < end else end]
            if is_every_row:
                if first == 0:
                    pack_records(b, e, gradients, hessians, scales, packed, records)
                count_neighbours(records, b, e, first // BINS_A_WORD, n, next_rows, of_tile)
            else:
                if first == 0:
                    pack_drawn(rows[b:e], gradients, hessians, scales, packed, records)
                count_fetched(records, rows[b:e], first // BINS_A_WORD, n, fetched, next_rows, of_tile)
    if fine is not None:
        count_fine_rows(records, rows, begin, end, fine, fine.scratch[part], histogram)
