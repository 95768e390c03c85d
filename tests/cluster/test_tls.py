"""A scheduler that speaks TLS alone: the window, the command line and a script train on it."""

from __future__ import annotations

import shutil
import subprocess

import pandas as pd
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

import workbench
from tests.cluster.far_cluster import FarCluster
from tests.cluster.runs import SAMPLES
from workbench.__main__ import main
from workbench.cluster.connection import connect
from workbench.cluster.where import Where
from workbench.errors import WorkbenchError
from workbench.views.cluster.where_panel import SCHEDULER, WherePanel
from workbench.workers.cluster_desk import ClusterDesk

pytestmark = [
    pytest.mark.slow, pytest.mark.usefixtures("_offload_thread"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates"),
]  # fmt: skip
ROUNDS = 4
LITTLE = {"rounds": ROUNDS, "max_depth": 3}


def made_files(folder, name):
    """Make an authority, and a certificate with its key that it signed."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    new = ("-newkey", "rsa:2048", "-nodes")
    openssl("req", "-x509", *new, "-subj", f"/CN={name} authority", "-keyout", "ca.key", "-out", "ca.pem")
    openssl("req", *new, "-subj", f"/CN={name}", "-keyout", "own.key", "-out", "own.csr")
    openssl(
        "x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
        "-out", "own.pem",
    )  # fmt: skip
    return folder / "ca.pem", folder / "own.pem", folder / "own.key"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return made_files(tmp_path_factory.mktemp("tls"), "own")


@pytest.fixture(scope="module")
def secure(files, _offload_thread):
    with FarCluster(workers=1, tls=files) as far:
        yield far


def where_of(far, files):
    authority, certificate, key = map(str, files)
    return {"address": far.address, "ca_file": authority, "certificate": certificate, "key": key}


def test_a_script_trains_there(secure, files, tmp_path):
    frame = pd.read_csv(SAMPLES / "concrete_strength.csv")
    sent = workbench.fit(frame, target="compressive_strength", cluster=where_of(secure, files), **LITTLE)
    path = tmp_path / "table.parquet"
    frame.to_parquet(path)
    with secure.client() as client:
        stayed = workbench.fit(str(path), target="compressive_strength", cluster=client, **LITTLE)
    assert sent.rounds == stayed.rounds == ROUNDS


def test_the_command_line_trains_there(secure, files, tmp_path):
    ca, certificate, key = map(str, files)
    made = tmp_path / "model.json"
    code = main([
        "train", str(SAMPLES / "concrete_strength.csv"), "--target", "compressive_strength",
        "--rounds", str(ROUNDS), "--cluster", secure.address, "--tls-ca", ca, "--tls-cert", certificate,
        "--tls-key", key, "--export", str(made),
    ])  # fmt: skip
    assert code == 0
    assert workbench.load_model(made).rounds == ROUNDS


def test_the_window_connects(secure, files, qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    panel = WherePanel(ClusterDesk(parent), parent)
    panel.choice.setCurrentIndex(SCHEDULER)
    for name, text in where_of(secure, files).items():
        qtbot.keyClicks(panel.fields[name], text)
    qtbot.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    desk = panel._desk
    qtbot.waitUntil(lambda: not desk.state.is_connecting, timeout=60_000)
    assert desk.state.facts.workers == 1
    assert desk.record == where_of(secure, files)
    desk.shutdown()


def test_files_of_another_authority_are_said(secure, files, tmp_path):
    strange = made_files(tmp_path, "strange")
    for given in ((strange[0], *files[1:]), (files[0], *strange[1:])):
        with pytest.raises(WorkbenchError, match="at the files for TLS"):
            connect(Where(**where_of(secure, given)))


def test_an_address_without_tls_is_asked_about(secure):
    with pytest.raises(WorkbenchError, match="tls://"):
        connect(Where(f"tcp://127.0.0.1:{secure.port}"))
