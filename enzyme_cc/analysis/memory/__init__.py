"""Memory analysis: which pointers alias, and what instructions and calls read and write."""
