"""A cluster on the loopback address that the tests of a process share."""

from __future__ import annotations

import pytest
from distributed.utils import offload

from tests.cluster.runs import Few
from workbench.cluster.connection import connect
from workbench.cluster.where import Where


@pytest.fixture(scope="session")
def whole_cluster():
    with connect(Where(workers=2, threads=1, memory="4GB")) as connection:
        connection.client.sync(offload, int)  # starts the thread that every client has sooner or later
        yield connection


@pytest.fixture
def few(whole_cluster):
    """Make a connection that uses so many workers."""
    return lambda workers: Few(whole_cluster, workers)
