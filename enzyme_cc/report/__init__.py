"""Diagnostics: the catalogue of messages, and their form as text. Imports no other part."""

from enzyme_cc.report.diagnostics import EXIT_STATUS, Diagnostic, EnzymeError, warn

__all__ = ["EXIT_STATUS", "Diagnostic", "EnzymeError", "warn"]
