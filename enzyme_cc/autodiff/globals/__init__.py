"""Shadows of global variables, and of the memory that global pointers lead to."""
