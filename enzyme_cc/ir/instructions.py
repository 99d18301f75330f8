"""The table of instructions: what each opcode is, for analyses and for both modes of differentiation.

A new instruction is one row here, its form in `text/opcodes.py` and `text/printer.py`, and its adjoint. Families of
opcodes have names here, and the edges along which values flow in `value_edges.py`: no other file lists opcodes (a test
checks).
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class InstructionKind(enum.Enum):
    """What an instruction is for."""

    INTEGER = "arithmetic of integers, and operations on their bits"
    FLOAT = "arithmetic of floating-point numbers"
    COMPARISON = "comparison"
    CAST = "conversion to another type"
    COPY = "one of the operands, unchanged"
    ADDRESS = "address arithmetic"
    AGGREGATE = "part of a struct or array"
    VECTOR = "lanes of vectors"
    MEMORY = "allocation, access or ordering of memory"
    CALL = "call"
    CONTROL = "end of a block"
    EXCEPTION = "exception handling"


class InstructionRow(NamedTuple):
    """What is known of an opcode.

    - `pure`: the result depends on the operands alone, and there is no other effect;
    - `passed`: the operands that the result may be equal to, bit for bit; None if the result is computed;
    - `reads`, `writes`: the instruction may access memory;
    - `ends_block`: the instruction is a terminator.
    """

    kind: InstructionKind
    pure: bool = False
    passed: slice | None = None
    reads: bool = False
    writes: bool = False
    ends_block: bool = False


_K = InstructionKind
_FIRST = slice(0, 1)

INSTRUCTIONS: dict[str, InstructionRow] = {
    **dict.fromkeys("add sub mul udiv sdiv urem srem".split(), InstructionRow(_K.INTEGER, pure=True)),
    **dict.fromkeys("shl lshr ashr and or xor".split(), InstructionRow(_K.INTEGER, pure=True)),
    **dict.fromkeys("fadd fsub fmul fdiv frem fneg".split(), InstructionRow(_K.FLOAT, pure=True)),
    **dict.fromkeys("icmp fcmp".split(), InstructionRow(_K.COMPARISON, pure=True)),
    **dict.fromkeys("trunc zext sext fptrunc fpext".split(), InstructionRow(_K.CAST, pure=True)),
    **dict.fromkeys("fptoui fptosi uitofp sitofp".split(), InstructionRow(_K.CAST, pure=True)),
    **dict.fromkeys("ptrtoint ptrtoaddr inttoptr".split(), InstructionRow(_K.CAST, pure=True)),
    **dict.fromkeys("bitcast addrspacecast".split(), InstructionRow(_K.CAST, pure=True, passed=_FIRST)),
    "phi": InstructionRow(_K.COPY, passed=slice(0, None, 2)),  # depends on the predecessor
    "select": InstructionRow(_K.COPY, pure=True, passed=slice(1, None)),
    "freeze": InstructionRow(_K.COPY, passed=_FIRST),  # freezing poison gives another value each time
    "getelementptr": InstructionRow(_K.ADDRESS, pure=True),
    **dict.fromkeys("extractvalue insertvalue".split(), InstructionRow(_K.AGGREGATE, pure=True)),
    **dict.fromkeys("extractelement insertelement shufflevector".split(), InstructionRow(_K.VECTOR, pure=True)),
    **dict.fromkeys("alloca fence".split(), InstructionRow(_K.MEMORY)),
    "load": InstructionRow(_K.MEMORY, reads=True),
    "store": InstructionRow(_K.MEMORY, writes=True),
    **dict.fromkeys("cmpxchg atomicrmw va_arg".split(), InstructionRow(_K.MEMORY, reads=True, writes=True)),
    "call": InstructionRow(_K.CALL, reads=True, writes=True),
    **dict.fromkeys("invoke callbr".split(), InstructionRow(_K.CALL, reads=True, writes=True, ends_block=True)),
    **dict.fromkeys("ret br switch indirectbr unreachable".split(), InstructionRow(_K.CONTROL, ends_block=True)),
    **dict.fromkeys("landingpad cleanuppad catchpad".split(), InstructionRow(_K.EXCEPTION)),
    **dict.fromkeys("resume cleanupret catchret catchswitch".split(), InstructionRow(_K.EXCEPTION, ends_block=True)),
}


def of_kind(*kinds: InstructionKind) -> frozenset[str]:
    """Returns the opcodes of the kinds."""
    return frozenset(opcode for opcode, row in INSTRUCTIONS.items() if row.kind in kinds)


INTEGER_ARITHMETIC = of_kind(_K.INTEGER)
#: those that compute with single bits
BIT_OPERATIONS = frozenset("and or xor shl lshr ashr".split())
SHIFTS = frozenset("shl lshr ashr".split())
#: shifts that bring zeros in
LOGICAL_SHIFTS = SHIFTS - {"ashr"}
RIGHT_SHIFTS = SHIFTS - {"shl"}
#: operations on each bit of two integers
LOGIC = BIT_OPERATIONS - SHIFTS
INTEGER_SUMS = frozenset(["add", "sub"])
#: the steps of an offset: its parts are added
SUMS_OF_OFFSETS = INTEGER_SUMS | {"getelementptr"}
#: sums, if no bit of one operand is a bit of the other
SUMS_WITHOUT_CARRY = frozenset(["add", "or"])
#: a constant second operand multiplies the first one
SCALES = frozenset(["mul", "shl"])
#: calls and updates that may write any memory, as far as their opcode tells
WRITES_UNSEEN = frozenset("invoke callbr cmpxchg".split())
#: the callees that compute a product and a sum
FUSED = ("@llvm.fmuladd.", "@llvm.fma.")
#: their results are addresses of what an operand points at, or near it
ADDRESSES = frozenset(["getelementptr", "phi"])
#: a constant operand sets or turns bits of the other one
SETS_BITS = LOGIC - {"and"}
#: the result has no bits of the operands
MULTIPLICATIVE = frozenset("mul udiv sdiv urem srem".split())
#: quotients of integers, and what they leave
QUOTIENTS = frozenset("sdiv udiv".split())
REMAINDERS = frozenset("srem urem".split())
#: a constant operand scales the other one
PRODUCTS = MULTIPLICATIVE - {"urem", "srem"}
FLOAT_ARITHMETIC = of_kind(_K.FLOAT)
FLOAT_SUMS = frozenset(["fadd", "fsub"])
#: the four operations that round, or may
BASIC_FLOAT_ARITHMETIC = FLOAT_SUMS | {"fmul", "fdiv"}
#: two operands of the result's type
BINARY = (INTEGER_ARITHMETIC | FLOAT_ARITHMETIC) - {"fneg"}
COMPARISONS = of_kind(_K.COMPARISON)
CASTS = of_kind(_K.CAST)
EXTENSIONS = frozenset(["zext", "sext"])
#: conversions of an integer to another size
RESIZES = EXTENSIONS | {"trunc"}
#: conversions that keep the bits, or some of them, and add zeros
UNSIGNED_RESIZES = RESIZES - {"sext"}
#: a part of the bits of an integer
TAKES_PART = frozenset(["trunc", "lshr"])
#: conversions of a floating-point number to another size
#: the last bits of the result depend on the last bits of the operands alone
MODULAR = INTEGER_SUMS | RESIZES | {"mul"}
#: the result depends on the operands alone, and an address or an integer may be computed by it before a loop
COMPUTED_EARLY = MODULAR | BIT_OPERATIONS | frozenset("getelementptr select icmp".split())
FLOAT_RESIZES = frozenset(["fpext", "fptrunc"])
FLOAT_TO_INTEGER = frozenset(["fptosi", "fptoui"])
INTEGER_TO_FLOAT = frozenset(["sitofp", "uitofp"])
POINTER_TO_INTEGER = frozenset(["ptrtoint", "ptrtoaddr"])
POINTER_CASTS = POINTER_TO_INTEGER | {"inttoptr", "addrspacecast"}
#: the same bits as a number, an integer or a pointer
WORD_CASTS = frozenset(["bitcast", "ptrtoint", "inttoptr"])
#: the bits of an integer as a number or a pointer
OUT_OF_INTEGER = WORD_CASTS - {"ptrtoint"}
#: the bits of a number or a pointer as an integer
INTO_INTEGER = WORD_CASTS - {"inttoptr"}
#: the result has bits of the operands in some place
MOVES_BITS = RESIZES | SHIFTS | LOGIC | INTEGER_SUMS | {"freeze", "bitcast"}
#: parts of structs and vectors
TAKES_OUT = frozenset(["extractvalue", "extractelement"])
#: the lanes of the result are lanes of the operands, or one operand is a lane
MOVES_LANES = frozenset(["insertelement", "shufflevector"])
CALLS = of_kind(_K.CALL)
#: calls of functions: callbr is assembly that jumps
FUNCTION_CALLS = CALLS - {"callbr"}
TERMINATORS = frozenset(opcode for opcode, row in INSTRUCTIONS.items() if row.ends_block)
#: the way goes on by the value of the first operand
BRANCHES = frozenset(["br", "switch"])
#: ways out of a call that is left by an exception, and the handlers of Windows
UNWINDING = frozenset("invoke callbr cleanuppad catchpad cleanupret catchret catchswitch".split())
PURE = frozenset(opcode for opcode, row in INSTRUCTIONS.items() if row.pure)
#: no memory is written, and nothing is called
CHANGES_NOTHING = PURE | frozenset("load phi br switch fence".split())
#: the result is one of the operands, of the same type
COPIES = of_kind(_K.COPY)
#: the result is the operand, perhaps of another type
SAME_VALUE = frozenset(opcode for opcode, row in INSTRUCTIONS.items() if row.passed == _FIRST)
#: the result is one of several operands
CHOICES = COPIES - SAME_VALUE
#: the result is one of the operands, perhaps of another type
TRANSPARENT = SAME_VALUE | CHOICES
#: the instruction computes a value from its operands and does nothing else; the shadow of the value is the same
#: instruction of the operands' shadows
MAKES_VALUE = PURE | COPIES
READS_MEMORY = frozenset(opcode for opcode, row in INSTRUCTIONS.items() if row.reads)
WRITES_MEMORY = frozenset(opcode for opcode, row in INSTRUCTIONS.items() if row.writes)
#: plain accesses of memory
ACCESSES = frozenset(["load", "store"])
#: steps from one address to another: within memory, and through a pointer in it
ADDRESS_STEPS = frozenset(["getelementptr", "load"])
#: the result is an address that code elsewhere made
GIVES_ADDRESS = frozenset(["load", "call"])
#: one access that reads and writes
ATOMIC_UPDATES = frozenset(["atomicrmw", "cmpxchg"])
#: an operand is put into memory
STORES = frozenset(["store", "atomicrmw"])
#: they move a value on, unchanged, and compute nothing
MOVES_ON = COPIES | {"store", "ret", "insertvalue"}
