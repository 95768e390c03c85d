"""Names of months in the languages that tables are written in, whole and short."""

from __future__ import annotations

_NAMES = (
    "jan january januar jänner januari janvier janv enero ene gennaio gen janeiro",
    "feb february februar februari février fevrier févr fév febrero febbraio fevereiro fev",
    "mar march märz maerz mrz mär mars marzo março marco maart mrt",
    "apr april avril avr abril abr aprile",
    "may mai mayo maggio mag maio mei maj",
    "jun june juni juin junio giugno giu junho",
    "jul july juli juillet juil julio luglio lug julho",
    "aug august août aout agosto ago augustus augusti",
    "sep sept september septembre septiembre setiembre settembre set setembro",
    "oct october oktober okt octobre octubre ottobre ott outubro out",
    "nov november novembre noviembre novembro",
    "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro",
)
MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
MONTH = "(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")(?![^\W\d_])"
