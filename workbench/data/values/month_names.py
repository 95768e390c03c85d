"""Names of months in the languages that tables are written in, whole and short."""

from __future__ import annotations

_NAMES = (
    "jan january januar jänner januari janvier janv enero ene gennaio gen janeiro января stycznia",
    "feb february februar februari février fevrier févr fév febrero febbraio fevereiro fev февраля lutego",
    "mar march märz maerz mrz mär mars marzo março marco maart mrt марта marca",
    "apr april avril avr abril abr aprile апреля kwietnia",
    "may mai mayo maggio mag maio mei maj мая maja",
    "jun june juni juin junio giugno giu junho июня czerwca",
    "jul july juli juillet juil julio luglio lug julho июля lipca",
    "aug august août aout agosto ago augustus augusti августа sierpnia",
    "sep sept september septembre septiembre setiembre settembre set setembro сентября września",
    "oct october oktober okt octobre octubre ottobre ott outubro out октября października",
    "nov november novembre noviembre novembro ноября listopada",
    "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro декабря grudnia",
)
MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
MONTH = "(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")(?![^\W\d_])"
