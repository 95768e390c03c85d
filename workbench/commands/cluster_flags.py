"""The flags that say on which cluster a run trains."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.cluster.where import Where


def add_cluster_flags(parser: ArgumentParser) -> None:
    """Declare them."""
    parser.add_argument(
        "--cluster", metavar="WHERE",
        help="train with xgboost.dask: local, a scheduler's address (tcp://host:8786) or its file (.json)",
    )
    parser.add_argument("--workers", metavar="N", type=int, default=0, help="processes of --cluster local")
    parser.add_argument("--worker-threads", metavar="N", type=int, default=0, help="threads of each of them")
    parser.add_argument("--worker-memory", metavar="SIZE", default="", help="memory of each of them: 4GB")
    parser.add_argument("--tls-ca", metavar="PEM", default="", help="file of the authority for TLS")
    parser.add_argument("--tls-cert", metavar="PEM", default="", help="file of this machine's certificate")
    parser.add_argument("--tls-key", metavar="PEM", default="", help="file of its key")


def cluster_of(args: Namespace) -> Where | None:
    """Return where the flags say to train; None for this machine."""
    if args.cluster is None:
        return None
    from workbench.cluster.where import Where

    return Where(
        args.cluster, args.workers, args.worker_threads, args.worker_memory, args.tls_ca, args.tls_cert,
        args.tls_key,
    )
