"""Random machines whose stacks hold unions with a tag: integers, numbers of several widths, pairs, pointers.

A machine is a piece of C that is included as runtime.h is: for the differentiated function, with a trace, and for the
complex step, where all numbers are complex and unions are structs. It has types and functions of its own.
"""

from __future__ import annotations

import random
import re

from ..generate import INPUTS

_HEAD = """
#undef FLOAT
#undef UNION
#ifdef COMPLEX
#define FLOAT double complex
#define UNION struct
#else
#define FLOAT float
#define UNION union
#endif
#ifndef NOINLINE
#define NOINLINE __attribute__((noinline))
#endif
"""

#: members of a union: declaration, how `e` is written to the member, and the number that is read from it
_MEMBERS = {
    "FLOAT": ("FLOAT f;", "{u}.f = (FLOAT)({e});", "{u}.f * 0.9"),
    "REAL": ("REAL d;", "{u}.d = {e};", "SIN({u}.d)"),
    "INT": ("int i;", "{u}.i = {n};", "0.3 * {u}.i"),
    "LONG": ("long l;", "{u}.l = {n};", "0.2 * (double){u}.l"),
    "FLOATS": ("FLOAT p[2];", "{u}.p[0] = (FLOAT)({e}), {u}.p[1] = (FLOAT)({o});", "{u}.p[0] * SIN({u}.p[1])"),
    "FLOAT_INT": ("struct {{ FLOAT a; int b; }} s;", "{u}.s.a = (FLOAT)({e}), {u}.s.b = {n};", "{u}.s.a * {u}.s.b"),
    "INT_FLOAT": ("struct {{ int b; FLOAT a; }} t;", "{u}.t.a = (FLOAT)({e}), {u}.t.b = {n};", "{u}.t.a + {u}.t.b"),
    "REALS": ("struct {{ REAL a, b; }} q;", "{u}.q.a = {e}, {u}.q.b = {o};", "{u}.q.a * COS({u}.q.b)"),
    "POINTER": ("const REAL *r;", "{u}.r = x + {n} % 4;", "*{u}.r * 0.7"),
    "VECTOR": (
        "struct {{ FLOAT a, b, c; }} v;",
        "{u}.v.a = (FLOAT)({e}), {u}.v.b = (FLOAT)({o}), {u}.v.c = {n};",
        "{u}.v.a * {u}.v.b - {u}.v.c",
    ),
}
#: how likely each member is
_WEIGHTS = {"FLOAT": 5, "REAL": 5, "INT": 3, "LONG": 2, "FLOATS": 3, "FLOAT_INT": 2, "REALS": 2, "POINTER": 1,
            "INT_FLOAT": 1, "VECTOR": 1}  # fmt: skip
ROOM = 12

#: statements on the stack: how many values each needs, how many it adds at most. V: the type; E: a number; K: a tag;
#: C: a condition; T: another stack
_STATEMENTS: list[tuple[str, int, int]] = [
    ("PUSH(m, MAKE(K, E, E, N, x));", 0, 1),
    ("{ V a = POP(m), b = POP(m); PUSH(m, MAKE(K, NUMBER(a) * E, NUMBER(b), N, x)); }", 2, 0),
    ("{ V a = POP(m), b = POP(m), c = MAKE(K, NUMBER(a), E, N, x); PUSH(m, C ? c : b); PUSH(m, C ? a : c); }", 2, 0),
    ("{ V a = POP(m), c = MAKE(K, NUMBER(a), E, N, x), d = MAKE(K, E, NUMBER(a), N, x); PUSH(m, C ? c : d); }", 1, 0),
    ("{ V a = POP(m), b = POP(m); PUSH(m, a); PUSH(m, b); }", 2, 0),
    ("{ V t = m->stack[m->top - 1]; m->stack[m->top - 1] = m->stack[m->top - 2]; m->stack[m->top - 2] = t; }", 2, 0),
    ("SWAP(&m->stack[m->top - 1], &m->stack[C ? 0 : m->top - 2]);", 2, 0),
    ("m->stack[m->top] = m->stack[C ? m->top - 1 : 0]; m->top++;", 1, 1),
    ("memcpy(&m->stack[m->top], &m->stack[m->top - 1], sizeof(V)); m->top++;", 1, 1),
    ("memmove(m->stack + 1, m->stack, m->top * sizeof(V)); m->stack[0] = MAKE(K, E, E, N, x); m->top++;", 0, 1),
    ("if (C) memmove(m->stack, m->stack + 1, --m->top * sizeof(V));", 1, 0),
    ("for (int p = 0, q = m->top - 1; p < q; p++, q--) SWAP(&m->stack[p], &m->stack[q]);", 1, 0),
    ("m->kept = POP(m); m->has = 1;", 1, 0),
    ("if (m->has) PUSH(m, m->kept);", 0, 1),
    ("{ V *top = &m->stack[m->top - 1]; PUT(top, K, NUMBER(*top) * E, E, N, x); }", 1, 0),
    ("{ V t[2]; int n = 0; t[n++] = POP(m); t[n++] = POP(m); s += E * NUMBER(t[!C]);"
     " PUSH(m, t[--n]); PUSH(m, t[--n]); }", 2, 0),
    ("s += 0.5 * NUMBER(m->stack[m->top - 1]);", 1, 0),
    ("s = SIN(s + NUMBER(POP(m)));", 1, 0),
    ("x[N % 4] += 0.1 * NUMBER(m->stack[m->top - 1]);", 1, 0),
    ("while (m->top > 2) s += E * NUMBER(POP(m));", 0, 0),
    ("PUT(&m->stack[m->top++], K, E, E, N, x);", 0, 1),
    ("{ V a; TAKE(m, &a); GIVE(m, &a); if (C) GIVE(m, &a); }", 1, 1),
    ("{ char bytes[sizeof(V)]; memcpy(bytes, &m->stack[m->top - 1], sizeof bytes);"
     " memcpy(&m->stack[m->top - 1], &m->stack[0], sizeof bytes); memcpy(m->stack, bytes, sizeof bytes); }", 1, 0),
    ("if (COND(RE(NUMBER_AT(&m->stack[0])) < 0.3)) PUSH(m, MAKE(K, E, s, N, x));", 1, 1),
]  # fmt: skip

