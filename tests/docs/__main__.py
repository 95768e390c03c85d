"""`python -m tests.docs` makes the made parts of all pages anew."""

from __future__ import annotations

from tests.docs.makers import MAKERS
from tests.docs.pages import PAGES, read, renewed

for page in PAGES:
    page.write_text(renewed(read(page), MAKERS), encoding="utf-8")
