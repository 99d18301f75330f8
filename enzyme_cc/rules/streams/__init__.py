"""Functions that write numbers to texts, files and streams, and read them there, as tables."""
