"""Values with identity: arguments, instructions, blocks and functions; global variables.

Arguments, instructions and blocks know their users. An instruction keeps all that it was parsed with, so that a clone
is faithful even if no pass knows the instruction's meaning. constants.py has the values without identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from .constants import Constant, GlobalRef
from .constants import Value as Value
from .instructions import CALLS, TERMINATORS
from .types import LABEL, FunctionType, Type

_CONSTRAINED = "@llvm.experimental.constrained."


class Local(Value):
    """A value that lives in a function and has users.

    `name` is as printed after the % (quotes kept where there are any), or "" where the printer shall number it: the
    parser gives "" to %0, %1 … A name is a hint: the printer adds a suffix where two values have the same.
    `users` counts, for each using instruction in order of first use, how many of its operands are this value.
    """

    __slots__ = ("name", "users")

    def __init__(self, type_: Type, name: str = "") -> None:
        self.type = type_
        self.name = name
        self.users: dict[Instruction, int] = {}

    def replace_uses(self, new: Value) -> None:
        for user in list(self.users):
            user.replace_operand(self, new)


class Argument(Local):
    """A formal parameter. `attributes` is the text between type and name, e.g. `noalias noundef`."""

    __slots__ = ("attributes", "index")

    def __init__(self, type_: Type, name: str = "", attributes: str = "", index: int = 0) -> None:
        super().__init__(type_, name)
        self.attributes = attributes
        self.index = index


class CallInfo(Struct, frozen=True):
    """What a call, invoke or callbr carries besides its operands.

    Operands of a call: arguments…, then operand-bundle values, then (invoke: normal block, unwind block), callee last.
    """

    function_type: FunctionType
    argument_attributes: tuple[str, ...]  # one text per argument, "" where none
    convention: str = ""  # e.g. "fastcc"
    result_attributes: str = ""  # text before the type: "noundef", "noalias", "addrspace(0)" …
    attributes: str = ""  # text after the arguments: "#4", "nounwind", …
    bundles: tuple[tuple[str, int], ...] = ()  # (tag, number of operands)
    tail: str = ""  # "", "tail", "musttail", "notail"


class MemoryInfo(Struct, frozen=True):
    """What alloca, load, store, cmpxchg, atomicrmw and fence carry besides their operands.

    `accessed` is the allocated (alloca) or loaded type. `suffix` is the text after the operands and before metadata,
    without the leading ", align N" (e.g. `addrspace(5)`), `ordering` e.g. `syncscope("x") acquire`.
    """

    accessed: Type | None = None
    align: int | None = None
    ordering: str = ""
    operation: str = ""  # atomicrmw: add, fadd, xchg, …
    suffix: str = ""


class Indices(Struct, frozen=True):
    """Indices of extractvalue and insertvalue."""

    indices: tuple[int, ...]


class Predicate(Struct, frozen=True):
    """Predicate of icmp and fcmp."""

    predicate: str


class Source(Struct, frozen=True):
    """Source element type of a getelementptr; flags (inbounds, nuw, nusw, inrange(…)) are the instruction's."""

    type: Type


class LandingPad(Struct, frozen=True):
    """Clauses of a landingpad: ("catch" | "filter") for each operand, and whether it is a cleanup."""

    clauses: tuple[str, ...]
    cleanup: bool


Extra = CallInfo | MemoryInfo | Indices | Predicate | Source | LandingPad | None


class DebugRecord(Struct, frozen=True):
    """A `#dbg_value(…)` line, cut at the local values it mentions: pieces[0] values[0] pieces[1] …

    The values are no operands: a record neither counts as a user nor keeps a value alive. Printing puts in the name
    that a value has by then, and poison for one that has left the function.
    """

    pieces: tuple[str, ...]
    values: tuple[Local, ...] = ()


