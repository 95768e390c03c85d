"""The views of the bottom dock, each about what is selected in the tree."""

from workbench.views.inspector.node_inspector import NodeInspector
from workbench.views.inspector.path_view import RowPathView

__all__ = ["NodeInspector", "RowPathView"]
