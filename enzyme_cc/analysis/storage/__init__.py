"""The values of the primal that the reverse sweep uses, and how it gets each: stored, recomputed or read again."""
