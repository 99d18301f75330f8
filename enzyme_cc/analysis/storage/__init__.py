"""What the reverse sweep needs of the primal, and for each such value: store it, recompute it, or reload it."""
