"""The `__enzyme_…` calls of a program, read as values."""
