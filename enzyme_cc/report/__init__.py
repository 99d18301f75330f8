"""Diagnostics: the catalogue of ids with titles and remedies, and the form of messages as text.

Imports no other part.
"""

from enzyme_cc.report.diagnostics import EXIT_STATUS, Diagnostic, EnzymeError
from enzyme_cc.report.presentation import tell, warn

__all__ = ["EXIT_STATUS", "Diagnostic", "EnzymeError", "tell", "warn"]
