"""The parts of a formula: they paint themselves and write LaTeX, Python and plain text.

All lengths are as set: whoever paints a formula scales the painter.
"""
