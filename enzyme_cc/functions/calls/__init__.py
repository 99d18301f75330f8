"""Calls of a built function and of its derivatives from Python."""
