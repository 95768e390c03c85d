"""Pairs of words that stand for no and yes, in the languages that tables are written in."""

from __future__ import annotations

NUMBERS = {"false": 0.0, "true": 1.0}  # of truth values, where a model knows their column as numbers
_PAIRS = """
no yes, n y, f t, off on, nein ja, nej ja, nei ja, nee ja, non oui, no sí, no si, no sì, não sim, nao sim,
falsch wahr, faux vrai, falso verdadero, falso vero, falso verdadeiro, onwaar waar, falskt sant, nie tak,
n j, epätosi tosi, falsk sand, usann sann, fałsz prawda, nepravda pravda, yanlış doğru,
hamis igaz, fals adevărat, ne ano, hayır evet, hayir evet, ei kyllä, nem igen, nu da, нет да, ложь истина,
いいえ はい, 否 是, 偽 真, 假 真, όχι ναι,
ні так, не да, 아니오 예, لا نعم,
.false. .true., .f. .t., ✗ ✓, ✘ ✔
"""
PAIRS = tuple(frozenset(pair.split()) for pair in _PAIRS.split(","))
AFFIRMATIVE = frozenset(pair.split()[1] for pair in _PAIRS.split(","))
