"""The slow twin of fine columns: bins by comparing every value with every cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.reference.naive_split import gain_of


def bins_of(values, cuts):
    """#{cuts <= x}; one beyond the bin above all cuts where the value is missing."""
    return np.array([len(cuts) + 1 if np.isnan(x) else sum(c <= x for c in cuts) for x in values])


def as_fine(cuts):
    """The same cuts, with every column of numbers made a fine one."""
    fine = {
        f: cuts.cuts[f, : cuts.n_bins[f]].copy()
        for f in range(len(cuts.n_bins))
        if not cuts.is_category[f] and cuts.n_bins[f]
    }
    bare = cuts.cuts.copy()
    bare[list(fine)] = np.nan
    return replace(cuts, cuts=bare, fine=fine)


def gains_of_all_cuts(features, cuts, g, h, params):
    """The gain of every split that is allowed: rows below a cut, with or without those that miss it."""
    for f, own in cuts.items():
        missing = np.isnan(features[:, f])
        for cut in own:
            for left in {(features[:, f] < cut).tobytes(), ((features[:, f] < cut) | missing).tobytes()}:
                mask = np.frombuffer(left, bool)
                if min(h[mask].sum(), h[~mask].sum()) >= params.min_child_weight:
                    yield gain_of(mask, g, h, params.reg_lambda, params.gamma)
