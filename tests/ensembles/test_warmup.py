from __future__ import annotations

from workbench.ensembles.warmup import warm_up
from workbench.trees.cache import kernels_ready


def test_nothing_is_compiled_after_the_warm_up(monkeypatch):
    told = []
    warm_up(lambda done, total, name: told.append((done, total, name)))
    assert [done for done, _, _ in told] == list(range(len(told)))
    assert all(total == len(told) - 1 for _, total, _ in told)
    assert all(name for _, _, name in told)
    assert kernels_ready()


def test_ordinary_runs_use_the_warmed_kernels():
    from numba.core import event

    from tests.reference.tables import fitted, random_dataset
    from workbench.ensembles.prediction import leaf_indices, raw_predictions

    warm_up(lambda *_: None)
    compiled = []

    class Listener(event.Listener):
        def on_start(self, e):
            compiled.append(e.data["dispatcher"])

        def on_end(self, e):
            pass

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        for task in ("regression", "binary", "multiclass"):
            for n, d in ((600, 6), (30_000, 40)):
                data = random_dataset(task, n=n, d=d, weighted=True)
                ensemble = fitted(data, rounds=2, subsample=0.5, colsample_bytree=0.5, threads=2)
                raw_predictions(ensemble, data.features)
                raw_predictions(ensemble, data.features, serial=True)
                leaf_indices(ensemble.trees, data.features)
    finally:
        event.unregister("numba:compile", listener)
    assert compiled == []
