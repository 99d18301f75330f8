"""The data of one round of differentiation, and the values that describe derivatives and requests."""
