"""Why a node was split as it was."""
