"""Functions of another file, with all kinds of interfaces, that differentiated code and other code call.

Interprocedural passes may change the interface of the copy in the derivative; the other code must not see that.
"""

from __future__ import annotations

from typing import NamedTuple

from .neighbour import Kind, Neighbour


class Interface(NamedTuple):
    """`name` stands for the function. `use`: a number made of x; `outside`: a number that has the value `want`."""

    declared: str
    body: str
    use: str
    outside: str
    want: str
    before: str = ""


_SUM = (
    "va_list l; va_start(l, n); double s = 0; for (int i = 0; i < n; i++) s += va_arg(l, double); va_end(l); return s;"
)
_COUNT = "va_list l; va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int); va_end(l); return s;"
_INTERFACES = {
    "variadic numbers": Interface("double name(int n, ...)", _SUM, "name(2, x, x * x)", "name(2, 1.5, 2.5)", "4"),
    "variadic integers": Interface(
        "int name(int n, ...)", _COUNT, "x * x * name(3, 1, 2, 3)", "name(3, 4, 5, 6)", "15"
    ),
    "variadic pointers": Interface(
        "double name(const char *f, ...)",
        "va_list l; va_start(l, f); double s = 0; for (; *f; f++) s += *f == 'p' ? *va_arg(l, double *) : va_arg(l, double);"
        " va_end(l); return s;",
        'name("dpd", x, &x, x * x)',
        'name("dpd", 1., (double[]){2}, 3.)',
        "6",
    ),
    "variadic passed on": Interface(
        "double name(int n, ...)",
        "va_list l; va_start(l, n); double s = inner_name(n, l); va_end(l); return s;",
        "name(2, x, x * x)",
        "name(2, 1.5, 2.5)",
        "4",
        "static double inner_name(int n, va_list l) { double s = 0; while (n--) s += va_arg(l, double); return s; }",
    ),
    "variadic text": Interface(
        "int name(char *to, const char *f, ...)",
        "va_list l; va_start(l, f); int n = vsprintf(to, f, l); va_end(l); return n;",
        'x * x * name((char[40]){0}, "%d of %s", 7, "ten")',
        'name((char[40]){0}, "%d of %s", 77, "twelve")',
        "12",
    ),
    "variadic of integers that are not read": Interface(
        "double name(double x, ...)", "return x * 2;", "name(x * x, 3, 4)", "name(5, 3, 4)", "10"
    ),
    "constant argument": Interface(
        "double name(double x, int mode)", "return mode == 3 ? x * x : mode ? x : 0;", "name(x, 3)", "name(2, 3)", "4"
    ),
    "another constant outside": Interface(
        "double name(double x, int mode)", "return mode == 3 ? x * x : mode ? x : 7;", "name(x, 3)", "name(2, 0)", "7"
    ),
    "dead argument": Interface("double name(double x, double y)", "return x * x;", "name(x, 3)", "name(2, 9)", "4"),
    "dead pointer": Interface(
        "double name(double x, double *y)",
        "if (x > 100) *y = 3; return x * x;",
        "name(x, 0)",
        "name(200, (double[]){9})",
        "40000",
    ),
    "dead result": Interface(
        "double name(double *x)", "*x *= *x; return *x + 1;", "(name(&x), x)", "name((double[]){2})", "5"
    ),
    "constant result": Interface("int name(double x)", "return x * 0 == 0 ? 3 : 3;", "x * x * name(x)", "name(2)", "3"),
    "result is an argument": Interface(
        "double *name(double *x, double y)",
        "*x += y; return x;",
        "*name((double[]){x}, x * x)",
        "*name((double[]){1}, 2)",
        "3",
    ),
    "constant pointer": Interface(
        "double name(const double *t, double x)",
        "return t[0] + t[1] * x * x;",
        "name(table_name, x)",
        "name((double[]){5, 6}, 2)",
        "29",
        "",
    ),
    "large struct": Interface(
        "struct of_name name(struct of_name s)",
        "for (int i = 0; i < 5; i++) s.v[i] *= s.v[0]; return s;",
        "name((struct of_name){{x, x, 2}, 3}).v[1]",
        "name((struct of_name){{2, 3, 4}, 3}).v[1]",
        "12",
        "struct of_name { double v[5]; int n; };",
    ),
    "two numbers": Interface(
        "struct of_name name(struct of_name s)",
        "return (struct of_name){s.a * s.b, s.a};",
        "name((struct of_name){x, x}).a",
        "name((struct of_name){2, 3}).a",
        "6",
        "struct of_name { double a, b; };",
    ),
    "number and integer": Interface(
        "struct of_name name(struct of_name s, int k)",
        "return (struct of_name){s.a * s.n * k, s.n};",
        "name((struct of_name){x * x, 3}, 2).a",
        "name((struct of_name){2, 3}, 2).a",
        "12",
        "struct of_name { double a; int n; };",
    ),
    "floats": Interface(
        "struct of_name name(struct of_name s)",
        "return (struct of_name){s.a * s.b, s.c, s.a};",
        "name((struct of_name){(float)x, (float)x, 1}).a",
        "name((struct of_name){2, 3, 4}).a",
        "6",
        "struct of_name { float a, b, c; };",
    ),
    "union": Interface(
        "double name(union of_name u, int k)",
        "return k ? u.a * u.a : u.n;",
        "name((union of_name){x}, 1)",
        "name((union of_name){.n = 5}, 0)",
        "5",
        "union of_name { double a; long n; };",
    ),
    "complex": Interface(
        "double _Complex name(double _Complex z)",
        "return z * z;",
        "__real__ name(x + 2i * x)",
        "__real__ name(2 + 1i)",
        "3",
    ),
    "many": Interface(
        "double name(int a, char b, short c, long d, int e, int f, int g, float h, double x, double *i, signed char j, _Bool k)",
        "return a + b + c + d + e + f + g + h + x * x + *i + j + k;",
        "name(1, 2, 3, 4, 5, 6, 7, 1, x, &x, -3, 1)",
        "name(1, -2, 3, 4, 5, 6, 7, 1, 2, (double[]){9}, -3, 1)",
        "36",
    ),
    "many numbers": Interface(
        "double name(double a, double b, double c, double d, double e, double f, double g, double h, double i, long double j)",
        "return a * b + c * d + e * f + g * h + i * (double)j;",
        "name(x, x, 1, 2, 3, x, 5, 6, x, 2)",
        "name(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)",
        "190",
    ),
    "wide": Interface(
        "__int128 name(__int128 a, double *x)",
        "*x *= *x; return a * 2;",
        "(name(3, &x), x)",
        "(double)name(3, (double[]){2})",
        "6",
    ),
    "callback": Interface(
        "double name(double (*g)(double), double x)",
        "return g(x) + g(2 * x);",
        "name(square_name, x)",
        "name(half_name, 4)",
        "6",
    ),
    "callback with context": Interface(
        "double name(double (*g)(void *, double), void *c, double x)",
        "return g(c, x) * 2;",
        "name(scaled_name, (double[]){3}, x * x)",
        "name(scaled_name, (double[]){3}, 2)",
        "12",
    ),
    "function returned": Interface(
        "double (*name(int k))(double)",
        "return k ? inner_name : other_name;",
        "name(1)(x)",
        "name(0)(2)",
        "6",
        "static double inner_name(double x) { return x * x; }\nstatic double other_name(double x) { return 3 * x; }",
    ),
    "rows": Interface(
        "double name(int n, double a[n][n])",
        "double s = 0; for (int i = 0; i < n; i++) s += a[i][i] * a[0][i]; return s;",
        "name(2, (double[2][2]){{x, x}, {1, x}})",
        "name(2, (double[2][2]){{2, 3}, {4, 5}})",
        "19",
    ),
    "recursion": Interface(
        "double name(double x, int n, int same)",
        "return n ? name(x, n - 1, same) * x : same;",
        "name(x, 3, 1)",
        "name(2, 4, 1)",
        "16",
    ),
    "made": Interface(
        "struct of_name *name(int n, double first)",
        "struct of_name *a = malloc(sizeof *a); a->n = n; a->w = calloc(n, 8); a->w[0] = first; return a;",
        "({ struct of_name *a = name(3, x); double s = a->w[0] * a->w[0]; free(a->w); free(a); s; })",
        "name(3, 2)->n",
        "3",
        "struct of_name { int n; double *w; };",
    ),
    "errno": Interface(
        "int name(double x, double *to)",
        "*to = x * x; return x < 0 ? -1 : 0;",
        "({ double y; name(x, &y) ? 0 : y; })",
        "name(-2, (double[1]){0})",
        "-1",
    ),
}
#: who calls it outside: text of the library, text of native code, and what main calls
_CALLERS = {
    "main": ("", "", "OUTSIDE"),
    "pointer": ("", "", "POINTED"),
    "library": ("double ask_name(void) { return OUTSIDE; }", "", "ask_name()"),
    "native": ("", "double ask_name(void) { return OUTSIDE; }", "ask_name()"),
    "nobody": ("", "", "WANT"),
}
_HELPERS = (
    "static double square_name(double x) { return x * x; }\nstatic double half_name(double x) { return x / 2; }\n"
    "static double scaled_name(void *c, double x) { return *(double *)c * x; }\nstatic const double table_name[2] = {1, 2};\n"
)


