"""The thread on which xgboost.dask waits for the workers of a run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import xgboost
from xgboost import dask as of_dask

from workbench.cluster.learner_params import learner_params
from workbench.cluster.measures import MEASURES
from workbench.cluster.placed_matrix import PlacedMatrix
from workbench.cluster.reins import Reins, Watched
from workbench.cluster.start_booster import start_document

if TYPE_CHECKING:
    from workbench.cluster.channel import Channel
    from workbench.cluster.connection import Connection
    from workbench.cluster.placed_table import RowsThere
    from workbench.cluster.setup import ClusterSetup

MOST_ROUNDS = 10_000_000  # the callback ends a run
TRACKER_SECONDS = 120  # for all workers to meet, and to part
PEER_SECONDS = 120  # for one worker to answer another


class TrainingThread:
    """Trains, and puts what broke it off among the messages of the run.

    Parameters
    ----------
    setup : ClusterSetup
    rows : RowsThere
    connection : Connection
    channel : Channel
    best : tuple of int and float, optional
        Best round of the model that is grown on, and its watched metric.
    """

    def __init__(
        self, setup: ClusterSetup, rows: RowsThere, connection: Connection, channel: Channel,
        best: tuple[int, float] | None,
    ) -> None:  # fmt: skip
        self._setup, self._rows, self._connection, self._channel = setup, rows, connection, channel
        self._best = best
        self._thread = threading.Thread(target=self._work, name="xgboost.dask", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def join(self, seconds: float) -> bool:
        """Wait for the end, at most so long; return whether it is over."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self) -> None:
        try:
            self._train()
        except BaseException as error:  # whatever it is, the trainer must not wait for it
            self._channel.messages.put({"kind": "failed", "error": error})
        else:
            self._channel.messages.put({"kind": "over"})

    def _train(self) -> None:
        setup, rows = self._setup, self._rows
        params, begun = setup.params, setup.begun
        metrics = setup.metrics
        named = {name: MEASURES[name].named(params) for name in metrics.names}
        figures = list(dict.fromkeys(named.values()))
        types = ["c" if feature.is_categorical else "q" for feature in setup.schema.features]
        bins = params.max_bin if params.tree_method == "hist" else None
        train = PlacedMatrix(rows.train, types, bins)
        evals = [(train, "train")]
        if rows.valid:
            evals.append((PlacedMatrix(rows.valid, types, bins, train), "valid"))
        watched = Watched(
            "valid" if rows.valid else "train", named[metrics.watched], metrics.higher_is_better, self._best
        )
        first = begun.rounds
        start = None
        if first:
            start = xgboost.Booster(model_file=bytearray(start_document(begun, setup.schema, params)))
        with self._connection.client.as_current(), xgboost.config_context(verbosity=0):
            of_dask.train(
                self._connection.client,
                learner_params(params, setup.objective, setup.schema, figures, first + 1),
                train, MOST_ROUNDS, evals=evals, xgb_model=start, verbose_eval=False,
                callbacks=[Reins(self._channel.run, first, watched, self._channel.command)],
                coll_cfg=self._collective(),
            )

    def _collective(self) -> Any:
        from xgboost.collective import Config

        return Config(retry=3, timeout=PEER_SECONDS, tracker_timeout=TRACKER_SECONDS)
