"""Random functions that compute with the bits of numbers: exponents, signs and fractions, in integers of any origin.

The integers go through arrays, loops, choices, structs of halves, and functions that are inlined or not.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from ..generate import INPUTS


@dataclass(frozen=True)
class Format:
    """A floating-point type and the integers that hold its bits; `below`: the bits of the fraction."""

    number: str
    word: str
    half: str
    bits: int
    below: int


DOUBLE = Format("double", "uint64_t", "uint32_t", 64, 52)
FLOAT = Format("float", "uint32_t", "uint16_t", 32, 23)

#: what is done with integers u and v. E: a change of the exponent by one to three; C: a condition. Constants:
#: SIGN, SIZE (all but the sign), FRACTION, EXPONENT, ONE and FOUR (their bits), HALF_ONE (half of ONE's bits), LOW (the
#: lower half of all bits), FEW (a quarter of them)
_OPERATIONS = [
    "u + E",
    "u - E",
    "u & SIZE",
    "u ^ SIGN",
    "u | SIGN",
    "(u & FRACTION) | ONE",
    "(u & FRACTION) | FOUR",
    "(u & EXPONENT) | FRACTION_TOP",
    "(u >> 1) + HALF_ONE",
    "u & ~(WORD)1",
    "u & ~FEW",
    "u & ~LOW",
    "u + 3",
    "u + ((WORD)(C) << BELOW)",
    "u - (v & 0)",
    "(u > v ? u : v)",
    "(u < v ? v : u)",
    "(C ? u : v)",
    "(C ? u + E : u)",
    "((u & ~LOW) | (u & LOW))",
]
#: how the bits of a number are had, and made into one
_CASTS = {
    "copy": (
        "static WORD BITS(NUMBER v) { WORD u; memcpy(&u, &v, sizeof u); return u; }",
        "static NUMBER MAKE(WORD u) { NUMBER v; memcpy(&v, &u, sizeof v); return v; }",
    ),
    "union": (
        "static WORD BITS(NUMBER v) { union { NUMBER d; WORD u; } p; p.d = v; return p.u; }",
        "static NUMBER MAKE(WORD u) { union { NUMBER d; WORD u; } p; p.u = u; return p.d; }",
    ),
    "cast": (
        "static WORD BITS(NUMBER v) { return *(ALIAS *)&v; }",
        "static NUMBER MAKE(WORD u) { NUMBER v; *(ALIAS *)&v = u; return v; }",
    ),
}
_NOINLINE = "__attribute__((noinline)) "


class BitFunction:
    """The source of one function of INPUTS numbers."""

    def __init__(self, seed: int, name: str) -> None:
        self.name = name
        self.random = random.Random(seed)
        self.format = self.random.choice([DOUBLE, DOUBLE, FLOAT])
        self._helpers: list[str] = []
        self._lines: list[str] = []
        self._words: list[str] = []
        self._text = self._make()

    def text(self) -> str:
        """The same each time: functions that cannot be built together are built one by one."""
        return self._text

    def _make(self) -> str:
        noinline = self.random.choice(["", _NOINLINE])
        take, make = self.random.choice(list(_CASTS.values()))
        for _ in range(2):
            factor = self.random.choice(["", " * 1.5", " * 0.7", " * 3.0"])
            self._word(f"BITS(x[{self.random.randrange(INPUTS)}]{factor})")
        for _ in range(self.random.randint(1, 4)):
            self.random.choice(_STEPS)(self)
        outs = [self.random.choice(self._words), self._words[-1]]
        factors = [self.random.choice([f"x[{self.random.randrange(INPUTS)}]", "1.25"]) for _ in outs]
        total = " + ".join(f"MAKE({u}) * {by}" for u, by in zip(outs, factors, strict=True))
        names = [f"#undef {n}\n#define {n} N({n.lower()}_{self.name})\n" for n in ("BITS", "MAKE")]
        types = "typedef WORD __attribute__((may_alias)) ALIAS;"
        casts = [noinline + text for text in (take, make)]
        body = "\n".join(f"  {line}" for line in [*self._lines, f"return {total};"])
        run = f"static double N({self.name})(double *x) {{\n{body}\n}}\n"
        return "".join(names) + self._filled("\n".join([types, *casts, *self._helpers, run]))

    def _filled(self, text: str) -> str:
        f = self.format
        one = ((1 << (f.bits - f.below - 2)) - 1) << f.below
        fraction, sign = (1 << f.below) - 1, 1 << (f.bits - 1)
        values = {
            "FRACTION_TOP": 1 << (f.below - 1),
            "HALF_ONE": one // 2,
            "SIGN": sign,
            "SIZE": sign - 1,
            "FRACTION": fraction,
            "EXPONENT": sign - 1 - fraction,
            "ONE": one,
            "FOUR": one + (2 << f.below),
            "LOW": (1 << f.bits // 2) - 1,
            "FEW": (1 << f.bits // 4) - 1,
        }
        words = {"BELOW": str(f.below), "WORD": f.word, "NUMBER": f.number, "ALIAS": f"N(alias_{self.name})"}
        words |= {name: f"(({f.word}){value:#x}u)" for name, value in values.items()}
        return re.sub(rf"\b({'|'.join(words)})\b", lambda match: words[match[0]], text)

    def _word(self, expression: str) -> str:
        """Declares an integer, and returns its name."""
        name = f"u{len(self._words)}"
        self._lines.append(f"WORD {name} = {expression};")
        self._words.append(name)
        return name

    def _any(self) -> str:
        return self.random.choice(self._words)

    def _condition(self) -> str:
        return self.random.choice([f"x[{self.random.randrange(INPUTS)}] > 0.4", "x[0] * x[0] < 1"])

    def _operation(self, u: str, v: str) -> str:
        words = {"u": u, "v": v, "C": self._condition(), "E": f"((WORD){self.random.randint(1, 3)} << BELOW)"}
        return re.sub(r"\b[uvCE]\b", lambda match: words[match[0]], self.random.choice(_OPERATIONS))

    def _helper(self, result: str, parameters: str, body: str) -> str:
        name = f"N(g{len(self._helpers)}_{self.name})"
        inline = self.random.choice(["", _NOINLINE])
        self._helpers.append(f"{inline}static {result} {name}({parameters}, const double *x) {{ {body} }}")
        return name

    # -- the steps

    def _plain(self) -> None:
        self._word(self._operation(self._any(), self._any()))

    def _called(self) -> None:
        name = self._helper("WORD", "WORD u, WORD v", f"return {self._operation('u', 'v')};")
        self._word(f"{name}({self._any()}, {self._any()}, x)")

    def _changed(self) -> None:
        name = self._helper("void", "WORD *u", f"*u = {self._operation('*u', '*u')};")
        word = self._word(self._any())
        self._lines.append(f"{name}(&{word}, x);")

    def _repeated(self) -> None:
        word = self._word(self._any())
        operation = self._operation(word, self._any())
        self._lines.append(f"for (int i = 0; i < 1 + (int)(x[1] * x[1] * 2); i++) {word} = {operation};")

    def _recursive(self) -> None:
        """Changes an integer several times, by recursion."""
        name = f"N(g{len(self._helpers)}_{self.name})"
        again = self.random.choice(["{0}({1}, n - 1, x)", "{2}", "{0}({2}, n - 2, x)"])
        inner = f"{name}(u, n - 1, x)"
        again = again.format(name, self._operation("u", "u"), self._operation(inner, inner))
        body = f"return n <= 0 ? u : {again};"
        self._helpers.append(f"static WORD {name}(WORD u, int n, const double *x) {{ {body} }}")
        self._word(f"{name}({self._any()}, 1 + (int)(x[1] * x[1] * 2), x)")

    def _in_array(self) -> None:
        array = f"a{len(self._lines)}"
        first, second = self._any(), self._any()
        operation = self._operation(self._any(), self._any())
        self._lines.append(f"WORD {array}[2] = {{{first}, {second}}};")
        self._lines.append(f"{array}[{self._condition()}] = {operation};")
        self._word(f"{array}[{self.random.randint(0, 1)}]")

    def _in_halves(self) -> None:
        half, shift = self.format.half, self.format.bits // 2
        type_ = f"N(halves{len(self._helpers)}_{self.name})"
        self._helpers.append(f"typedef struct {{ {half} low, high; }} {type_};")
        body = f"{type_} t = {{({half})u, ({half})(u >> {shift})}}; return t;"
        name = self._helper(type_, "WORD u", body)
        halves = f"t{len(self._lines)}"
        self._lines.append(f"{type_} {halves} = {name}({self._any()}, x);")
        step = ["{0}.high += 1u << {1};", "{0}.high &= ({2})-1 >> 1;", ""]
        self._lines.append(self.random.choice(step).format(halves, self.format.below - shift, half))
        self._word(f"(WORD){halves}.high << {shift} | {halves}.low")


_STEPS = [BitFunction._plain] * 5 + [
    BitFunction._called,
    BitFunction._called,
    BitFunction._called,
    BitFunction._changed,
    BitFunction._repeated,
    BitFunction._recursive,
    BitFunction._in_array,
    BitFunction._in_halves,
]
