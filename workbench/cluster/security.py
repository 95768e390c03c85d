"""TLS of a scheduler: its files are looked at before anything is contacted."""

from __future__ import annotations

import json
from pathlib import Path
from ssl import SSLError
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
UNTRUSTED = (
    "The scheduler {address} and this machine do not accept each other's certificates. Look at the files for "
    "TLS."
)
UNANSWERED = (
    "The scheduler {address} does not answer ({error}). Look whether it runs, whether it can be reached from "
    "here, and {more}."
)


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


def why_unanswered(error: BaseException, named: str, address: str) -> str:
    """Say why a scheduler cannot be spoken with; `named` is what it was called, `address` where it is."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, SSLError):
            return UNTRUSTED.format(address=named)
        cause = cause.__cause__ or cause.__context__
    more = "at the files for TLS" if address.startswith("tls://") else "whether its address begins with tls://"
    return UNANSWERED.format(address=named, error=type(error).__name__, more=more)
