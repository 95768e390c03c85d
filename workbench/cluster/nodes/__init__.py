"""Nodes of a run whose rows lie on a cluster: what needs rows is added up there, for the node asked about."""
