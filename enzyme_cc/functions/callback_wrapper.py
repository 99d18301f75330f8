"""Writes functions in C that call what Python passes as a callback, with derivatives that Python gives.

The function that is differentiated gets the first of them, and never sees Python: the other ones are registered as its
derivatives. All call through `struct python`, which the entry point keeps for the calling thread. What Python is given
has the form of an entry point's buffers (`entry_points.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .array_signature import RETURN
from .interface import Interface, Parameter, Size
from .prototype import POINTER, Element

#: lines that an entry point begins and ends with; a callback may call it again, and go on after an exception there
BEGIN = ("int failed_before = python_failed;", "python_failed = 0;")
END = ("if (python_failed) status = 3;", "python_failed = failed_before;")
HEAD = """\
#include <stdio.h>
/* A function of Python: its values, the vector-Jacobian product, the Jacobian-vector product. They return 0, or 1 after
   an exception, whose text is `text`. */
struct python {
  int (*values)(void *const *, const int64_t *), (*vjp)(void *const *, const int64_t *);
  int (*jvp)(void *const *, const int64_t *);
  const char *text;
};
static THREAD int python_failed;
/* After an exception, nothing is called any more: the entry point tells of the exception when it returns. */
static int python_run(const struct python *p, int (*f)(void *const *, const int64_t *), void *const *b,
                      const int64_t *s) {
  if (!p) {
    fputs("enzyme-cc: a callback of Python was called from a thread that the program has started\\n", stderr);
    abort();
  }
  if (!python_failed && f(b, s)) {
    python_failed = 1;
    strncpy(message, p->text, sizeof message - 1);
  }
  return python_failed;
}
static void *python_zeros(size_t bytes) {
  void *p = calloc(1, bytes ? bytes : 1);
  if (!p) abort();
  return p;
}
"""


class CallbackWriter:
    """Writes the functions of one callback. `type_of` gives the C type of an element."""

    def __init__(self, parameter: Parameter, interface: Interface, type_of: Callable[[Element], str]) -> None:
        self.name, self._interface, self._type = parameter.name, interface, type_of
        self._sizes = {size.name: f"s[{k}]" for k, size in enumerate(interface.sizes)}
        self._free = [size.name for size in interface.sizes if size.is_free]
        result = interface.prototype.result.element
        self._result = "void" if result is None else type_of(result)

    def text(self) -> str:
        """Returns all functions."""
        name, room = self.name, max(1, len(self._free))
        return "".join(
            [
                f"static THREAD const struct python *p_{name};\nstatic THREAD int64_t s_{name}[{room}];\n",
                self._values(),
                self._augmented(),
                self._reverse(),
                self._forward(),
                f"void *__enzyme_register_gradient_{name}[] = "
                f"{{(void *)t_{name}, (void *)augmented_{name}, (void *)reverse_{name}}};\n",
                f"void *__enzyme_register_derivative_{name}[] = {{(void *)t_{name}, (void *)forward_{name}}};\n",
            ]
        )

    def begin(self, sizes: dict[str, str], handle: str) -> Iterator[str]:
        """Yields lines that an entry point begins with. `sizes` are its own; Python's functions are at `handle`."""
        name = self.name
        yield f"const struct python *before_{name} = p_{name};"
        yield f"int64_t sizes_before_{name}[{max(1, len(self._free))}];"
        yield f"memcpy(sizes_before_{name}, s_{name}, sizeof s_{name});"
        yield f"p_{name} = *(const struct python *const *){handle};"
        yield from (f"s_{name}[{k}] = {sizes[free]};" for k, free in enumerate(self._free))

    def end(self) -> Iterator[str]:
        """Yields lines that it ends with."""
        yield f"p_{self.name} = before_{self.name};"
        yield f"memcpy(s_{self.name}, sizes_before_{self.name}, sizeof s_{self.name});"

    # -- parts

    def _parameters(self, shadows: bool = False, tangents: bool = False) -> str:
        """Returns the declarations. `shadows`: pointers are followed by their shadows; `tangents`: numbers, too."""
        parts = []
        for p in self._interface.taken:
            type_ = self._type(p.element)
            is_pointer = p.is_pointer or p.element == POINTER
            parts.append(f"{type_} {'*' if p.is_pointer else ''}a_{p.name}")
            if (is_pointer and shadows) or (tangents and _is_number(p)):
                parts.append(f"{type_} {'*' if p.is_pointer else ''}d_{p.name}")
        return ", ".join(parts)

    def _passed(self) -> str:
        return ", ".join(f"a_{p.name}" for p in self._interface.taken)

    def _bytes(self, p: Parameter) -> str:
        return p.bytes_in_c(self._sizes, self._type(p.element))

    def _head(self) -> str:
        """Returns the line that makes the sizes."""
        values = []
        for p in self._interface.sizes:
            own = f"(int64_t){'*' if p.is_pointer else ''}a_{p.name}"
            values.append(f"s_{self.name}[{self._free.index(p.name)}]" if p.is_free else own)
        return f"  int64_t s[] = {{{', '.join([*values, '0'])}}};\n  (void)s;\n"

    def _run(self, kind: str, buffers: list[str]) -> str:
        listed = ", ".join([*(f"(void *){b}" for b in buffers), "0"])
        p = f"p_{self.name}"
        return f"  void *b[] = {{{listed}}};\n  int failed = python_run({p}, {p} ? {p}->{kind} : 0, b, s);\n"

    def _input(self, p: Parameter) -> str:
        return f"a_{p.name}" if p.is_pointer else f"&a_{p.name}"

    def _output(self, p: Parameter) -> str:
        return "&result" if p.name == RETURN else f"a_{p.name}"

    def _or_zeros(self, p: Parameter) -> str:
        """Returns lines that give a shadow, or zeros where memory has none, the name z_…"""
        t, n = self._type(p.element), p.name
        return f"  {t} *z_{n} = d_{n} && d_{n} != a_{n} ? d_{n} : ({t} *)python_zeros({self._bytes(p)});\n"

    def _freed(self, p: Parameter) -> str:
        return f"  if (z_{p.name} != d_{p.name}) free(z_{p.name});\n"

    # -- the functions

    def _values(self) -> str:
        """Returns the function that is differentiated."""
        outputs = self._interface.outputs
        lines = [f"static {self._result} t_{self.name}({self._parameters()}) {{\n", self._head()]
        lines += [f"  {self._result} result;\n"] if self._result != "void" else []
        buffers = [self._input(p) for p in self._interface.inputs] + [self._output(p) for p in outputs]
        lines.append(self._run("values", buffers))
        # all bits set are a NaN: loops that wait for small errors end
        lines += [f"  if (failed) memset({self._output(p)}, 255, {self._bytes(p)});\n" for p in outputs]
        lines += ["  return result;\n"] if self._result != "void" else []
        return "".join([*lines, "}\n"])

    def _kept(self) -> list[Parameter]:
        return [p for p in self._interface.inputs if p.is_pointer]

    def _augmented(self) -> str:
        """Returns the function of the primal sweep. Its tape is a copy of all inputs in memory."""
        name, kept = self.name, self._kept()
        size = " + ".join(["1", *map(self._bytes, kept)])
        body = [self._head(), f"  char *tape = (char *)python_zeros({size}), *at = tape;\n"]
        for p in kept:
            body.append(f"  memcpy(at, a_{p.name}, {self._bytes(p)});\n  at += {self._bytes(p)};\n")
        body.append("  (void)at;\n")
        parameters = self._parameters(shadows=True)
        if self._result == "void":
            body.append(f"  t_{name}({self._passed()});\n  return tape;\n")
            return f"static void *augmented_{name}({parameters}) {{\n{''.join(body)}}}\n"
        struct = f"struct taped_{name} {{\n  void *tape;\n  {self._result} result;\n}};\n"
        body.append(f"  struct taped_{name} r = {{tape, t_{name}({self._passed()})}};\n  return r;\n")
        return f"{struct}static struct taped_{name} augmented_{name}({parameters}) {{\n{''.join(body)}}}\n"

    def _reverse(self) -> str:
        """Returns the function of the reverse sweep: it adds gradients to shadows, and clears those of outputs."""
        interface, numbers = self._interface, [p for p in self._interface.taken if _is_number(p)]
        cotangents = [p for p in interface.active_outputs if p.name != RETURN]
        parameters = [p for p in [self._parameters(shadows=True)] if p]
        if any(p.name == RETURN for p in interface.active_outputs):
            parameters.append(f"{self._result} d_result")
        body = [self._head(), "  char *at = (char *)tape;\n"]
        for p in self._kept():
            t = self._type(p.element)
            body.append(f"  {t} *k_{p.name} = ({t} *)at;\n  at += {self._bytes(p)};\n")
        body += [self._or_zeros(p) for p in cotangents]
        for p in interface.active_inputs:
            t = self._type(p.element)
            body.append(f"  {t} *g_{p.name} = ({t} *)python_zeros({self._bytes(p)});\n")
        inputs = [f"k_{p.name}" if p.is_pointer else f"&a_{p.name}" for p in interface.inputs]
        seeds = ["&d_result" if p.name == RETURN else f"z_{p.name}" for p in interface.active_outputs]
        gradients = [f"g_{p.name}" for p in interface.active_inputs]
        body.append(self._run("vjp", [*inputs, *("0" for _ in interface.outputs), *seeds, *gradients]))
        body.append("  (void)failed;\n")
        for p in cotangents:
            body.append(f"  memset(z_{p.name}, 0, {self._bytes(p)});\n{self._freed(p)}")
        body += [self._added(p) for p in interface.active_inputs if p.is_pointer]
        returned = [f"*g_{p.name}" if p in interface.active_inputs else "0" for p in numbers]
        t = "void" if not numbers else self._type(numbers[0].element)
        struct = ""
        if len(numbers) > 1:
            t = f"struct partials_{self.name}"
            members = "".join(f"  {self._type(p.element)} m{k};\n" for k, p in enumerate(numbers))
            struct = f"{t} {{\n{members}}};\n"
        if numbers:
            values = ", ".join(returned)
            body.append(f"  {t} r = {f'{{{values}}}' if len(numbers) > 1 else values};\n")
        body += [f"  free(g_{p.name});\n" for p in interface.active_inputs]
        body.append("  free(tape);\n")
        body += ["  return r;\n"] if numbers else []
        return (
            f"{struct}static {t} reverse_{self.name}({', '.join([*parameters, 'void *tape'])}) {{\n{''.join(body)}}}\n"
        )

    def _added(self, p: Parameter) -> str:
        count = f"{self._bytes(p)} / sizeof *a_{p.name}"
        return (
            f"  if (d_{p.name} && d_{p.name} != a_{p.name})\n"
            f"    for (size_t i = 0; i < {count}; i++)\n      d_{p.name}[i] += g_{p.name}[i];\n"
        )

    def _forward(self) -> str:
        """Returns the function of forward mode."""
        interface = self._interface
        has_tangent = any(p.name == RETURN for p in interface.active_outputs)
        shadowed = [
            p for p in (*interface.active_inputs, *interface.active_outputs) if p.is_pointer and p.name != RETURN
        ]
        body = [self._head(), *map(self._or_zeros, shadowed)]
        body += [f"  {self._result} result;\n"] if self._result != "void" else []
        body += [f"  {self._result} d_result;\n"] if has_tangent else []
        buffers = [self._input(p) for p in interface.inputs] + [self._output(p) for p in interface.outputs]
        buffers += [f"z_{p.name}" if p.is_pointer else f"&d_{p.name}" for p in interface.active_inputs]
        tangents = ["&d_result" if p.name == RETURN else f"z_{p.name}" for p in interface.active_outputs]
        body.append(self._run("jvp", [*buffers, *tangents]))
        made = [(self._output(p), p) for p in interface.outputs]
        made += list(zip(tangents, interface.active_outputs, strict=True))
        body += [f"  if (failed) memset({place}, 255, {self._bytes(p)});\n" for place, p in made]
        body += map(self._freed, shadowed)
        parameters = self._parameters(shadows=True, tangents=True)
        if self._result == "void":
            return f"static void forward_{self.name}({parameters}) {{\n{''.join(body)}}}\n"
        if not has_tangent:
            body.append("  return result;\n")
            return f"static {self._result} forward_{self.name}({parameters}) {{\n{''.join(body)}}}\n"
        struct = f"struct tangent_{self.name} {{\n  {self._result} result, d_result;\n}};\n"
        body.append(f"  struct tangent_{self.name} r = {{result, d_result}};\n  return r;\n")
        return f"{struct}static struct tangent_{self.name} forward_{self.name}({parameters}) {{\n{''.join(body)}}}\n"


def _is_number(p: Parameter | Size) -> bool:
    """True for a number with a fraction that is passed by value."""
    return isinstance(p, Parameter) and not p.is_pointer and p.element.kind == "f"
