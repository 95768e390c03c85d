"""A cluster on the loopback address that the tests of a process share."""

from __future__ import annotations

import pytest
from distributed.utils import offload

from workbench.cluster.connection import Connection, connect
from workbench.cluster.where import Where


class Few(Connection):
    """A connection that uses some of the workers alone."""

    def __init__(self, whole: Connection, workers: int) -> None:
        super().__init__(whole.client, owns_client=False)
        self._few = workers

    @property
    def workers(self) -> list[str]:
        return super().workers[: self._few]


@pytest.fixture(scope="session")
def whole_cluster():
    with connect(Where(workers=4, threads=1, memory="2GB")) as connection:
        connection.client.sync(offload, int)  # starts the thread that every client has sooner or later
        yield connection


@pytest.fixture
def few(whole_cluster):
    """Make a connection that uses so many workers."""
    return lambda workers: Few(whole_cluster, workers)
