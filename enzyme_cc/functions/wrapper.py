"""Writes the entry points of a function in C (`entry_points.py` describes them)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from . import callback_wrapper
from .array_signature import IN, INOUT, RETURN
from .callback_wrapper import CallbackWriter
from .entry_points import (
    COTANGENT,
    GRADIENT,
    GRADIENT_TANGENT,
    HVP,
    INPUT,
    JVP,
    JVP_OF_JVP,
    OTHER_TANGENT,
    OUTPUT,
    OUTPUT_TANGENT,
    PRIMAL,
    SECOND_TANGENT,
    TANGENT,
    VJP,
    WIDE,
    EntryForm,
    slots,
)
from .interface import Interface, Parameter, Size
from .prototype import Element, NumberType, RecordType

#: flang's numbers for types, and the version of its descriptors (ISO_Fortran_binding.h)
_CFI_VERSION = 20240719
_CFI_TYPES = {
    "int8": 7,
    "int16": 8,
    "int32": 9,
    "int64": 10,
    "float32": 27,
    "float64": 28,
    "complex64": 34,
    "complex128": 35,
}
_CFI_STRUCT = 42
_HEAD = """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <exception>
extern "C" {
#define THREAD thread_local
#else
#define THREAD _Thread_local
#endif
extern int enzyme_dup, enzyme_dupv, enzyme_const, enzyme_width, enzyme_runtime_activity;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

/* Memory that lasts until the entry point returns. Each call is inlined: to type analysis, it is a block of its own. */
struct memory {
  void *blocks[BLOCKS];
  int count, failed;
};
static inline __attribute__((always_inline)) void *memory_of(struct memory *m, size_t bytes, const void *contents) {
  void *result = malloc(bytes ? bytes : 1);
  if (!result) {
    m->failed = 1;
    return 0;
  }
  m->blocks[m->count++] = result;
  if (contents)
    memcpy(result, contents, bytes);
  else
    memset(result, 0, bytes);
  return result;
}
static void release(struct memory *m) {
  while (m->count)
    free(m->blocks[--m->count]);
}
/* Fortran's array descriptors, as flang has them (CFI_cdesc_t of ISO_Fortran_binding.h) */
#define DESCRIPTOR(rank_) \\
  struct descriptor##rank_ { \\
    void *base; \\
    size_t bytes; \\
    int version; \\
    unsigned char rank; \\
    signed char type; \\
    unsigned char attribute, extra; \\
    struct { \\
      ptrdiff_t lower_bound, extent, stride; \\
    } dimensions[rank_]; \\
  }
"""
_MESSAGE = """\
static THREAD char message[256];
const char *enzyme_cc_message(void) { return message; }
"""
_CATCH = """\
#ifdef __cplusplus
  } catch (const std::exception &error) {
    strncpy(message, error.what(), sizeof message - 1);
    status = 1;
  } catch (...) {
    strcpy(message, "an exception that is no std::exception");
    status = 1;
  }
