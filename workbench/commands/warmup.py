"""`workbench warmup`: compiles the kernels into the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.commands.base import COMMANDS
from workbench.errors import OutputError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


class WarmupCommand:
    """The window calls it with `--progress` on first launch."""

    name = "warmup"
    help = "compile the kernels into the cache, so that later starts are fast"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare flags."""
        parser.add_argument(
            "--progress", action="store_true",
            help="print DONE/TOTAL NAME before each step, and READY NAME where few runs wait for it",
        )  # fmt: skip

    def run(self, args: Namespace) -> int:
        """Compile what is not in the cache yet."""
        from workbench.kernels.cache import cache_folder, can_keep_kernels, folder_remark, kernels_ready
        from workbench.priority import lower_compiler
        from workbench.warmup.processes import warm_up_quickly

        if not can_keep_kernels() and not kernels_ready(rare=True):
            raise OutputError(folder_remark())
        if args.progress:
            lower_compiler()  # also where this process compiles
        if args.progress:
            warm_up_quickly(_print_step, told=_print_ready)
        else:
            warm_up_quickly(_keep_quiet)
        if not args.progress:
            print(f"The kernels are compiled, in {cache_folder()}. {folder_remark()}".strip())
        return 0


def _print_step(done: int, total: int, name: str) -> None:
    print(f"{done}/{total} {name}", flush=True)


def _print_ready(name: str) -> None:
    print(f"READY {name}", flush=True)


def _keep_quiet(_done: int, _total: int, _name: str) -> None:
    """Say nothing."""


COMMANDS.register(WarmupCommand())
