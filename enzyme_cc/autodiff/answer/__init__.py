"""Requests in the program replaced by calls of derivative functions, and the tapes that programs hold."""