def _types(before: str) -> str:
    return before if before.startswith(("struct", "union")) else ""


def _neighbour(name: str, i: Interface, caller: str) -> Neighbour:
    library, native, asked = _CALLERS[caller]
    pointed = i.outside.replace("name(", "(*(__typeof__(&name) volatile *)&pointer_name)(", 1)
    head = f"{_types(i.before)}\nextern {i.declared};\nextern double ask_name(void);\n{_HELPERS}"
    own = i.before if not _types(i.before) else ""
    library = f"{head}{own}\n{i.declared} {{ {i.body} }}\n{library}"
    text = (
        f"/*library:{library}*/\n/*native:{head}{native}*/\n{head}static __typeof__(&name) volatile pointer_name = name;\n"
        f"static double CASE(double x) {{ return {i.use}; }}\n"
        f"static void outside_name(void) {{ double got = {asked}; if (!(fabs(got - WANT) < 1e-12))"
        f' fprintf(stderr, "WRONG outside: %g instead of %g\\n", got, (double)(WANT)); }}\n'
    )
    text = text.replace("OUTSIDE", i.outside).replace("POINTED", pointed).replace("WANT", i.want)
    call = "outside_name(); TRY_ROUGHLY(double, CASE); outside_name();"
    return Neighbour(f"{name}-{caller}", _renamed(text), _renamed(call))


def _renamed(text: str) -> str:
    return (
        text.replace("_name", "_of_CASE")
        .replace("name(", "api_of_CASE(")
        .replace("(&name)", "(&api_of_CASE)")
        .replace("= name;", "= api_of_CASE;")
    )


_INCLUDES = "#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n"
C = Kind(
    "c",
    f'#include "head.h"\n{_INCLUDES}',
    tuple(_neighbour(name, i, caller) for name, i in _INTERFACES.items() for caller in _CALLERS),
    others=_INCLUDES,
)
