"""Palette, style sheet, type, icons and widths of words."""
