"""What makes each part of the pages that is made."""

from __future__ import annotations

from tests.docs.commands import commands
from tests.docs.docstrings import api, nodes
from tests.docs.tables import formats, keys, methods, metrics, objectives, parameters

MAKERS = {
    maker.__name__: maker
    for maker in (api, commands, formats, keys, methods, metrics, nodes, objectives, parameters)
}