#endif
"""
_TAIL = "#ifdef __cplusplus\n}\n#endif\n"


def source(interface: Interface, forms: tuple[EntryForm, ...]) -> str:
    """Returns the C source, which is C++ too, of these entry points."""
    writer = _Writer(interface)
    parts = list(writer.head())
    if any(form.kind in (VJP, HVP) for form in forms):
        parts += [writer.reverse(width) for width in sorted({f.width for f in forms if f.kind in (VJP, HVP)})]
    if any(form.kind == JVP_OF_JVP for form in forms):
        parts.append(writer.forward())
    parts += [writer.entry(form) for form in forms]
    return "\n".join([*parts, _TAIL])


def flat_source(interface: Interface, symbol: str) -> str:
    """Returns the C source, which is C++ too, of a function that other compiled code calls and that is differentiated.

    `int symbol(…)` takes all arguments by pointer and sizes as int64_t, in C's order; the result is the last one. It
    returns 0, or 1 after a C++ exception.
    """
    writer = _Writer(interface)
    return "\n".join([*writer.head(), writer.flat(symbol), _TAIL])


class _Writer:
    """Writes the functions of one interface.

    In the text, an argument `x` is called `a_x`, its adjoint or tangent `d_x`; in second order its tangent `v_x`, and
    the tangent of its adjoint `t_x`.
    """

    def __init__(self, interface: Interface) -> None:
        self._interface = interface
        self._structs: dict[RecordType, str] = {}
        self.structs: list[str] = []
        for argument in interface.arguments:
            self._type(argument.element)
        ranks = {len(p.dimensions) for p in interface.arguments if p.has_descriptor}
        self.structs += [f"DESCRIPTOR({rank});\n" for rank in sorted(ranks)]
        self._symbols = {size.name: f"n_{size.name}" for size in interface.sizes}

    def head(self) -> list[str]:
        """Returns what all functions need."""
        blocks = f"#define BLOCKS {6 * len(self._interface.arguments)}\n"
        declared = [*self.structs, self.target(), *self.variables()]
        return [blocks + _HEAD, _MESSAGE, *declared, *self._callback_functions(), self.call()]

    # -- types

    def _type(self, element: Element) -> str:
        if isinstance(element, NumberType):
            return element.c
        if element not in self._structs:
            members, checks = [], []
            name = f"struct struct{len(self._structs)}_{len(self.structs)}"
            for number, member in enumerate(element.fields):
                lengths = "".join(f"[{extent}]" for extent in member.shape)
                members.append(f"  {self._type(member.element)} m{number}{lengths};\n")
                checks.append(f'_Static_assert(offsetof({name}, m{number}) == {member.offset}, "");\n')
            size = f'_Static_assert(sizeof({name}) == {element.size}, "");\n'
            text = f"{name} {{\n{''.join(members)}}};\n{''.join(checks)}{size}"
            self._structs[element] = name
            self.structs.append("#ifdef __cplusplus\n#define _Static_assert static_assert\n#endif\n" + text)
        return self._structs[element]

    def _bytes(self, argument: Parameter) -> str:
        return argument.bytes_in_c(self._symbols, self._type(argument.element))

    # -- the function

    def target(self) -> str:
        """Returns the declaration of the function under its symbol."""
        parameters = [self._taken(p) for p in self._interface.taken]
        parameters += ["int64_t"] * len(self._interface.hidden_lengths)
        prototype = self._interface.prototype
        result = self._type(prototype.result.element) if prototype.result.element is not None else "void"
        return f'extern {result} target({", ".join(parameters) or "void"}) __asm__("{prototype.symbol}");\n'

    @cached_property
    def callbacks(self) -> dict[str, CallbackWriter]:
        """What writes the functions of callbacks."""
        given = ((p, p.callback) for p in self._interface.arguments)
        return {p.name: CallbackWriter(p, callback, self._type) for p, callback in given if callback is not None}

    def _callback_functions(self) -> list[str]:
        return [callback_wrapper.HEAD, *(writer.text() for writer in self.callbacks.values())] if self.callbacks else []

    def variables(self) -> Iterator[str]:
        """Yields the declarations of the program's variables under their symbols, as bytes."""
        for p in self._interface.arguments:
            if p.variable is not None:
                size = f"{p.variable.offset} + {self._bytes(p)}"
                yield f'extern char g_{p.name}[{size}] __asm__("{p.variable.symbol}");\n'

    def _moved(self, p: Parameter, offset: int) -> tuple[str, str]:
        """Returns lines that set a variable of the program and that read it."""
        place = f"(({self._type(p.element)} *)(g_{p.name} + {offset}))"
        if not p.dimensions:
            return f"  *{place} = *a_{p.name};\n", f"  *a_{p.name} = *{place};\n"
        size = self._bytes(p)
        return f"  memcpy({place}, a_{p.name}, {size});\n", f"  memcpy(a_{p.name}, {place}, {size});\n"

    def _taken(self, p: Parameter | Size) -> str:
        """Returns the type in the function's declaration."""
        if isinstance(p, Parameter) and p.has_descriptor:
            return f"struct descriptor{len(p.dimensions)} *"
        return f"{self._type(p.element)}{' *' if p.is_pointer else ''}"

    def _descriptor(self, p: Parameter) -> str:
        """Returns lines that make the descriptor of an array."""
        rank, stride, rows = len(p.dimensions), f"(ptrdiff_t)sizeof({self._type(p.element)})", []
        for dimension in p.dimensions:
            rows.append(f"{{1, {dimension.in_c(self._symbols)}, {stride}}}")
            stride += f" * {dimension.in_c(self._symbols)}"
        kind = _CFI_TYPES.get(p.element.dtype, _CFI_STRUCT)
        head = f"a_{p.name}, sizeof({self._type(p.element)}), {_CFI_VERSION}, {rank}, {kind}, 0, 0"
        return f"  struct descriptor{rank} r_{p.name} = {{{head}, {{{', '.join(rows)}}}}};\n"

    def _parameters(self, shadow: str = "") -> str:
        """Returns the parameters of a function that takes all arguments by pointer, active ones with a shadow."""
        parts = []
        for p in self._interface.parameters:
            if isinstance(p, Size):
                parts.append(f"int64_t n_{p.name}")
                continue
            parts.append(f"{self._type(p.element)} *a_{p.name}")
            if shadow and p.is_active:
                parts.append(f"{self._type(p.element)} *{shadow}_{p.name}")
        return ", ".join(parts)

    def call(self) -> str:
        """Returns the function that is differentiated: it calls the function, with all arguments by pointer."""
        lines, passed, result, after = [], [], "", []
        for p in self._interface.parameters:
            if isinstance(p, Size) and p.is_free:
                continue
            if isinstance(p, Parameter) and p.variable is not None:
                setting, reading = self._moved(p, p.variable.offset)
                lines += [setting] if p.is_input else []
                after += [reading] if p.is_output else []
            elif isinstance(p, Size):
                passed.append(f"({p.element.c})n_{p.name}")
                if p.is_pointer:
                    lines.append(f"  {p.element.c} r_{p.name} = {passed.pop()};\n")
                    passed.append(f"&r_{p.name}")
            elif p.has_descriptor:
                lines.append(self._descriptor(p))
                passed.append(f"&r_{p.name}")
            elif p.callback is not None:
                passed.append(f"(void *)t_{p.name}")
            elif p.role == RETURN:
                result = f"*a_{p.name} = "
            else:
                passed.append(f"a_{p.name}" if p.is_pointer else f"*a_{p.name}")
        passed += [self._symbols[name] for name in self._interface.hidden_lengths]
        return (
            f"static void call({self._parameters()}) {{\n{''.join(lines)}  {result}target({', '.join(passed)});\n"
            f"{''.join(after)}}}\n"
        )

    def flat(self, symbol: str) -> str:
        """Returns the function of all arguments by pointer."""
        passed = ", ".join(f"{'n' if isinstance(p, Size) else 'a'}_{p.name}" for p in self._interface.parameters)
        return (
            f"int {symbol}({self._parameters()}) {{\n  int status = 0;\n"
            f"#ifdef __cplusplus\n  try {{\n#endif\n  call({passed});\n"
            "#ifdef __cplusplus\n  } catch (...) {\n    status = 1;\n  }\n#endif\n  return status;\n}\n"
        )

    def _passed(self, request: str, width: int, shadows: tuple[str, ...], function: str) -> str:
        """Returns a request: each active argument with its shadow, in vector mode with the distance between shadows.

        With several prefixes in `shadows` each active argument is two: the argument with the second prefix as its
        shadow, and the first prefix (its adjoint) with the third.
        """
        words = [f"(void *){function}", *([f"enzyme_width, {width}"] if width > 1 else [])]
        # a callback may be passed memory without a shadow, which is its own shadow then
        words += ["enzyme_runtime_activity"] if self.callbacks else []
        for p in self._interface.parameters:
            if isinstance(p, Size):
                words.append(f"enzyme_const, n_{p.name}")
            elif not p.is_active:
                words.append(f"enzyme_const, a_{p.name}")
            else:
                pairs = [("a", shadows[0])] if len(shadows) == 1 else [("a", shadows[1]), (shadows[0], shadows[2])]
                for primal, shadow in pairs:
                    marker = "enzyme_dup, " if width == 1 else f"enzyme_dupv, {self._bytes(p)}, "
                    words.append(f"{marker}{primal}_{p.name}, {shadow}_{p.name}")
        return f"{request}({', '.join(words)});"

    def reverse(self, width: int) -> str:
        """Returns the function that runs reverse mode: each active argument is followed by its adjoint."""
        request = self._passed("__enzyme_autodiff", width, ("d",), "call")
        return f"static void reverse_{width}({self._parameters('d')}) {{\n  {request}\n}}\n"

    def forward(self) -> str:
        """Returns the function that runs forward mode: each active argument is followed by its tangent."""
        request = self._passed("__enzyme_fwddiff", 1, ("d",), "call")
        return f"static void forward({self._parameters('d')}) {{\n  {request}\n}}\n"

    # -- entry points

    def entry(self, form: EntryForm) -> str:
        """Returns an entry point."""
        buffers = {(s.group, s.argument.name): f"b[{i}]" for i, s in enumerate(slots(self._interface, form.kind))}
        lines = [f"  int64_t {self._symbols[s.name]} = s[{i}];" for i, s in enumerate(self._interface.sizes)]
        for argument in self._interface.arguments:
            lines += _ENTRIES[form.kind](_Memory(self, argument, form, buffers))
        handles = {name: buffers[INPUT, name] for name in self.callbacks}
        begins = [line for name, w in self.callbacks.items() for line in w.begin(self._symbols, handles[name])]
        ends = [line for writer in self.callbacks.values() for line in writer.end()]
        if self.callbacks:
            begins, ends = [*callback_wrapper.BEGIN, *begins], [*ends, *callback_wrapper.END]
        body, before = ("\n".join(f"  {line.strip()}" for line in part) for part in (lines, begins))
        after = "".join(f"  {line}\n" for line in ends)
        return (
            f"int {form.symbol}(void *const *b, const int64_t *s) {{\n"
            "  struct memory m;\n  int status = 0;\n  m.count = m.failed = 0;\n  (void)s;\n"
            f"{body}\n  if (m.failed) {{\n    release(&m);\n    return 2;\n  }}\n{before}\n"
            f"#ifdef __cplusplus\n  try {{\n#endif\n  {self._run(form)}\n{_CATCH}{after}"
            "  release(&m);\n  return status;\n}\n"
        )

    def _run(self, form: EntryForm) -> str:
        if form.kind == JVP:
            return self._passed("__enzyme_fwddiff", form.width, ("d",), "call")
        if form.kind == HVP:
            return self._passed("__enzyme_fwddiff", form.width, ("d", "v", "t"), f"reverse_{form.width}")
        if form.kind == JVP_OF_JVP:
            return self._passed("__enzyme_fwddiff", 1, ("d", "v", "t"), "forward")
        prefixes = ("a", "d") if form.kind == VJP else ("a",)
        words = [
            word
            for p in self._interface.parameters
            for word in (
                [f"n_{p.name}"] if isinstance(p, Size) else [f"{x}_{p.name}" for x in prefixes[: 1 + p.is_active]]
            )
        ]
        return f"{'call' if form.kind == PRIMAL else f'reverse_{form.width}'}({', '.join(words)});"


