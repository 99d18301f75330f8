"""Tells whether requests pass the same memory as two arguments.

Different variables and allocations of the calling function are different memory. Its arguments, and globals, are none
of its own variables and allocations.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.memory.objects import Object, ObjectKind, Objects
from ...ir.cfg import ControlFlow
from ...ir.module import Module
from ...ir.values import Function
from ..core.signature import Signature
from .request import Request

_OWN = (ObjectKind.STACK, ObjectKind.HEAP)
_ELSEWHERE = (ObjectKind.ARGUMENT, ObjectKind.GLOBAL)


class PassedMemory:
    """Answers for the requests of one round. `module`: the one that they are in."""

    def __init__(self, module: Module, requests: Iterable[Request]) -> None:
        self._module = module
        self._requests = list(requests)
        self._objects: dict[Function, Objects] = {}

    def may_be_same(self, root: Signature, first: int, second: int) -> bool:
        """Returns whether a request of this signature may pass pointers into the same memory as two arguments."""
        found = [request for request in self._requests if request.signature == root]
        return any(self._may_be_same(request, first, second) for request in found)

    def _may_be_same(self, request: Request, first: int, second: int) -> bool:
        if request.caller not in self._objects:
            self._objects[request.caller] = Objects(self._module, request.caller, ControlFlow(request.caller))
        objects = self._objects[request.caller]
        a, b = (objects.of(request.arguments[k].primal) for k in (first, second))
        return any(_overlap(one, other) for one in a for other in b)


def _overlap(a: Object, b: Object) -> bool:
    if a == b:
        return True
    if ObjectKind.CONSTANT_NULL in (a.kind, b.kind) or (a.is_identified and b.is_identified):
        return False
    return not any(one.kind in _OWN and other.kind in _ELSEWHERE for one, other in ((a, b), (b, a)))
