"""Pictures and figures that a view writes: completely or not at all, whatever a column is called."""

from __future__ import annotations

import errno
import os
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSize

from workbench.errors import WorkbenchError
from workbench.views.export.pictures import save_picture

HOSTILE = "</svg><script>alert(1)</script> \x00\x1b[2J & <!-- \"quoted\" ]]> \ud800 \u2028"


def paint(painter, area):
    painter.drawText(area, 0, HOSTILE)


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_full_disk_keeps_the_old_picture(ending, qapp, tmp_path, monkeypatch):
    path = tmp_path / f"curves.{ending}"
    path.write_bytes(b"old")

    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkbenchError, match="no space left"):
        save_picture(path, QSize(200, 100), paint, "Curves")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_names_are_only_text_in_a_drawing(qapp, tmp_path):
    path = tmp_path / "curves.svg"
    save_picture(path, QSize(200, 100), paint, HOSTILE)
    tags = {node.tag.rpartition("}")[2] for node in ElementTree.parse(path).iter()}
    assert "script" not in tags
    assert "svg" in tags


def test_another_ending_is_refused(qapp, tmp_path):
    with pytest.raises(WorkbenchError, match=r"\.png or an \.svg"):
        save_picture(tmp_path / "curves.exe", QSize(20, 10), paint, "Curves")
