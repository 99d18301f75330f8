"""Memory analysis: what pointers alias, what instructions and calls read and write."""
