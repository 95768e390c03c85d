"""Models in files that are not read: what they are is said, and what to save in their place."""

from __future__ import annotations

import bz2
import gzip
import lzma
import pickle
import zipfile

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.errors import WorkbenchError
from workbench.formats.load import load_model
from workbench.session.opening.open_file import open_file

RUN = []


class Trap:
    """Says when it is unpickled."""

    def __reduce__(self):
        return RUN.append, (1,)


@pytest.mark.parametrize(("name", "data", "words"), [
    ("m.pkl", pickle.dumps(Trap(), protocol=0), "is a pickle, which can run code"),
    ("m.bin", pickle.dumps(Trap()), "is a pickle, which can run code"),
    ("m.joblib", b"x\x9c and so on", "script of 'workbench script'"),
    ("m.skops", b"PK\x03\x04", "a file of skops. Load it where scikit-learn is"),
    ("m.cbm", b"CBM1\x00\x00", "format='json', pool=pool"),
    ("m.model", b"binf\x00\x00", "an old binary model"),
    ("m.json.gz", gzip.compress(b'{"learner":{}}', mtime=0), "by gzip, and models are read unpacked"),
    ("m.json.bz2", bz2.compress(b'{"learner":{}}'), "packed by bzip2"),
    ("m.json.xz", lzma.compress(b'{"learner":{}}'), "packed by xz"),
    ("m.json", b'\xef\xbb\xbf{"learner":{}}', "without one"),
    ("m.json", '\ufeff{"learner":{}}'.encode("utf-16-le"), "a text with a byte order mark"),
    ("m.zip", b"PK\x03\x04", "is a zip archive, and models are read unpacked"),
])  # fmt: skip
def test_what_to_save_instead_is_said(name, data, words, tmp_path):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(WorkbenchError, match=words) as refused:
        load_model(tmp_path / name)
    assert "\n" not in str(refused.value)
    assert not RUN


def test_a_file_of_skops_is_no_table(tmp_path, capsys):
    path = tmp_path / "m.skops"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("1.npy", b"x")
        packed.writestr("schema.json", '[{"a": 1}, {"a": 2}]')
    with pytest.raises(WorkbenchError, match="a file of skops"):
        open_file(path, lambda *_: None, lambda: False)
    assert main(["describe", str(path)]) == 2
    assert "is a file of skops. Load it where scikit-learn is" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["text", "json"])
def test_a_dump_of_xgboost_is_no_table_and_no_model(kind, tmp_path):
    xgboost = pytest.importorskip("xgboost")
    rows = np.random.default_rng(0).normal(size=(50, 2))
    booster = xgboost.train({"nthread": 1}, xgboost.DMatrix(rows, rows[:, 0], nthread=1), 2)
    path = tmp_path / "dump"
    booster.dump_model(path, dump_format=kind)
    with pytest.raises(WorkbenchError, match="a dump of trees without objective and base"):
        load_model(path)
    with pytest.raises(WorkbenchError, match="a dump of trees"):
        open_file(path, lambda *_: None, lambda: False)
