"""What a script gives, read in one place: rows, targets, frames, tables of Arrow."""
