"""Facts about integers: bits of numbers, signs, offsets, induction variables and trip counts."""
