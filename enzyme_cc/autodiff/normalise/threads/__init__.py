"""Rewriting of what threads share: parallel regions of OpenMP and atomic sums."""