#: how the stack is had, and left
_STORAGE = {
    "local": ("V stack[ROOM];", "", ""),
    "static": ("V *stack;", "static V room[ROOM]; m->stack = room;", ""),
    "malloc": ("V *stack;", "m->stack = malloc(ROOM * sizeof(V));", "free(m->stack);"),
    "calloc": ("V *stack;", "m->stack = calloc(ROOM, sizeof(V));", "free(m->stack);"),
    "frame": ("V *stack;", "V room[ROOM]; m->stack = room;", ""),
    "grown": ("V *stack; int room;", "m->stack = NULL; m->room = 0;", "free(m->stack);"),
    "caller": ("V *stack;", "m->stack = room;", ""),
}
_PUSHES = [
    "static void PUSH(M *m, V v) { m->stack[m->top++] = v; }",
    "static void PUSH(M *m, V v) { memcpy(&m->stack[m->top], &v, sizeof v); m->top++; }",
    "static void PUSH(M *m, V v) { V *at = m->stack + m->top; *at = v; m->top = (int)(at - m->stack) + 1; }",
]
_POPS = [
    "static V POP(M *m) { return m->stack[--m->top]; }",
    "static V POP(M *m) { V v; memcpy(&v, &m->stack[--m->top], sizeof v); return v; }",
    "static V POP(M *m) { V v = m->stack[m->top - 1]; m->top -= 1; return v; }",
]
_REST = """static void SWAP(V *a, V *b) { V t = *a; *a = *b; *b = t; }
static void TAKE(M *m, V *v) { *v = m->stack[--m->top]; }
static void GIVE(M *m, const V *v) { m->stack[m->top++] = *v; }"""


