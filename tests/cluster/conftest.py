"""A cluster on the loopback address that the tests of this folder share, and that ends with them."""

from __future__ import annotations

import asyncio

import pytest
from distributed.utils import offload

from tests.cluster.runs import Few
from workbench.cluster.connection import connect
from workbench.cluster.where import Where


@pytest.fixture(scope="session")
def _offload_thread():
    """Started before a test is watched: every client has it sooner or later, to the end of the program."""
    asyncio.run(offload(int))


@pytest.fixture(scope="package")
def whole_cluster(_offload_thread):
    with connect(Where(workers=2, threads=1, memory="4GB")) as connection:
        yield connection


@pytest.fixture
def few(whole_cluster):
    """Make a connection that uses so many workers."""
    return lambda workers: Few(whole_cluster, workers)
