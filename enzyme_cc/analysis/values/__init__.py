"""The flow of values in one function: where a value comes from, and where it goes, along named sets of edges."""
