"""Work on a stream of items by several threads, the results in the items' order."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_THREADS = 4


def work_ahead(call: Callable[[Item], Result], items: Iterable[Item], threads: int = 0) -> Iterator[Result]:
    """Yield `call(item)` of each item, in order, while the next few are worked on; one alone takes no thread.

    Where an item cannot be had, what is wrong with those before it is said first.
    """
    rest = iter(items)
    first = list(islice(rest, 1))
    try:
        first += islice(rest, 1)
    except WorkbenchError:
        for item in first:
            call(item)
        raise
    if len(first) < 2:
        yield from map(call, first)
    else:
        yield from _in_threads(call, chain(first, rest), threads or min(os.cpu_count() or 1, MOST_THREADS))


def _in_threads(call: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    waiting: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="ahead")
    try:
        for item in items:
            waiting.append(pool.submit(call, item))
            if len(waiting) > threads:
                yield waiting[0].result()
                waiting.popleft()
        while waiting:
            yield waiting[0].result()
            waiting.popleft()
    except WorkbenchError:
        for future in waiting:  # the first that is wrong is said, also where it is the one raised
            future.result()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
