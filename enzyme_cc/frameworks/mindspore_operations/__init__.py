"""Compiled functions as custom operators of MindSpore, with derivatives up to the second."""
