"""The project file: a sitting that is written as it goes, and read again."""
