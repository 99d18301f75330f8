"""Alias and effect facts of one function: which memory a write may touch, what is overwritten after a read."""

from __future__ import annotations

import re

from ..ir.cfg import ControlFlow
from ..ir.module import Module
from ..ir.types import PointerType, store_size
from ..ir.values import Argument, Block, Constant, ConstantExpr, Function, GlobalRef, Instruction, Value
from .callees import Callee, CalleeKind, Callees
from .types import TypeAnalysis

#: pointer (None: anything), size (None: unknown), TBAA tag
Write = tuple[Value | None, int | None, str | None]

_THROUGH = frozenset(["getelementptr", "bitcast", "addrspacecast"])


class MemoryFacts:
    """Facts of one function; `flow` is its control flow."""

    def __init__(
        self, module: Module, function: Function, flow: ControlFlow, types: TypeAnalysis | None = None
    ) -> None:
        self.module = module
        self.function = function
        self.flow = flow
        self.callees = Callees(module)
        self._objects: dict[Value, frozenset[Value]] = {}
        self._escapes: dict[Instruction, bool] = {}
        self._reachable: dict[Block, set[Block]] = {}
        self._tags: dict[str, tuple[str, str, str] | None] = {}
        self._ancestors: dict[str, list[str]] = {}
        self._position = {i: k for b in flow.order for k, i in enumerate(b.instructions)}
        self._writes = [(i, w) for b in flow.order for i in b.instructions for w in self.writes(i)]

    # -- effects

    def writes(self, i: Instruction) -> list[Write]:
        """What the instruction may write. Freeing does not count: it is deferred."""
        if i.opcode == "store":
            return [(i.operands[1], store_size(i.operands[0].type), i.metadata_node("!tbaa"))]
        if i.opcode in ("atomicrmw", "cmpxchg"):
            return [(i.operands[0], None, None)]
        if i.opcode in ("call", "invoke"):
            return self._call_writes(i, self.callees.of(i))
        return []

    def _call_writes(self, i: Instruction, callee: Callee) -> list[Write]:
        pointers: list[Write] = [(o, None, None) for o in i.arguments if isinstance(o.type, PointerType)]
        if callee.kind in (CalleeKind.FREE, CalleeKind.ALLOCATE, CalleeKind.STACK, CalleeKind.REALLOCATE):
            return []
        if callee.known is not None:
            written = callee.known.writes
            if written == "any":
                return [(None, None, None)]
            return [(i.arguments[k], None, None) for k in written if isinstance(k, int) and k < len(i.arguments)]
        if callee.kind is CalleeKind.RULE:
            return pointers
        effects = self._memory_effects(i, callee)
        if effects.get("", "readwrite") not in ("none", "read"):
            return [(None, None, None)]
        return [] if effects.get("argmem", effects.get("", "")) in ("none", "read") else pointers

    def _memory_effects(self, i: Instruction, callee: Callee) -> dict[str, str]:
        """LLVM's memory(…) attribute by location, "" for the default; empty where there is none."""
        text = i.call.attributes
        if callee.name in self.module.functions:
            text += " " + self.module.functions[callee.name].suffix
        text += " ".join(self.module.attributes.get(group, "") for group in re.findall(r"#\d+", text))
        match = re.search(r"memory\(([^)]*)\)", text)
        if match is None:
            return {}
        parts = [part.split(": ") if ": " in part else ["", part] for part in match[1].split(", ")]
        effects = {where.strip(): how.strip() for where, how in parts}
        effects.setdefault("", "none")
        return effects

    # -- objects

    def objects(self, pointer: Value) -> frozenset[Value]:
        """What the pointer may be based on: allocas, allocations, arguments, globals, loads, other calls."""
        found = self._objects.get(pointer)
        if found is None:
            found = self._objects[pointer] = self._find_objects(pointer)
        return found

    def _find_objects(self, pointer: Value) -> frozenset[Value]:
        seen: dict[Value, None] = {}
        bases: set[Value] = set()
        work = [pointer]
        while work:
            v = work.pop()
            if v in seen:
                continue
            seen[v] = None
            if isinstance(v, Instruction) and v.opcode in _THROUGH:
                work.append(v.operands[0])
            elif isinstance(v, Instruction) and v.opcode == "phi":
                work.extend(value for value, _ in v.incoming)
            elif isinstance(v, Instruction) and v.opcode == "select":
                work.extend(v.operands[1:])
            elif isinstance(v, ConstantExpr):
                work.extend(v.operands)
            elif isinstance(v, GlobalRef) or not isinstance(v, Constant):
                bases.add(v)
        return frozenset(bases)

    def is_local(self, base: Value) -> bool:
        """Memory that this call of the function makes."""
        if not isinstance(base, Instruction):
            return False
        if base.opcode == "alloca":
            return True
        return base.opcode == "call" and self.callees.of(base).kind in (CalleeKind.ALLOCATE, CalleeKind.REALLOCATE)

    def _is_constant(self, base: Value) -> bool:
        if not isinstance(base, GlobalRef):
            return False
        variable = self.module.globals.get(base.name)
        return variable is not None and variable.constant

    def escapes(self, base: Instruction) -> bool:
        """Whether the address of local memory may be known elsewhere."""
        if base not in self._escapes:
            self._escapes[base] = self._find_escape(base)
        return self._escapes[base]

    def _find_escape(self, base: Instruction) -> bool:
        seen: set[Instruction] = set()
        work = [base]
        while work:
            v = work.pop()
            if v in seen:
                continue
            seen.add(v)
            for user in v.users:
                if user.opcode in _THROUGH or user.opcode in ("phi", "select"):
                    work.append(user)
                elif not self._keeps_private(user, v):
                    return True
        return False

    def _keeps_private(self, user: Instruction, pointer: Value) -> bool:
        if user.opcode in ("load", "icmp"):
            return True
        if user.opcode == "store":
            return user.operands[0] is not pointer
        if user.opcode not in ("call", "invoke"):
            return False
        callee = self.callees.of(user)
        if callee.known is not None or callee.kind is CalleeKind.RULE:
            return True
        formals = self.module.functions[callee.name].arguments if callee.name in self.module.functions else []
        for k, (argument, attributes) in enumerate(zip(user.arguments, user.call.argument_attributes, strict=True)):
            text = attributes + (formals[k].attributes if k < len(formals) else "")
            if argument is pointer and "captures(none)" not in text and "byval" not in text:
                return False
        return True

    def is_private(self, pointer: Value) -> bool:
        """Nobody outside this call can write the memory: local and not escaping, or constant."""
        return all(
            self._is_constant(base)
            or (isinstance(base, Instruction) and self.is_local(base) and not self.escapes(base))
            for base in self.objects(pointer)
        )

    # -- aliasing

    def may_alias(self, a: Value, b: Value, tag_a: str | None = None, tag_b: str | None = None) -> bool:
        """Whether accesses through the pointers may touch the same memory; tags are `!tbaa` nodes."""
        if not self._tags_may_alias(tag_a, tag_b):
            return False
        return any(self._bases_may_alias(x, y) for x in self.objects(a) for y in self.objects(b))

    def _bases_may_alias(self, x: Value, y: Value) -> bool:
        if x == y:
            return True
        if self._is_constant(x) or self._is_constant(y):
            return False
        if self._is_identified(x) and self._is_identified(y):
            return False
        for one, other in ((x, y), (y, x)):
            if isinstance(one, Instruction) and self.is_local(one):
                if isinstance(other, Argument) or not self.escapes(one):
                    return False
            elif self._is_noalias(one) and not isinstance(other, Instruction):
                return False
        return True

    def _is_noalias(self, base: Value) -> bool:
        return isinstance(base, Argument) and "noalias" in base.attributes

    def _is_identified(self, base: Value) -> bool:
        return self.is_local(base) or isinstance(base, GlobalRef) or self._is_noalias(base)

    def _tags_may_alias(self, a: str | None, b: str | None) -> bool:
        """LLVM's rule for struct-path TBAA, without the cases where one accessed type contains the other."""
        if a is None or b is None or a == b:
            return True
        first, second = self._tag(a), self._tag(b)
        if first is None or second is None:
            return True
        (base_a, type_a, offset_a), (base_b, type_b, offset_b) = first, second
        if type_a == type_b:
            return base_a != base_b or offset_a == offset_b
        return type_a in self._chain(type_b) or type_b in self._chain(type_a)

    def _tag(self, node: str) -> tuple[str, str, str] | None:
        if node not in self._tags:
            match = re.match(r"!\{(![0-9]+), (![0-9]+), i64 (\d+)", self.module.metadata.get(node, ""))
            self._tags[node] = (match[1], match[2], match[3]) if match else None
        return self._tags[node]

    def _chain(self, node: str) -> list[str]:
        """A scalar type and its ancestors."""
        if node not in self._ancestors:
            chain = [node]
            while (match := re.match(r'!\{!"[^"]*", (![0-9]+)', self.module.metadata.get(chain[-1], ""))) is not None:
                if match[1] in chain:
                    break
                chain.append(match[1])
            self._ancestors[node] = chain
        return self._ancestors[node]

    # -- what is still there in the reverse sweep

    def overwritten_after(self, load: Instruction) -> Instruction | None:
        """An instruction that can run after the load and may write what it read; None where there is none."""
        if load.metadata_node("!invariant.load") is not None:
            return None
        return self._overwriter(load, load.operands[0], load.metadata_node("!tbaa"))

    def _overwriter(self, after: Instruction, pointer: Value, tag: str | None) -> Instruction | None:
        if all(map(self._is_constant, self.objects(pointer))):
            return None
        block = after.block
        assert block is not None
        private: bool | None = None
        for i, (target, _, other_tag) in self._writes:
            if not self._can_follow(after, i):
                continue
            if target is None:
                private = self.is_private(pointer) if private is None else private
                if not private:
                    return i
            elif self.may_alias(pointer, target, tag, other_tag):
                return i
        return None

    def _can_follow(self, first: Instruction, second: Instruction) -> bool:
        block, other = first.block, second.block
        assert block is not None and other is not None
        if block is other and self._position[second] > self._position[first]:
            return True
        if block not in self._reachable:
            self._reachable[block] = self.flow.reachable_from(block.successors)
        return other in self._reachable[block]

    def call_is_repeatable(self, call: Instruction, private_only: bool = False) -> bool:
        """Whether the call writes nothing, and what it reads is the same in the reverse sweep."""
        effects = self._memory_effects(call, self.callees.of(call))
        if not effects or any(how not in ("none", "read") for how in effects.values()):
            return False
        if all(how == "none" for how in effects.values()):
            return True
        if effects[""] != "none" or private_only:
            return False
        pointers = [o for o in call.arguments if isinstance(o.type, PointerType)]
        return all(self._overwriter(call, pointer, None) is None for pointer in pointers)
