"""Where a run trains, as a person says it: nothing is loaded or contacted for it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from workbench.errors import WorkbenchError

LOCAL = "local"
MOST_WORKERS = 4  # of a local cluster, where no number is given
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

    @classmethod
    def of(cls, said: Any) -> Where:
        """Return what a script says: a cluster's name, all about it, a client of it, or this itself."""
        if isinstance(said, Where):
            return said
        if isinstance(said, str):
            return cls(said)
        if isinstance(said, Mapping):
            known = {field.name for field in fields(cls)}
            for name in said:
                if name not in known:
                    raise WorkbenchError(f"A cluster has no '{name}'. It has {', '.join(sorted(known))}.")
            return cls(**said)
        return cls(str(said.scheduler.address))

    @property
    def settled(self) -> Where:
        """The same with the numbers that are chosen where none are given."""
        if not self.is_local:
            return self
        cores = os.cpu_count() or 1
        workers = self.workers or max(min(cores, MOST_WORKERS), 1)
        return replace(self, workers=workers, threads=self.threads or max(cores // workers, 1))

    @property
    def record(self) -> str | dict[str, Any]:
        """It as a script says it: its address, or a mapping where there is more to say."""
        usual = Where(self.address)
        more = {
            field.name: getattr(self, field.name) for field in fields(self)
            if getattr(self, field.name) != getattr(usual, field.name)
        }  # fmt: skip
        return {"address": self.address, **more} if more else self.address

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
