"""The link as a process: supervision, limits, temporary files, report files."""
