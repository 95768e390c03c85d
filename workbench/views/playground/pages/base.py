"""The pages of the playground, by the names under which the session chooses them."""

from __future__ import annotations

from typing import Any

from workbench.registry import Registry

PAGES: Registry[Any] = Registry("page of the playground", "workbench.views.playground.pages")
