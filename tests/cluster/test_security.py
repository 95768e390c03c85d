"""Files of schedulers and for TLS: what is wrong with them is said before anything is contacted."""

from __future__ import annotations

import pytest

from workbench.cluster.connection import connect
from workbench.cluster.security import address_of
from workbench.cluster.where import Where
from workbench.errors import WorkbenchError

NOBODY = "tls://127.0.0.1:9"


@pytest.fixture(autouse=True)
def _nothing_is_contacted(monkeypatch):
    def contacted(*_given: object, **_named: object) -> None:
        raise AssertionError("a scheduler was contacted")

    monkeypatch.setattr("distributed.Client", contacted)


def refusal(where: Where) -> str:
    with pytest.raises(WorkbenchError) as refused:
        connect(where)
    return str(refused.value)


def test_tls_without_files_asks_for_them(tmp_path):
    assert "Give the files" in refusal(Where(NOBODY))
    authority = tmp_path / "ca.pem"
    authority.write_text("")
    assert "Give the files" in refusal(Where(NOBODY, ca_file=str(authority)))


def test_files_that_are_missing_or_no_certificates_are_named(tmp_path):
    lacking = str(tmp_path / "none.pem")
    assert lacking in refusal(Where(NOBODY, ca_file=lacking))
    odd = tmp_path / "odd.pem"
    odd.write_text("no certificate")
    where = Where(NOBODY, ca_file=str(odd), certificate=str(odd), key=str(odd))
    assert refusal(where).startswith("The files for TLS cannot be used")


def test_files_for_tls_want_an_address_of_it(tmp_path):
    assert "does not begin with tls://" in refusal(Where("tcp://127.0.0.1:9", ca_file="ca.pem"))


def test_the_file_of_a_scheduler_tells_its_address(tmp_path):
    file = tmp_path / "scheduler.json"
    where = Where(str(file))
    assert "There is no file" in refusal(where)
    for text in ("", "[]", "{}", "\xff"):
        file.write_text(text, "latin-1")
        assert "tells no address" in refusal(where)
    file.write_text('{"address": "tls://127.0.0.1:9"}')
    assert address_of(where) == NOBODY
    assert "Give the files" in refusal(where)
