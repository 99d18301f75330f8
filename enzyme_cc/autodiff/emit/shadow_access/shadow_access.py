"""The one object that accesses shadow memory, for both modes: handlers say what the primal does, this says to whom."""

from __future__ import annotations

from .whose_shadow import WhoseShadow


class ShadowAccess(WhoseShadow):
    """Access to the shadows of memory in one derivative."""
