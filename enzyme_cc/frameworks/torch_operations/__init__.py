"""Compiled functions as operators of PyTorch, with derivatives up to the second."""