class Instruction(Local):
    """One instruction. `operands` holds every value operand, blocks included:

    br: [dest] or [condition, then, else]; switch: [value, default, constant, dest, constant, dest …];
    indirectbr: [address, dest …]; phi: [value, block, value, block …]; call: see CallInfo; store: [value, pointer];
    ret: [] or [value]; select: [condition, a, b]; getelementptr: [base, index …]; atomicrmw: [pointer, value];
    cmpxchg: [pointer, expected, new]; landingpad: clause values; insertvalue: [aggregate, value].

    `flags`: keywords printed after the opcode, in order (nuw nsw exact disjoint nneg samesign inbounds, fast-math,
    volatile, atomic, inalloca …). `metadata`: (kind, node) pairs as printed, e.g. ("!tbaa", "!5").
    `debug_records`: the `#dbg_value(…)` lines printed before the instruction.
    """

    __slots__ = ("block", "debug_records", "extra", "flags", "metadata", "opcode", "operands")

    def __init__(
        self,
        opcode: str,
        type_: Type,
        operands: Iterable[Value] = (),
        extra: Extra = None,
        flags: tuple[str, ...] = (),
        name: str = "",
        metadata: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.type = type_
        self.name = name
        self.users = {}
        self.opcode = opcode
        self.operands: list[Value] = list(operands)
        self.extra = extra
        self.flags = flags
        self.metadata = metadata
        self.debug_records: tuple[DebugRecord, ...] = ()
        self.block: Block | None = None
        for operand in self.operands:
            if isinstance(operand, Local):
                operand.users[self] = operand.users.get(self, 0) + 1

    def append_operand(self, value: Value) -> None:
        self.operands.append(value)
        if isinstance(value, Local):
            value.users[self] = value.users.get(self, 0) + 1

    def set_operand(self, index: int, value: Value) -> None:
        _forget(self.operands[index], self)
        self.operands[index] = value
        if isinstance(value, Local):
            value.users[self] = value.users.get(self, 0) + 1

    def replace_operand(self, old: Value, new: Value) -> None:
        for i, operand in enumerate(self.operands):
            if operand is old:
                self.set_operand(i, new)

    def drop_operands(self) -> None:
        for operand in self.operands:
            _forget(operand, self)
        self.operands = []

    def erase(self) -> None:
        """Removes the instruction from its block. It must have no users."""
        self.drop_operands()
        if self.block is not None:
            self.block.instructions.remove(self)
            self.block = None

    def forget_variables(self) -> None:
        """Drops what ties the instruction to the source's variables: records, and the ids by which others refer to it.

        An instruction that moves to another function must not keep them: LLVM's verifier would refuse both functions.
        """
        self.debug_records = ()
        self.metadata = tuple(entry for entry in self.metadata if entry[0] != "!DIAssignID")

    # -- views; each is valid for the opcodes that its name implies

    @property
    def call(self) -> CallInfo:
        assert isinstance(self.extra, CallInfo)
        return self.extra

    @property
    def memory(self) -> MemoryInfo:
        assert isinstance(self.extra, MemoryInfo)
        return self.extra

    @property
    def accessed_pointer(self) -> Value:
        """The pointer of a load or store."""
        return self.operands[self.opcode == "store"]

    @property
    def accessed_type(self) -> Type:
        """The type of what a load or store moves."""
        return self.operands[0].type if self.opcode == "store" else self.type

    @property
    def predicate(self) -> str:
        assert isinstance(self.extra, Predicate)
        return self.extra.predicate

    @property
    def indices(self) -> tuple[int, ...]:
        assert isinstance(self.extra, Indices)
        return self.extra.indices

    @property
    def source_type(self) -> Type:
        assert isinstance(self.extra, Source)
        return self.extra.type

    @property
    def callee(self) -> Value:
        return self.operands[-1]

    @property
    def callee_name(self) -> str:
        """The name of the function that a call names; "" for indirect calls and other instructions."""
        callee = self.operands[-1] if self.opcode == "call" else None
        return callee.name if isinstance(callee, GlobalRef) else ""

    @property
    def plain_opcode(self) -> str:
        """The opcode; of a call that computes with a rounding mode (-frounding-math), that of plain code."""
        name = self.callee_name
        return name.removeprefix(_CONSTRAINED).partition(".")[0] if name.startswith(_CONSTRAINED) else self.opcode

    @property
    def arguments(self) -> list[Value]:
        """Arguments of a call, invoke or callbr."""
        return self.operands[: len(self.call.argument_attributes)]

    @property
    def incoming(self) -> list[tuple[Value, Block]]:
        """(value, predecessor) pairs of a phi."""
        pairs = zip(self.operands[::2], self.operands[1::2], strict=True)
        return [(value, block) for value, block in pairs if isinstance(block, Block)]

    @property
    def is_terminator(self) -> bool:
        return self.opcode in TERMINATORS

    @property
    def is_call(self) -> bool:
        """True if the instruction is a call, invoke or callbr."""
        return self.opcode in CALLS

    @property
    def is_lifetime_marker(self) -> bool:
        """True if it says where the lifetime of a local variable begins or ends (LLVM's lifetime intrinsics)."""
        return self.callee_name.startswith("@llvm.lifetime.")

    @property
    def successors(self) -> list[Block]:
        return [operand for operand in self.operands if isinstance(operand, Block)]

    def metadata_node(self, kind: str) -> str | None:
        return next((node for name, node in self.metadata if name == kind), None)

    def __repr__(self) -> str:
        return f"<{self.opcode} {self.type} %{self.name}>"


def _forget(value: Value, user: Instruction) -> None:
    if isinstance(value, Local):
        count = value.users[user] - 1
        if count:
            value.users[user] = count
        else:
            del value.users[user]


class Block(Local):
    """A basic block: phis first, one terminator last. Its users are the instructions that name it."""

    __slots__ = ("function", "instructions", "trailing_records")

    def __init__(self, name: str = "", function: Function | None = None) -> None:
        super().__init__(LABEL, name)
        self.instructions: list[Instruction] = []
        self.function = function
        self.trailing_records: tuple[DebugRecord, ...] = ()

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> list[Block]:
        """Distinct successors, in order."""
        return list(dict.fromkeys(self.terminator.successors))

    @property
    def predecessors(self) -> list[Block]:
        """Distinct predecessors, in order of first use."""
        found = [user.block for user in self.users if user.is_terminator and user.block is not None]
        return list(dict.fromkeys(found))

    @property
    def phis(self) -> list[Instruction]:
        out = []
        for instruction in self.instructions:
            if instruction.opcode != "phi":
                break
            out.append(instruction)
        return out

    def append(self, instruction: Instruction) -> Instruction:
        instruction.block = self
        self.instructions.append(instruction)
        if self.function is not None and self.function.position is not None:
            self.function.positions.setdefault(instruction, self.function.position)
        return instruction

    def insert(self, index: int, instruction: Instruction) -> Instruction:
        instruction.block = self
        self.instructions.insert(index, instruction)
        if self.function is not None and self.function.position is not None:
            self.function.positions.setdefault(instruction, self.function.position)
        return instruction

    def __repr__(self) -> str:
        return f"<block %{self.name}>"


class Function:
    """A function definition or declaration.

    `name` as printed after @ including the @ (quotes where needed). `prefix` is the text between `define`/`declare`
    and the result type (linkage, visibility, cc, result attributes); `suffix` the text between the closing
    parenthesis and `{` or the end of line (unnamed_addr, attribute group, section, comdat, personality, !dbg …).
    `unparsed` is the text between the braces of a definition whose body has not been asked for (`Module.body`).
    `position` says what code instructions come from while they are added, if it is known: the `!dbg` node of that code,
    and which part of this function is made of it. `positions` are those of what was added.
    """

    __slots__ = ("arguments", "blocks", "name", "position", "positions", "prefix", "suffix", "type", "unparsed")

    def __init__(
        self, name: str, type_: FunctionType, arguments: list[Argument], prefix: str = "", suffix: str = ""
    ) -> None:
        self.name = name
        self.type = type_
        self.arguments = arguments
        self.prefix = prefix
        self.suffix = suffix
        self.blocks: list[Block] = []
        self.unparsed: str | None = None
        self.position: tuple[str, str] | None = None
        self.positions: dict[Instruction, tuple[str, str]] = {}

    @property
    def is_declaration(self) -> bool:
        return not self.blocks and self.unparsed is None

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    def add_block(self, name: str = "", before: Block | None = None) -> Block:
        block = Block(name, self)
        self.blocks.insert(self.blocks.index(before) if before is not None else len(self.blocks), block)
        return block

    def come_from(self, i: Instruction, part: str = "") -> None:
        """Says that what is added from now on comes from this instruction, of the same or of another function."""
        node = i.metadata_node("!dbg")
        if node is not None:
            self.position = node, part

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    @property
    def ref(self) -> GlobalRef:
        return GlobalRef.of(self.name)


class GlobalVariable(Struct):
    """A global variable, alias or ifunc. `text` is its whole line; the fields are what analyses ask for."""

    name: str
    text: str
    value_type: Type
    constant: bool = False
    initializer: Constant | None = None
    external: bool = False  # a declaration
    thread_local: bool = False
    linkage: str = ""
    alias: bool = False
