from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from workbench.errors import WorkbenchError
from workbench.registry import Registry


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """A registry whose package takes a moment to import."""
    package = tmp_path / "slow_package"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from workbench.registry import Registry\nTHINGS = Registry('thing', 'slow_package')\n"
    )
    for number in range(20):
        (package / f"thing_{number:02d}.py").write_text(
            "from types import SimpleNamespace\nfrom slow_package import THINGS\nsum(range(200_000))\n"
            f"THINGS.register(SimpleNamespace(name='{number}', aliases=('alias{number}',)))\n"
        )
    monkeypatch.syspath_prepend(str(tmp_path))
    import slow_package  # type: ignore[import-not-found]

    return slow_package.THINGS


def test_threads_that_ask_at_once_all_find_everything(registry):
    found = []
    threads = [threading.Thread(target=lambda: found.append(len(list(registry)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [20] * 8
    assert registry.get("alias7").name == "7"


def test_an_unknown_name_is_refused_with_the_known_ones():
    registry = Registry("colour", "workbench.parameters")
    registry.register(SimpleNamespace(name="teal"))
    with pytest.raises(WorkbenchError, match=r"no colour called 'blue'.*teal"):
        registry.get("blue")


def test_a_name_cannot_be_taken_twice():
    registry = Registry("colour", "workbench.parameters")
    registry.register(SimpleNamespace(name="teal", aliases=("green",)))
    with pytest.raises(ValueError, match="taken"):
        registry.register(SimpleNamespace(name="green"))
