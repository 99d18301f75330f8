"""A pass as a row of a table: what it works on, what it relies on, and what holds after it.

autodiff/passes.py and link/merged_module/link_passes.py have the tables. docs/passes.md is written from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ...ir import llvm_passes


class Invariant(Enum):
    """What may hold of code. Each has its meaning, as a sentence about the code."""

    # units
    NO_HINDRANCES = "a unit's text hides nothing that other compiler options would show"
    PREVAILING = "a unit defines only what prevails in the native link"
    # the merged module, until LLVM optimises it
    INTERNAL = "what no other unit needs is internal"
    NO_ALIASES = "calls name functions, no aliases"
    PARTED = "what the program calls and what derivatives are made of have different names, where they differ"
    BODIES = "functions of libraries have bodies, where there are stand-ins"
    ROUTINES = "calls of libraries as binaries are calls of routines with registered derivatives"
    PROTECTED = "LLVM leaves requests, markers, registrations and shadows as they are"
    # the same, while LLVM optimises it
    HIDDEN_TEMPLATES = "LLVM does not optimise templates of stand-ins"
    HIDDEN_LATE = "LLVM does not optimise the second parts of stand-ins"
    LOOPS_APART = "functions with loops are not inlined"
    FIELDS = "array descriptors are copied field by field"
    OPTIMISED = "LLVM's O2 has run, without vectorising and unrolling"
    NO_EXCEPTIONS = "exceptions in differentiated code are control flow"
    SPECIALISED = "stand-ins for derived types have instances, and no templates are left"
    # the module that is differentiated
    NULL_KEPT = "LLVM does not take accesses through null for impossible"
    CHECKPOINTED = "loops of checkpointed steps are functions with registered gradients"
    STORED_AGAIN = "differentiated code stores the pointers that inactive functions store"
    VARIANTS = "requests for variants are answered, but for those that wait"
    # a round
    CANONICAL_LOOPS = "each loop has a preheader and one latch, and values leave it through phis"
    ONE_VERSION = "functions with a version for each processor have one"
    VIRTUAL_SHADOWS = "tables of virtual functions are their own shadows"
    # a function
    COPIED_ARGUMENTS = "arguments passed by value in memory are copied at the entry"
    NO_INVOKES = "all calls are plain calls: no exception is caught"
    REGIONS = "forks of threads are calls of their regions"
    FIXED_ARGUMENTS = "variable arguments are in memory"
    LIBRARY_FORMS = "library calls and intrinsics have forms with known derivatives"
    WHOLE_LANES = "vectors of integers that move numbers are vectors of numbers"
    DEFINED = "no number is undefined"
    CLOSURES = "trampolines have procedure and frame behind their code"
    DIRECT_CALLS = "calls through pointers are calls of dispatchers"
    WHOLE_COPIES = "copies of structs are not split between registers and memory"
    ADDRESSES = "addresses as integers are made by instructions"
    PACKED = "packed words are made by shifts and `or`"
    PARTS_READ = "parts of words are loaded as the numbers and pointers that they are"
    PARTS_STORED = "parts of words are stored as the numbers and pointers that they are"
    STATIC_JUMPS = "there are no jumps to computed addresses"
    REACHABLE = "the entry reaches each block"
    ROUNDED_SUMS = "sums that round a number have the derivative zero"
    NO_EXCHANGES = "atomic exchanges of numbers and pointers are loads, comparisons and stores"
    FOLLOWED_BITS = "numbers made by integer arithmetic have derivatives, where there are any"
    REDUCIBLE = "each cycle has one entry"
    BRANCHES = "arithmetic of one side of a choice stands in a branch"
    # all functions of a round
    SET_UP_MEMORY = "what set-up calls are given lies on the heap"
    ASKED_KEYS = "comparisons of keys of kept results ask the runtime"
    DECLARED = "declarations of words that hold several things are dropped"
    TYPED_FORMS = "bits and lanes that only type analysis finds are followed"
    NO_MIXED_WORDS = "words that are a number at one time and a pointer at another are in memory"
    # answers
    ANSWERED = "calls of derivatives stand in the place of requests"
    DERIVED = "all derivatives that these need are made"
    # the merged module after it
    NO_REQUESTS = "the module has no requests, and its linkages are those of the program"
    LINKED_HELPERS = "the functions of the runtime that derivatives call are in the module"
    FINAL = "LLVM's O3 has run"


class Code(Struct, frozen=True):
    """What a table works on: a value with the code in some form, and what its passes are given beside it.

    `verify`: the code is checked after each pass.
    """

    verify: bool

    def check(self, row: Pass, before: Code) -> None:
        """Raises InvalidIR or LLVMError if the pass left invalid code. `before`: the code that it was given."""


class TextCode(Code, frozen=True):
    """A module in LLVM's text form."""

    text: str

    def check(self, row: Pass, before: Code) -> None:
        """See `Code`."""
        if isinstance(before, TextCode) and self.text != before.text:
            try:
                llvm_passes.verify(llvm_passes.parse(self.text))
            except llvm_passes.LLVMError:
                if _is_valid(before.text):
                    raise


def _is_valid(text: str) -> bool:
    try:
        llvm_passes.verify(llvm_passes.parse(text))
    except llvm_passes.LLVMError:
        return False
    return True


C = TypeVar("C", bound=Code)


class _Reasoned(Struct, frozen=True, kw_only=True):
    """What a row must have by its name: Pass has other fields without defaults before it."""

    why: str


class Pass(_Reasoned, frozen=True):
    """One row.

    - `function` makes the pass. `given`: the fields of the code that it gets, in order. `gives`: the fields that take
      its result, none if it rewrites in place.
    - `why`: why it stands where it stands.
    - `requires`: what holds before it; `establishes`: what holds after it; `ends`: what does not hold any more.
    - `when`: a field of the code. The pass runs if it is true.
    - `llvm`: passes of LLVM that it runs, by their names in ir/llvm_passes.py, or of a back end (`O2`, `O3`).
    - `file`: the file that --enzyme-save-temps gets after it.
    """

    function: Callable[..., object]
    given: str
    gives: str = ""
    requires: tuple[Invariant, ...] = ()
    establishes: tuple[Invariant, ...] = ()
    ends: tuple[Invariant, ...] = ()
    when: str = ""
    llvm: str = ""
    file: str = ""

    @property
    def name(self) -> str:
        return self.function.__qualname__

    def on(self, code: C) -> C:
        """Returns the code after the pass."""
        result = self.function(*(getattr(code, field) for field in self.given.split()))
        names = self.gives.split()
        values = result if len(names) > 1 and isinstance(result, tuple) else (result,)
        return replace(code, **dict(zip(names, values, strict=False)))


def run(table: Iterable[Pass], code: C, done: Callable[[Pass, C], None] = lambda row, code: None) -> C:
    """Returns the code after all passes of a table. `done` is told of each with the code after it."""
    for row in table:
        if not row.when or getattr(code, row.when):
            before, code = code, row.on(code)
            if code.verify:
                code.check(row, before)
            done(row, code)
    return code
