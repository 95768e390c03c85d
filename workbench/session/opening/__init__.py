"""What is opened: tables, models that find their table again, what was pasted, what was open before."""
