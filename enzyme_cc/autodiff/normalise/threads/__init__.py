"""Rewriting of what threads share: regions and atomic sums."""
