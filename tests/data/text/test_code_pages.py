"""Encodings before UTF-8 are told by the letters that a text would hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.data.readers.options import ENCODINGS
from workbench.data.reading import preview, read_table
from workbench.data.text.stream.code_pages import find_code_page

if TYPE_CHECKING:
    from tests.data.making import Write

TEXTS = [
    ("名前,売り上げ\n東京タワー,1\nりんご,2\nコーヒー,5\n", ["shift_jis", "euc_jp"]),
    ("都市,値\n東京,1\n大阪,2\n京都,3\n", ["shift_jis"]),
    ("城市,数值\n北京,1\n上海,3\n广州市,4\n", ["gb18030"]),
    ("城市,數值\n臺北,1\n高雄,2\n臺中市,3\n", ["big5"]), ("도시,값\n서울,1\n부산,2\n인천,4\n", ["euc_kr"]),
    ("город,число\nМосква,1\nКазань,2\n", ["cp1251", "koi8_r", "cp866"]),
    ("Имя,Цена\n" + "Т,1\n" * 24, ["cp1251"]),
    ("πόλη,αριθμός\nΑθήνα,1\n", ["cp1253"]),
    ("年,月,気温（℃）\n2020,1,5\n2020,2,6\n", ["shift_jis"]),
    ("größe,stadt\n1,Zürich\n2,Århus\n3,Málaga\n", ["cp1252", "mac_roman", "cp850"]),
    ("département,âge\nHérault,3\nCôtes d’Armor,5\n", ["cp1252", "mac_roman"]),
    ("miasto,x\nŁódź,1\nKraków,2\nGdańsk,3\n", ["cp1250", "iso-8859-2"]),
    ("price €,x\n1 €,2\n3 €,4\n", ["cp1252", "iso-8859-15"]),
    ("şehir,x\nİstanbul,1\nMuğla,4\n", ["cp1254"]),
    ("price €,x\n1 €,2\n“q” – r,4\n", ["cp1252"]),
    ("T °C,x\n1,2\n", ["cp1252"]), ("a,b\nCafé,2\n", ["cp1252"]),
]  # fmt: skip


EACH = [(text, encoding) for text, some in TEXTS for encoding in some]


@pytest.mark.parametrize(("text", "encoding"), EACH)
def test_the_encoding_is_found_and_doubtful(write: Write, text: str, encoding: str) -> None:
    assert find_code_page(text.encode(encoding)) == encoding
    path = write(text.encode(encoding))
    read = read_table(path)
    assert read.names == tuple(text.split("\n")[0].split(","))
    named = ENCODINGS[encoding].partition(" (")[0]
    assert any(f"so it is read as {named};" in note.text for note in read.notes)
    seen = preview(path)
    assert seen is not None
    assert any(guess.option == "encoding" and guess.value == encoding for guess in seen.doubts)


@pytest.mark.parametrize(
    "text", ["番号,会社名\n1,㈱山田商店\n2,髙橋工業㈱\n", "名前,会社\n①,ヤマト㈱\n②,スズキ㈱\n"]
)
def test_signs_that_only_windows_has_in_shift_jis_are_read(write: Write, text: str) -> None:
    read = read_table(write(text.encode("cp932")))
    assert read.names == tuple(text.split("\n")[0].split(","))
    cells = text.replace("\n", ",").split(",")
    assert {label for column in read.columns for label in column.categories} <= set(cells)
