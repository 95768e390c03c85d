"""The flags that say on which cluster a run trains."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.cluster.open_run import RunOfPath
    from workbench.cluster.where import Where
    from workbench.data.readers.options import ReadOptions
    from workbench.data.schema import Role
    from workbench.ensembles.control import RunControl
    from workbench.formats.model import Model
    from workbench.parameters.training import TrainingParams
    from workbench.scoring.score_file import ScoredFile
    from workbench.scoring.wanted import Wanted

STAYS = (
    "On a cluster Parquet, a folder of CSV, or an address with :// is scored, which the workers read. Leave "
    "--cluster out for other files."
)


def add_cluster_flags(parser: ArgumentParser, what: str = "train with xgboost.dask") -> None:
    """Declare them; `what` is done there."""
    parser.add_argument(
        "--cluster", metavar="WHERE",
        help=f"{what}: local, a scheduler's address (tcp://host:8786) or its file (.json)",
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


def agree_to_cluster(said: Any) -> None:
    """Ask whether a scheduler that a file names may be contacted; raise WorkbenchError where it may not."""
    from workbench.cluster.where import Where

    where = Where.of(said)
    if where.is_local:
        return
    print(
        f"The scheduler {where.address} will be contacted, and rows sent to its workers. Do it? [y/N]",
        file=sys.stderr, flush=True,
    )  # fmt: skip
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise WorkbenchError(f"The scheduler {where.address} was not contacted. Answer y, or give --yes.")


def reads_there(file: str) -> bool:
    """Whether the workers read a table, and this machine does not."""
    from workbench.cluster.extra import check_extra

    check_extra()
    from workbench.cluster.open_run import stays_there

    return stays_there(file)


def run_there(
    cluster: Where, args: Namespace, params: TrainingParams, control: RunControl, start: Model | None
) -> RunOfPath:
    """Look over a table on the cluster, and set up a run on it."""
    from workbench.cluster.open_run import refuse_given, run_of_path
    from workbench.commands.holdout_flags import BY_FLAG, split_of
    from workbench.commands.reading_flags import options_of
    from workbench.commands.training_rows import say_guesses

    refuse_given({f"--{name.replace('_', '-')}": getattr(args, name) for name in BY_FLAG})
    split = split_of(args, params.seed)
    named: dict[str, Role] = dict.fromkeys(args.ignore, "ignore")
    named |= {args.weight: "weight"} if args.weight else {}
    named |= {args.group: "group"} if args.group else {}
    named |= {args.offset: "offset"} if args.offset else {}
    named |= {args.target: "target"}
    run = run_of_path(
        cluster, args.file, named, params, control, start, valid_fraction=split.fraction,
        seed=split.seed, positive=args.positive, options=options_of(args),
    )
    if not args.quiet:
        say_guesses({name: role for name, role in run.roles.items() if name not in named})
    return run


def score_on(
    cluster: Where, model: Model, file: str, output: str, wanted: Wanted, options: ReadOptions
) -> ScoredFile:
    """Score a table that the workers of a cluster read."""
    if not reads_there(file):
        raise WorkbenchError(STAYS)
    from workbench.cluster.open_run import opened
    from workbench.cluster.scoring.score_there import score_there

    with opened(cluster) as connection:
        return score_there(connection, model, file, output, wanted, options=options)
