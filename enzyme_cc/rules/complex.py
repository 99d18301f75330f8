"""Rules of complex functions: C's complex.h, complex multiplication and division, flang's complex powers.

A row has the complex derivatives of a holomorphic function, in terms of the operands a and b and the result r.
`real_partials` turns them into the real partials of a rule of kind "complex". Such a rule has one number for each
component of the operands and of the result. The x86-64 ABI passes components in three ways: two doubles and a struct
result; a vector of two floats; long double by reference. `components` takes a value apart, `assemble` makes one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.builder import Builder
from ..ir.constants import ConstantWord
from ..ir.types import StructType, Type, VectorType, is_aggregate, struct_fields
from ..ir.values import Value
from . import nodes
from .expression import OPERAND_NAMES, Expression
from .math import TRIGONOMETRIC
from .nodes import ZERO, Arithmetic, Call, ExpressionNode, Literal, Name, Negate, Where, arithmetic, negate
from .rule import Partials, Rule, partials

#: real and imaginary part
ComplexParts = tuple[ExpressionNode, ExpressionNode]

#: the derivatives of functions of one operand a
_HOLOMORPHIC = {
    "cexp": "r",
    "clog": "1/a",
    "clog10": "(1/ln10)/a",
    "csqrt": "0.5/r",
    "csin": "cos(a)",
    "ccos": "-sin(a)",
    "ctan": "1 + r*r",
    "casin": "1/cos(r)",
    "cacos": "-1/sin(r)",
    "catan": "1/(1 + a*a)",
    "csinh": "cosh(a)",
    "ccosh": "sinh(a)",
    "ctanh": "1 - r*r",
    "casinh": "1/cosh(r)",
    "cacosh": "1/sinh(r)",
    "catanh": "1/(1 - a*a)",
}
_NAMES: dict[str, ComplexParts] = {
    "a": (Name("x"), Name("y")),
    "b": (Name("z"), Name("w")),
    "r": (Name("r0"), Name("r1")),
}
#: real and imaginary part of functions at x + iy
_FUNCTIONS = {
    "sin": ("sin(x)*cosh(y)", "cos(x)*sinh(y)"),
    "cos": ("cos(x)*cosh(y)", "-sin(x)*sinh(y)"),
    "sinh": ("sinh(x)*cos(y)", "cosh(x)*sin(y)"),
    "cosh": ("cosh(x)*cos(y)", "sinh(x)*sin(y)"),
    "log": ("log(hypot(x, y))", "atan2(y, x)"),
}


def _expand(node: ExpressionNode) -> ComplexParts:
    """Returns the real and imaginary part of a complex expression."""
    match node:
        case Literal():
            return node, ZERO
        case Name(name=name):
            return _NAMES.get(name, (node, ZERO))
        case Negate(operand=operand):
            re, im = _expand(operand)
            return negate(re), negate(im)
        case Arithmetic(operator="*", left=left, right=right):
            return _product(_expand(left), _expand(right))
        case Arithmetic(operator="/", left=left, right=right):
            return _quotient(_expand(left), _expand(right))
        case Arithmetic(operator=operator, left=left, right=right):
            (a, b), (c, d) = _expand(left), _expand(right)
            return arithmetic(operator, a, c), arithmetic(operator, b, d)
        case Where(condition=condition, yes=yes, no=no):
            (a, b), (c, d) = _expand(yes), _expand(no)
            return Where(condition, a, c), Where(condition, b, d)
        case Call(function=function, arguments=(argument,)):
            re, im = _expand(argument)
            parts = [nodes.substitute(nodes.parse(text), {"x": re, "y": im}) for text in _FUNCTIONS[function]]
            return parts[0], parts[1]
    raise ValueError(f"not in the language of complex derivatives: {nodes.text(node)}")


def _product(left: ComplexParts, right: ComplexParts) -> ComplexParts:
    (a, b), (c, d) = left, right
    return (
        arithmetic("-", arithmetic("*", a, c), arithmetic("*", b, d)),
        arithmetic("+", arithmetic("*", a, d), arithmetic("*", b, c)),
    )


def _quotient(left: ComplexParts, right: ComplexParts) -> ComplexParts:
    """Returns (a + ib)/(c + id). c and d are scaled by the larger of them against overflow (Smith, CACM 5, 1962)."""
    (a, b), (c, d) = left, right
    if d == ZERO:
        return arithmetic("/", a, c), arithmetic("/", b, c)
    largest = Call("fmax", (Call("fabs", (c,)), Call("fabs", (d,))))
    p, q = arithmetic("/", c, largest), arithmetic("/", d, largest)
    norm = arithmetic("+", arithmetic("*", c, p), arithmetic("*", d, q))
    re, im = _product((a, b), (p, negate(q)))
    return arithmetic("/", re, norm), arithmetic("/", im, norm)


def real_partials(*texts: str) -> tuple[Partials, Partials]:
    """Returns the partials of the result's real and imaginary part, from the complex derivatives.

    With f' = u + iv: ∂re/∂x = u, ∂re/∂y = -v, ∂im/∂x = v, ∂im/∂y = u (Cauchy, Riemann).
    """
    pairs = [_expand(nodes.parse(text)) for text in texts]
    of_re = [Expression(part) for u, v in pairs for part in (u, negate(v))]
    of_im = [Expression(part) for u, v in pairs for part in (v, u)]
    return tuple(of_re), tuple(of_im)


def _holomorphic(name: str, *texts: str, after: Partials = ()) -> Rule:
    re, im = real_partials(*texts)
    return Rule(name, partials("0") * len(re + after), (re + after, im + after), kind="complex")


_AT_ZERO = "x == 0 and y == 0"
# At 0, the derivative of a power is 1 for exponent 1, and is taken as 0 otherwise. (It is 0 if the real part is > 1.)
_POWER = f"where({_AT_ZERO}, where(z == 1 and w == 0, 1, 0), b*(r/a))"
_INTEGER_POWER = f"where({_AT_ZERO}, where(z == 1, 1, 0), z*(r/a))"
_MULTIPLY = ("b", "a")
_DIVIDE = ("1/b", "-r/b")


def _swapped(expression: Expression) -> Expression:
    return expression.substitute({"x": Expression(Name("y")), "y": Expression(Name("x"))})


def _real(name: str, *row: Expression) -> Rule:
    return Rule(name, row, kind="complex")


#: rules by base name; suffixes as in math.h
COMPLEX: dict[str, Rule] = {
    **{name: _holomorphic(name, text) for name, text in _HOLOMORPHIC.items()},
    "csqrt": _holomorphic("csqrt", "where(r0 == 0 and r1 == 0, 0, 0.5/r)"),
    "cpow": _holomorphic("cpow", _POWER, f"where({_AT_ZERO}, 0, r*log(a))"),
    "conj": Rule("conj", partials("0", "0"), (partials("1", "0"), partials("0", "-1")), kind="complex"),
    "cproj": Rule("cproj", partials("0", "0"), (partials("1", "0"), partials("0", "1")), kind="complex"),
    "cabs": _real("cabs", *partials("where(r == 0, 0, x/r)", "where(r == 0, 0, y/r)")),
    "carg": _real("carg", *map(_swapped, reversed(TRIGONOMETRIC["atan2"].partials))),
    "creal": _real("creal", *partials("1", "0")),
    "cimag": _real("cimag", *partials("0", "1")),
}
#: rules by full name: compiler-rt and libgcc (h, s, d, x, t: half … fp128), flang (c, z, cq: complex(4), (8), (16))
COMPLEX_RUNTIME: dict[str, Rule] = {
    **{f"__mul{width}c3": _holomorphic(f"__mul{width}c3", *_MULTIPLY) for width in "hsdxt"},
    **{f"__div{width}c3": _holomorphic(f"__div{width}c3", *_DIVIDE) for width in "hsdxt"},
    **{
        name: _holomorphic(name, _INTEGER_POWER, after=partials("0"))
        for name in (f"_FortranA{kind}pow{width}" for kind in ("c", "z", "cq") for width in ("i", "k"))
    },
}


# ------------------------------------------------------------------------------------------------- taking values apart


def component_types(type_: Type) -> tuple[Type, ...]:
    """Returns the types of the components of a value of the type."""
    if isinstance(type_, VectorType):
        return (type_.element,) * type_.count
    return struct_fields(type_) if is_aggregate(type_) else (type_,)


def components(builder: Builder, value: Value) -> list[Value]:
    """Returns the components of a value: elements of a vector, fields of a struct, or the value itself."""
    count = range(len(component_types(value.type)))
    if isinstance(value.type, VectorType):
        return [builder.lane(value, i) for i in count]
    if is_aggregate(value.type):
        return [builder.extract_value(value, i) for i in count]
    return [value]


def assemble(builder: Builder, parts: Sequence[Value], type_: Type) -> Value:
    """Returns the value of the type that has these components."""
    if not isinstance(type_, VectorType | StructType):
        (value,) = parts
        return value
    if isinstance(type_, VectorType):
        return builder.vector(type_, parts)
    out: Value = ConstantWord(type_, "poison")
    for i, part in enumerate(parts):
        out = builder.insert_value(out, part, i)
    return out


def environment(operands: Sequence[Value], results: Sequence[Value]) -> dict[str, Value]:
    """Returns the names in a complex rule: x y z w for the operands' components, r or r0 r1 for the result's."""
    env = dict(zip(OPERAND_NAMES, operands, strict=False))
    env["r"] = results[0]
    return env | {f"r{i}": result for i, result in enumerate(results)}
