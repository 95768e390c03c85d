"""A flag for every hyperparameter, made from its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.parameters.training import BY_NAME, PARAMETERS, TrainingParams

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.parameters.spec import Parameter

METAVARS = {"integer": "N", "real": "X", "flag": "yes|no", "numbers": "X,X", "splits": "SPLITS"}
_MADE = "parameter_"


def add_parameter_flags(parser: ArgumentParser) -> None:
    """Declare the flags, under the headings of the form."""
    groups = {}
    for parameter in PARAMETERS:
        if parameter.group not in groups:
            groups[parameter.group] = parser.add_argument_group(parameter.group)
        groups[parameter.group].add_argument(
            parameter.flag,
            nargs="?" if parameter.kind == "flag" else None,
            const="yes" if parameter.kind == "flag" else None,
            dest=_MADE + parameter.name,
            metavar=_metavar(parameter),
            help=_help(parameter).replace("%", "%%"),
        )


def parameters_of(args: Namespace) -> TrainingParams:
    """Return the parameters that the flags ask for."""
    given = {name: getattr(args, _MADE + name) for name in BY_NAME}
    return TrainingParams(
        **{name: BY_NAME[name].parse(text) for name, text in given.items() if text is not None}
    )


def _metavar(parameter: Parameter) -> str:
    return METAVARS.get(parameter.kind, parameter.named.upper() if parameter.holds_names else "NAME")


def _help(parameter: Parameter) -> str:
    default = parameter.shown(parameter.default)
    symbol = f"{parameter.symbol}: " if parameter.symbol else ""
    choice = "" if parameter.kind == "choice" and not parameter.choices else f" {parameter.allowed()};"
    return f"{symbol}{parameter.help} [{choice.strip()} default {default}]".replace("[ ", "[")
