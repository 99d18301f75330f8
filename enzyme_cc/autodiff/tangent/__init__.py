"""Forward mode: a clone of the primal with the tangent of each value beside it."""
