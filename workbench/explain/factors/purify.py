"""A function of two columns as an effect of each, and what is left of it (Lengerich et al. 2020).

The effects are those that come nearest under the weights of the cells: what is left has a mean of 0 in every
line and in every column of the table, so it holds nothing that one column alone could say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

TINY = 1e-12  # of the weight, so that parts of the table that hang together by no row have one answer


def purified(
    values: NDArray[np.float64], weight: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the effects of lines and of columns, shapes (K, n) and (K, m).

    Lines and columns without weight get the mean over the weights of the others.

    Parameters
    ----------
    values : ndarray of float64, shape (K, n, m)
    weight : ndarray of float64, shape (n, m)
    """
    if values.shape[1] < values.shape[2]:
        columns, lines = purified(values.transpose(0, 2, 1), weight.T)
        return lines, columns
    of_line, of_column = weight.sum(axis=1), weight.sum(axis=0)
    if not of_line.any():
        weight = np.ones_like(weight)
        of_line, of_column = weight.sum(axis=1), weight.sum(axis=0)
    per_line = np.divide(1.0, of_line, out=np.zeros_like(of_line), where=of_line > 0)
    sums = np.einsum("knm,nm->kn", values, weight)
    wanted = np.einsum("knm,nm->km", values, weight) - (sums * per_line) @ weight
    matrix = np.diag(of_column) - (weight.T * per_line) @ weight
    matrix[np.diag_indices_from(matrix)] += np.where(of_column > 0, TINY * of_column.max(), 1.0)
    columns = np.linalg.solve(matrix, wanted.T).T
    lines = (sums - columns @ weight.T) * per_line
    total = of_line.sum()
    bare_columns, bare_lines = of_column <= 0, of_line <= 0
    if bare_columns.any():
        left = values[:, :, bare_columns] - lines[:, :, None]
        columns[:, bare_columns] = np.einsum("knm,n->km", left, of_line) / total
    if bare_lines.any():
        left = values[:, bare_lines, :] - columns[:, None, :]
        lines[:, bare_lines] = np.einsum("knm,m->kn", left, of_column) / total
    return lines, columns
