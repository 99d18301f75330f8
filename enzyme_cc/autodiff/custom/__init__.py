"""Derivatives that the program registers for its functions."""
