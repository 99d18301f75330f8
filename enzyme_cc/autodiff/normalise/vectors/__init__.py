"""Normalisation of vectors: those of integers whose lanes are bits of numbers, masks, and masked accesses."""
