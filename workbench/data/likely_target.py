"""Which column a table is probably about: what names say first, few classes before many, the last at last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.data.name_words import name_words
from workbench.data.stretches import stretches
from workbench.data.tallies import all_differ, least_tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.table import Column

FEW_CLASSES = 20  # more are hardly what a table is about, where nothing but the place says so
FEWEST_ROWS_OF_NUMBERS = 20  # of fewer, numbers differ by chance
AT_AN_END = 4  # what the first and the last place add to a name that speaks


class _Kind(NamedTuple):
    """Words that speak for a target, and how much: with two values, with few, with many numbers."""

    words: re.Pattern[str]
    of_two: int
    of_few: int
    of_many: int


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(words.split())})\b")


_KINDS = (
    _Kind(_any_of(
        "targets? labels? outcomes? output responses? dependent ground.truth"
        " ziel(wert|grösse|groesse|variable|spalte)? cible objetivo obiettivo"
    ), 88, 88, 80),
    _Kind(_any_of(  # what happens to some rows and not to others
        r"churn\w* attrit\w* (non)?default(ed|er|s)? delinq\w* dlq\w* fraud\w* scam spam phish\w*"
        r" surviv\w* died dead death deceased mortality alive readmi\w* admit(ted)? admission cancel\w*"
        r" convert\w* conversion purchased? bought buys? subscri\w* responded click(ed)? exit(ed)? left"
        r" quit resign\w* terminated turnover promoted hired approv\w* accepted reject\w* granted"
        r" delay(ed)? late overdue on.time fail(ed|ure)? fault\w* defect\w* broken breakdown anomal\w*"
        r" outlier intrusion malware malignan\w* benign sepsis relaps\w* recurren\w* infect\w* covid sick"
        r" dropout graduat\w* passed won winner wins? deposit tomorrow hazard(ous)? potab\w* edible"
        r" poisonous toxic\w* (dis)?satisf\w* creditab\w* bankrupt\w* charged.off repaid arrest\w*"
        r" recid\w* injur\w* severity fatal\w* sold returned refund\w* escalat\w* complained claims?"
        r" claimed accident happened occurred del.?15 dep.?del arr.?del sentiment"
    ), 80, 72, 0),
    _Kind(_any_of("units?.sold sold"), 0, 0, 72),
    _Kind(_any_of(  # an amount that somebody wants to know before
        r"\w*prices? charges? expenses? cost fares? sales? salary wages? revenue rent medv strength yield mpg"
        r" expectancy profit premium loss preis umsatz (house|home|property|market).val(ue)?"), 0, 66, 70),
    _Kind(_any_of(  # what ails somebody, often one cause among others
        r"cancer tumou?r \w*disease\w* attack diabet\w* stroke hypertension depress(ion|ed) health patient"
    ), 68, 66, 0),
    _Kind(_any_of("tips?"), 0, 0, 66),
    _Kind(_any_of("status risk species variety diagnos[ei]s result income class"), 62, 62, 0),
    _Kind(_any_of("claims? delays? demand consumption emissions? co2 deaths mortality severity"), 0, 0, 60),
    _Kind(_any_of("quality grade gpa ratings? rings points segment segmentation verdict"), 0, 58, 58),
    _Kind(_any_of("values? val duration cnt rentals? rented energy load appliances shares"), 0, 0, 50),
    _Kind(_any_of("amount score income total"), 0, 0, 35),
)  # fmt: skip
_PARTICIPLE = re.compile(
    r"\b(?!married|employed|furnished|registered|speed|paved|insured|embarked)\w{3,}ed\b"
)
_OF_A_PARTICIPLE = 45  # with two values
_OF_FEW_CLASSES_AT_THE_END = 52  # whatever the name
_OF_Y, _OF_Y_BESIDE_X = 78, 40  # beside x both are places on a plane, maybe
_OF_THE_ONE_WITHOUT_NUMBER = 79  # where all other names are one with numbers: f0, f1, f2 …
_NUMBERED = re.compile(r"(\D*)\d+")
FEWEST_NUMBERED = 3
_SOLD = _any_of("demand quantity orders units sales revenue visits visitors clicks bookings")
_OF_SOLD = 76  # and last, where its price stands among the causes
_CLASS_AT_AN_END = 95

_OF_STRONGER, _OF_WEAKER, _OF_A_LITTLE_WEAKER = 6, 45, 10
_WEAKER = (  # words that turn a name to something else, and how much less it speaks
    (_any_of("previous prev prior past last lag(ged)? old initial history family marital civil"
             " employment smoking personal checking savings? account vaccination num number no times"
             " count mean min max std lowest highest sched(uled)? expected pred(icted)? poutcome"
             " month(ly)? capital credit.score cumulative flagged today competitor sub workclass"
             " work.class working"), _OF_WEAKER),
    (_any_of("unit estimated present current original list base shipping dep(arture)? fixed total"
             " insurance"), _OF_A_LITTLE_WEAKER),
)  # fmt: skip
_STRONGER = _any_of("binary flag event label value target next final sale selling sold global yes y")
_OF_ANOTHER_KIND = _any_of(r"reason date code type channel method description name since class limit address")
_SAYS_NOTHING = re.compile(
    r"(.*\b)?(ids?|uuid|guid|index|key|name|surname|date(time)?|timestamp|time|year|yr|month|day|hour|minute|second"
    r"|week|weekday|quarter|lat(itude)?|lon(gitude)?|lng|zip|zipcode|postcode|phone|email|url|address|comments?|notes?"
    r"|remarks?|description|text|unnamed \d+|column \d+|sex|gender|age|race|city|state|country|region)"
)


def likely_target(columns: Sequence[Column]) -> str | None:
    """Return the name of the likeliest of columns that could be the target; None where there are none."""
    scores = [_score(column, columns, place) for place, column in enumerate(columns)]
    if (alone := _without_number(columns)) is not None:
        scores[alone] = max(scores[alone], _OF_THE_ONE_WITHOUT_NUMBER)
    best = max(scores, default=0)
    if best > 0:
        places = [place for place, score in enumerate(scores) if score == best]
        return columns[places[0] if places[0] == 0 else places[-1]].name
    silent = [c for c in columns if not _says_nothing(c)] or columns
    few = [c for c in silent if len(c.categories) <= FEW_CLASSES] or silent
    told = next((c for c in reversed(few) if not _numbers_rows(c)), few[-1] if few else None)
    return told.name if told is not None else None


def _without_number(columns: Sequence[Column]) -> int | None:
    """Return the place of the one column whose name is not that of all others with another number."""
    stems = [found[1] if (found := _NUMBERED.fullmatch(column.name)) else None for column in columns]
    others = {stem for stem in stems if stem is not None}
    if stems.count(None) != 1 or len(others) != 1 or len(stems) <= FEWEST_NUMBERED:
        return None
    place = stems.index(None)
    return None if _says_nothing(columns[place]) or _numbers_rows(columns[place]) else place


def _numbers_rows(column: Column) -> bool:
    """Whether whole numbers differ in every row, as those of customers or orders do."""
    if column.kind != "number" or column.missing or len(column.values) < FEWEST_ROWS_OF_NUMBERS:
        return False
    return all(bool((some == np.floor(some)).all()) for some in stretches(column.values)) and all_differ(
        column.values
    )


def _score(column: Column, columns: Sequence[Column], place: int) -> int:
    """How much name and values speak for a column; 0 where they do not."""
    words = name_words(column.name)
    said = " ".join(words)
    is_at_an_end = place in (0, len(columns) - 1)
    if said == "y":
        return _OF_Y_BESIDE_X if any(other.name.casefold() == "x" for other in columns) else _OF_Y
    if said == "class" and is_at_an_end:
        return _CLASS_AT_AN_END
    spoken = [kind for kind in _KINDS if kind.words.search(said)]
    participle = _PARTICIPLE.search(said) is not None
    is_last = place == len(columns) - 1 and not _says_nothing(column)
    if not (spoken or participle or is_last):
        return 0
    n_classes = _n_classes(column)
    if (
        is_last
        and not n_classes
        and _SOLD.search(said)
        and any(c.name.casefold() == "price" for c in columns)
    ):
        return _OF_SOLD
    if not n_classes and column.is_categorical:
        return 0
    score = max((_worth(kind, n_classes) for kind in spoken), default=0)
    if participle and n_classes == 2:
        score = max(score, _OF_A_PARTICIPLE)
    if score and len(words) > 1:
        score += _of_other_words(words)
    by_name = score + AT_AN_END if score > 0 and is_at_an_end else score
    return max(by_name, _OF_FEW_CLASSES_AT_THE_END if is_last and n_classes else 0, 0)


def _of_other_words(words: Sequence[str]) -> int:
    """What the other words of a name add to what one says."""
    said = " ".join(words)
    more = _OF_STRONGER if _STRONGER.search(said) else 0
    if "next" in words:
        return more
    if _OF_ANOTHER_KIND.fullmatch(words[-1]):
        more -= _OF_WEAKER
    return more - sum(less for pattern, less in _WEAKER if pattern.search(said))


def _worth(kind: _Kind, n_classes: int) -> int:
    return kind.of_two if n_classes == 2 else kind.of_few if n_classes else kind.of_many


def _n_classes(column: Column) -> int:
    """The number of different values where they are few, 0 where they are many."""
    found = len(least_tally(column.values, FEW_CLASSES + 1)[0])
    return found if found <= FEW_CLASSES else 0


def _says_nothing(column: Column) -> bool:
    """Whether a name is that of a date, a place, an identifier or a text, unless few classes have it."""
    said = " ".join(name_words(column.name))
    if column.is_categorical and len(column.categories) <= FEW_CLASSES and said.endswith(" id"):
        return False
    return column.kind == "date" or _SAYS_NOTHING.fullmatch(said) is not None
