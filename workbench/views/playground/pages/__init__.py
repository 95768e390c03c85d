"""The pages of the playground, each in its own file."""
