"""TLS of a scheduler: its files are looked at before anything is contacted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.paths import is_file

if TYPE_CHECKING:
    from distributed.security import Security

    from workbench.cluster.where import Where

NEEDS_FILES = (
    "The scheduler {address} speaks TLS alone. Give the files of the authority, of a certificate and of its "
    "key."
)
NEEDS_TLS = "Files for TLS are given, but the scheduler's address {address} does not begin with tls://."


def address_of(where: Where) -> str:
    """Return the address of a scheduler, which may have written it into a file."""
    if not where.is_file:
        return where.address
    if not is_file(where.address):
        raise WorkbenchError(f"There is no file '{where.address}'. The scheduler writes it as it starts.")
    try:
        return str(json.loads(Path(where.address).read_text("utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkbenchError(
            f"'{where.address}' is not the file of a scheduler: it tells no address."
        ) from error


def security_of(where: Where, address: str) -> Security | None:
    """Return what a scheduler is contacted with; None without TLS, unless Dask's own configuration has it."""
    from distributed.security import Security

    if not (where.is_secure or address.startswith("tls://")):
        return None
    if not address.startswith("tls://"):
        raise WorkbenchError(NEEDS_TLS.format(address=address))
    for file in filter(None, (where.ca_file, where.certificate, where.key)):
        if not is_file(file):
            raise WorkbenchError(f"There is no file '{file}', which is given for TLS.")
    files = {"tls_ca_file": where.ca_file, "tls_client_cert": where.certificate, "tls_client_key": where.key}
    security = Security(require_encryption=True, **{name: file for name, file in files.items() if file})
    try:
        context = security.get_connection_args("client")["ssl_context"]
    except OSError as error:  # of the library for TLS, too
        raise WorkbenchError(f"The files for TLS cannot be used: {error}.") from error
    if context is None:
        raise WorkbenchError(NEEDS_FILES.format(address=address))
    return security
