"""Nodes, edges and words of a tree on a painter."""