@dataclass
class _Memory:
    """Writes how an entry point gets the memory of one argument."""

    writer: _Writer
    argument: Parameter
    form: EntryForm
    buffers: dict[tuple[str, str], str]
    type: str = field(init=False)

    def __post_init__(self) -> None:
        self.type = self.writer._type(self.argument.element)

    def buffer(self, group: str) -> str:
        """Returns the buffer of the group that belongs to the argument."""
        return self.buffers[group, self.argument.name]

    def bytes(self, group: str = INPUT) -> str:
        """Returns the size of a buffer of the group."""
        size = self.writer._bytes(self.argument)
        return f"{self.form.width} * {size}" if group in WIDE and self.form.width > 1 else size

    def name(self, prefix: str, value: str) -> str:
        """Returns a line that gives a name to memory."""
        return f"{self.type} *{prefix}_{self.argument.name} = ({self.type} *)({value});"

    def scratch(self, prefix: str, group: str, contents: str = "NULL") -> Iterator[str]:
        """Yields lines that get scratch memory with these contents; a null buffer stands for zeros."""
        if self.argument.dimensions:
            yield self.name(prefix, f"memory_of(&m, {self.bytes(group)}, {contents})")
            return
        own = f"{prefix}_own_{self.argument.name}"
        yield self.own(own, group)
        yield f"if ({contents}) memcpy({own}, {contents}, sizeof {own}); else memset({own}, 0, sizeof {own});"
        yield self.name(prefix, own)

    def place(self, prefix: str, group: str) -> Iterator[str]:
        """Yields lines that name a buffer, or scratch memory with zeros if the caller gives none."""
        buffer, own = self.buffer(group), f"{prefix}_own_{self.argument.name}"
        if self.argument.dimensions:
            yield self.name(prefix, f"{buffer} ? {buffer} : memory_of(&m, {self.bytes(group)}, NULL)")
            return
        yield self.own(own, group)
        yield f"if (!{buffer}) memset({own}, 0, sizeof {own});"
        yield self.name(prefix, f"{buffer} ? {buffer} : {own}")

    def own(self, name: str, group: str) -> str:
        """Returns the declaration of a variable for a number: numbers need no block of memory."""
        return f"{self.type} {name}[{self.form.width if group in WIDE else 1}];"

    def cleared(self, prefix: str, group: str) -> str:
        """Returns a line that fills memory with zeros."""
        name = f"{prefix}_{self.argument.name}"
        return f"if ({name}) memset({name}, 0, {self.bytes(group)});"

    def copied(self, prefix: str, group: str, contents: str) -> str:
        """Returns a line that fills memory from a buffer; a null buffer stands for zeros."""
        name, size = f"{prefix}_{self.argument.name}", self.bytes(group)
        return f"if ({name}) {{ if ({contents}) memcpy({name}, {contents}, {size}); else memset({name}, 0, {size}); }}"


