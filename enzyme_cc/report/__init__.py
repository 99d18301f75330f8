"""Diagnostics and reports. Handed data by the stages; imports none of them."""

from enzyme_cc.report.diagnostics import EXIT_STATUS, Diagnostic, EnzymeError

__all__ = ["EXIT_STATUS", "Diagnostic", "EnzymeError"]
