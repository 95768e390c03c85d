"""Sheets of workbooks: Excel, old Excel, OpenDocument."""