def _primal_memory(m: _Memory) -> Iterator[str]:
    if not m.argument.is_output:
        yield m.name("a", m.buffer(INPUT))
        return
    yield from m.place("a", OUTPUT)
    if m.argument.role == INOUT:
        yield m.copied("a", OUTPUT, m.buffer(INPUT))


def _vjp_memory(m: _Memory) -> Iterator[str]:
    yield from _primal_memory(m)
    if not m.argument.is_active:
        return
    if m.argument.role == IN:
        yield from m.place("d", GRADIENT)
        yield m.cleared("d", GRADIENT)
    elif m.argument.role == INOUT:
        yield from m.place("d", GRADIENT)
        yield m.copied("d", GRADIENT, m.buffer(COTANGENT))
    else:
        # reverse mode overwrites the adjoints of outputs
        yield from m.scratch("d", COTANGENT, m.buffer(COTANGENT))


def _jvp_memory(m: _Memory) -> Iterator[str]:
    yield from _primal_memory(m)
    if not m.argument.is_active:
        return
    if m.argument.role == IN:
        yield from m.place("d", TANGENT)
        return
    yield from m.place("d", OUTPUT_TANGENT)
    yield m.copied("d", OUTPUT_TANGENT, m.buffer(TANGENT)) if m.argument.is_input else m.cleared("d", OUTPUT_TANGENT)


