"""What the text of a cell means: numbers, dates, truth words, labels, units."""
