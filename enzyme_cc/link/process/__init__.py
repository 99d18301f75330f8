"""The link as a process: supervision, limits, temporary files, what is kept after a failure."""
