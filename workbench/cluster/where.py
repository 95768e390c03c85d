"""Where a run trains, as a person says it: nothing is loaded or contacted for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import WorkbenchError

LOCAL = "local"
ADDRESS = re.compile(r"(tcp|tls|ucx|ucxx|ws|wss|inproc)://\S+")


@dataclass(frozen=True)
class Where:
    """A cluster.

    Attributes
    ----------
    address : str
        "local" for one on this machine, a scheduler's address, or the path of its file.
    workers, threads : int
        Processes of a local cluster, and threads of each; 0: as fits this machine.
    memory : str
        Of each worker of a local cluster: "4 GB"; "" shares what there is.
    ca_file, certificate, key : str
        Files for TLS; "" without.
    """

    address: str = LOCAL
    workers: int = 0
    threads: int = 0
    memory: str = ""
    ca_file: str = ""
    certificate: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        if self.is_local or ADDRESS.fullmatch(self.address) or self.is_file:
            return
        raise WorkbenchError(
            f"'{self.address:.80}' is no cluster. Give local, a scheduler's address (tcp://host:8786) or its "
            "file (scheduler.json)."
        )

    @property
    def is_local(self) -> bool:
        """Whether the cluster is started on this machine."""
        return self.address == LOCAL

    @property
    def is_file(self) -> bool:
        """Whether it names the file that a scheduler writes."""
        return Path(self.address).suffix == ".json"

    @property
    def is_secure(self) -> bool:
        """Whether files for TLS are given."""
        return bool(self.ca_file or self.certificate or self.key)

    @property
    def label(self) -> str:
        """What it is called in a sentence."""
        return "a cluster on this machine" if self.is_local else f"the scheduler {self.address}"