class StackMachine:
    """The source of one machine."""

    def __init__(self, seed: int, name: str) -> None:
        self.name = name
        self.random = random.Random(seed)
        self._kinds = self._choose_kinds()
        self.storage = self.random.choice(list(_STORAGE))
        self._text = self._make()

    def _choose_kinds(self) -> list[str]:
        found: list[str] = []
        while len(found) < 2 or not {"FLOAT", "REAL", "FLOATS", "REALS", "VECTOR"} & set(found):
            found = [k for k in _WEIGHTS if self.random.random() < 0.14 * _WEIGHTS[k]]
        return found

    def text(self) -> str:
        """The same each time: machines that cannot be built together are built one by one."""
        return self._text

    def _make(self) -> str:
        names = ("V", "M", "PUSH", "POP", "MAKE", "PUT", "NUMBER", "NUMBER_AT", "SWAP", "TAKE", "GIVE", "STEP")
        parts = [_HEAD]
        parts += [f"#undef {n}\n#define {n} N({n.lower()}_{self.name})\n" for n in names[2:]]
        parts += [f"#undef {n}\n#define {n} struct N({n}_{self.name})\n" for n in names[:2]]
        return "".join(parts) + "\n".join([self._types(), self._functions(), self._step(), self._run()]) + "\n"

    def _types(self) -> str:
        union = " ".join(_MEMBERS[k][0].format() for k in self._kinds)
        fields = [f"{self.random.choice(['int', 'int', 'long', 'char'])} kind;", f"UNION {{ {union} }} u;"]
        if self.random.random() < 0.2:
            fields.reverse()
        more = self.random.choice(["", "", "", "REAL weight;", "int line;"])
        head = _STORAGE[self.storage][0].replace("ROOM", str(ROOM))
        order = [head, "int top, has;", "V kept;"]
        self.random.shuffle(order)
        return f"V {{ {' '.join(fields)} {more} }};\nM {{ {' '.join(order)} }};"

    def _functions(self) -> str:
        numbered = list(enumerate(self._kinds))
        puts = " ".join(f"case {j}: {_MEMBERS[k][1].format(u='v->u', e='e', o='o', n='n')} break;" for j, k in numbered)
        reads = " ".join(f"case {j}: return {_MEMBERS[k][2].format(u='v->u')};" for j, k in numbered)
        texts = [
            f"static void PUT(V *v, int k, REAL e, REAL o, int n, REAL *x) {{ v->kind = k; switch (k) {{ {puts} }} }}",
            "static V MAKE(int k, REAL e, REAL o, int n, REAL *x) { V v; PUT(&v, k, e, o, n, x); return v; }",
            f"static REAL NUMBER_AT(const V *v) {{ switch (v->kind) {{ {reads} }} return 0; }}",
            "static REAL NUMBER(V v) { return NUMBER_AT(&v); }",
            self._push(),
            self.random.choice(_POPS),
            *_REST.splitlines(),
        ]
        return "\n".join((self.random.choice(["", "NOINLINE ", "inline "]) + t) for t in texts)

    def _push(self) -> str:
        push = self.random.choice(_PUSHES)
        if self.storage != "grown":
            return push
        grow = "if (m->top == m->room) m->stack = realloc(m->stack, (m->room = 2 * m->room + 1) * sizeof *m->stack);"
        return push.replace("{ ", f"{{ {grow} ", 1)

    def _expression(self) -> str:
        a, b = (f"x[{self.random.randrange(INPUTS)}]" for _ in range(2))
        return self.random.choice([a, f"{a} * {b}", f"SIN({a} + i)", f"({a} + 0.3 * s)", f"({a} - {b})", "1.1"])

    def _condition(self) -> str:
        return self.random.choice(["(i & 1)", "(i % 3 == 0)", "(i & 2)", "(i > 2)", f"COND(RE({self._place()}) > 0.1)"])

    def _place(self) -> str:
        return f"x[{self.random.randrange(INPUTS)}]"

    def _tag(self) -> str:
        tag = self.random.randrange(len(self._kinds))
        return self.random.choice([str(tag), f"(i + {tag}) % {len(self._kinds)}"])

    def _word(self, letter: str) -> str:
        makers = {"E": self._expression, "K": self._tag, "C": self._condition}
        return makers[letter]() if letter in makers else str(self.random.randrange(5))

    def _statement(self) -> str:
        grown = self.storage == "grown"
        usable = [s for s in _STATEMENTS if not (grown and s[2] and "PUSH" not in s[0])]
        text, needed, added = self.random.choice(usable)
        text = re.sub(r"\b[EKCN]\b", lambda match: self._word(match[0]), text)
        tests = [f"m->top >= {needed}"] * (needed > 0) + [f"m->top + {added} < {ROOM}"] * (added > 0)
        if self.random.random() < 0.3:
            tests.append(self._condition())
        return f"  if ({' && '.join(tests)}) {{ {text} }}" if tests else f"  {text}"

    def _step(self) -> str:
        body = "\n".join(self._statement() for _ in range(self.random.randrange(2, 6)))
        inline = self.random.choice(["", "NOINLINE "])
        return f"{inline}static REAL STEP(M *m, int i, REAL *x) {{\n  REAL s = 0;\n{body}\n  return s;\n}}"

    def _run(self) -> str:
        _, begin, end = (text.replace("ROOM", str(ROOM)) for text in _STORAGE[self.storage])
        pushes = "\n".join(f"  PUSH(m, MAKE({self._tag()}, {self._expression()}, x[1], 2, x));" for _ in range(2))
        body = f"""  M machine, *m = &machine; REAL s = 0; int i = 0;
  m->top = m->has = 0; {begin}
{pushes}
  for (i = 0; i < {self.random.randrange(1, 9)}; i++) s += STEP(m, i, x);
  while (m->top) s = SIN(s) + NUMBER(POP(m));
  {end}
  return s;"""
        if self.storage != "caller":
            return f"static REAL N({self.name})(REAL *x) {{\n{body}\n}}"
        whole = f"{{ V room[{ROOM}]; return N(run_{self.name})(x, room); }}"
        given = f"static REAL N(run_{self.name})(REAL *x, V *room) {{\n{body}\n}}"
        return f"{given}\nstatic REAL N({self.name})(REAL *x) {whole}"
