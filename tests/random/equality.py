"""Random branches for one value of x: `python -m tests.random.equality c|cxx NUMBER SEED COUNT [FLAGS]`.

NUMBER is double, float or long double. A function is a test whether x is 2, what is computed from x if it is, and the
form of the branch. The derivative at 2 is that of what is computed, in both modes. One line for each function that is
wrong; then the counts.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import tempfile
from pathlib import Path

#: whether x is 2; `two` and `bound` are variables that LLVM knows, `known` one that it does not know
TESTS = {
    "equal": "x == C",
    "differs": "!(x != C)",
    "outside": "!(x < C || x > C)",
    "inside": "x >= C && x <= C",
    "equivalent": "!(x < C) && !(C < x)",
    "between": "x >= bound && x <= bound",
    "unordered": "!__builtin_islessgreater(x, C)",
    "ordered": "x == x && !(x < C) && !(x > C)",
    "distance": "F(fabs)(x - C) <= 0",
    "difference": "!(x - C)",
    "quotient": "x / C == 1",
    "negative": "-x == -C",
    "cube": "x * x * x == C * C * C",
    "whole": "(int)x == 2 && x == (int)x",
    "clamped": "F(fmin)(x, C) == F(fmax)(x, C)",
    "helper": "is_two(x)",
    "same": "same(x, C)",
    "at": "same_at(&x, &two)",
    "order": "order(x, C) == 0",
    "variable": "x == bound",
    "unknown": "x == known",
    "and": "x == C && known",
    "or": "x == C || x == 7",
    "kept": "(y = x) == C",
    "bytes": "memcmp(&x, &two, SIZE) == 0",
}
#: of a type with as many bits as an integer has
TESTS_OF_BITS = {
    "bits": "bits(x) == TWO",
    "two_bits": "bits(x) == bits(two)",
    "cast": "*(anything *)&x == TWO",
    "halves": "bits(x) >> HALF == TWO >> HALF && (half)bits(x) == 0",
    "changed": "!(bits(x) ^ TWO)",
    "bit_difference": "bits(x) - TWO == 0",
}
#: what is computed from x, with the derivative at 2
VALUES = {"3 * x": "3", "F(sin)(x)": "cos(2)", "x * x * x - x": "11", "x * y": "4", "x": "1", "also(x)": "4"}
OTHER = "x * x * 5"
#: the forms of the branch
FORMS = {
    "choice": f"return TEST ? VALUE : {OTHER};",
    "early": f"if (TEST) return VALUE; return {OTHER};",
    "late": f"if (!(TEST)) return {OTHER}; return VALUE;",
    "trap": "if (!(TEST)) __builtin_trap(); return VALUE;",
    "assume": "__builtin_assume(TEST); return VALUE;",
    "unreachable": "if (!(TEST)) __builtin_unreachable(); return VALUE;",
    "nested": f"if (x > 0) {{ if (TEST) {{ if (y < 9) return VALUE; }} }} return {OTHER};",
    "memory": f"T a[2] = {{x, {OTHER}}}; if (TEST) a[1] = VALUE; return a[1];",
    "loop": f"T s = 0; for (int i = 0; i < 3; i++) if (TEST) s += VALUE; else s += {OTHER}; return s / 3;",
    "table": f"T t[2] = {{{OTHER}, VALUE}}; int k = TEST; return t[k];",
    "switch": f"switch ((TEST) ? 3 : 4) {{ case 3: return VALUE; default: return {OTHER}; }}",
    "flag": f"T r = {OTHER}; int k = 0; if (TEST) k = 1; if (x > -3) r += 0; if (k) r = VALUE; return r;",
    "goto": f"if (TEST) goto two; return {OTHER}; two: return VALUE;",
    "while": f"int n = 0; while (!(TEST)) {{ x = y = x / 2; if (n++ > 9) return {OTHER}; }} return VALUE;",
}
_BITS = {
    "double": ("uint64_t", "uint32_t", "0x4000000000000000u", 32),
    "float": ("uint32_t", "uint16_t", "0x40000000u", 16),
}
_SUFFIX = {"double": "", "float": "##f", "long double": "##l"}
_HEAD = """#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef %(type)s T;
#define F(name) name%(suffix)s
#define C ((T)2)
#define SIZE %(size)s
static const T two = 2;
static T bound = 2;
static volatile T known = 2;
static int is_two(T x) { return x == 2; }
static int same(T x, T y) { return x == y; }
static int same_at(const T *x, const T *y) { return *x == *y; }
static int order(T a, T b) { return a < b ? -1 : a > b ? 1 : 0; }
static T also(T x) { return x == 2 ? x * x : x; }
#ifdef __cplusplus
extern "C" {
#endif
extern T __enzyme_autodiff(void *, T), __enzyme_fwddiff(void *, T, T);
#ifdef __cplusplus
}
#endif
static int right, wrong;
static void check(const char *name, T reverse, T forward, T want) {
  int is_right = fabs((double)(reverse - want)) < 1e-5 && fabs((double)(forward - want)) < 1e-5;
  is_right ? right++ : wrong++;
  if (!is_right)
    printf("%%s: %%g, forward %%g, expected %%g\\n", name, (double)reverse, (double)forward, (double)want);
}
"""
_HEAD_OF_BITS = """
#define TWO %(two)s
#define HALF %(shift)s
typedef %(half)s half;
typedef %(word)s __attribute__((may_alias)) anything;
static %(word)s bits(T x) { %(word)s u; memcpy(&u, &x, sizeof u); return u; }
"""


def program(number: str, seed: int, count: int) -> str:
    """Returns the text of a program, in C that is also C++, whose status is 1 if a derivative is wrong."""
    chosen = random.Random(seed)
    tests, head = (
        TESTS,
        _HEAD
        % {
            "type": number,
            "suffix": _SUFFIX[number],
            "size": "10" if number == "long double" else "sizeof(T)",
        },
    )
    if number in _BITS:
        tests = TESTS | TESTS_OF_BITS
        head += _HEAD_OF_BITS % dict(zip(("word", "half", "two", "shift"), _BITS[number], strict=True))
    pairs = list(itertools.product(tests, FORMS))
    functions, calls = [], []
    for k, (test, form) in enumerate(chosen.sample(pairs, min(count, len(pairs)))):
        value, derivative = chosen.choice(list(VALUES.items()))
        body = FORMS[form].replace("TEST", f"({tests[test]})").replace("VALUE", f"({value})")
        functions.append(f"static T f{k}(T x) {{ T y = x; (void)y; {body} }}\n")
        name = f"{test}, {form}, {value}"
        request = f"__enzyme_autodiff((void *)f{k}, 2), __enzyme_fwddiff((void *)f{k}, 2, 1)"
        calls.append(f'  check("{name}", {request}, {derivative});\n')
    end = '  printf("%d right, %d wrong\\n", right, wrong);\n  return wrong != 0;\n}\n'
    return f"{head}{''.join(functions)}int main(void) {{\n{''.join(calls)}{end}"


def outcome(language: str, number: str, seed: int, count: int, *flags: str) -> tuple[int, str]:
    """Returns the status and output of the program, or of the compiler that refused it."""
    compiler, suffix = ("enzyme-cc", "c") if language == "c" else ("enzyme-c++", "cpp")
    with tempfile.TemporaryDirectory() as folder:
        source, built = Path(folder, f"branches.{suffix}"), Path(folder, "branches")
        source.write_text(program(number, seed, count))
        command = [Path(sys.executable).with_name(compiler), "-w", *flags, source, "-lm", "-o", built]
        made = subprocess.run(command, capture_output=True, text=True)
        done = made if made.returncode else subprocess.run([built], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


if __name__ == "__main__":
    language, number, seed, count, *flags = sys.argv[1:]
    status, text = outcome(language, number, int(seed), int(count), *(flags or ["-O2"]))
    print(text, end="")
    sys.exit(status)
