"""Readers of tables, one file format a module."""