def _hvp_memory(m: _Memory) -> Iterator[str]:
    yield from _vjp_memory(m)
    if not m.argument.is_active:
        return
    if m.argument.is_input:
        # the function overwrites an inout array, and its tangent with it
        yield from m.scratch("v", TANGENT, m.buffer(TANGENT)) if m.argument.role == INOUT else m.place("v", TANGENT)
        yield from m.place("t", GRADIENT_TANGENT)
        yield m.cleared("t", GRADIENT_TANGENT)
    else:
        yield from m.scratch("v", OUTPUT_TANGENT)
        yield from m.scratch("t", OUTPUT_TANGENT)


def _jvp_of_jvp_memory(m: _Memory) -> Iterator[str]:
    yield from _primal_memory(m)
    if not m.argument.is_active:
        return
    for prefix, group in (("d", TANGENT), ("v", OTHER_TANGENT)):
        yield from m.scratch(prefix, group, m.buffer(group) if m.argument.is_input else "NULL")
    if m.argument.is_output:
        yield from m.place("t", SECOND_TANGENT)
        yield m.cleared("t", SECOND_TANGENT)
    else:
        yield from m.scratch("t", TANGENT)


_ENTRIES = {
    PRIMAL: _primal_memory,
    VJP: _vjp_memory,
    JVP: _jvp_memory,
    HVP: _hvp_memory,
    JVP_OF_JVP: _jvp_of_jvp_memory,
}
