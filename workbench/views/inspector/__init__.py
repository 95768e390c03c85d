"""The views of the bottom dock, each about what is selected in the tree."""
