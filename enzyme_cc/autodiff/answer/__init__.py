"""Answers requests: replaces each by a call of derivative functions, and handles tapes that the program holds."""
