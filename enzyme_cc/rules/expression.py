"""Derivative expressions: parsed from text once, emitted as LLVM IR at any floating-point type.

- x y z w are operands 0 to 3 of the function.
- r is its result; r0, r1 … are the fields of a struct result.
- An operand of integer type is converted in floating-point arithmetic. It stays an integer as the integer parameter of
  a function (`jn(x - 1, y)`).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ..ir.builder import Builder
from ..ir.constants import Constant, ConstantFloat, ConstantInt, ConstantSplat
from ..ir.folding import float_constant, int_constant
from ..ir.types import FLOAT, I1, I32, I64, FloatType, Type, VectorType, is_float, is_int, scalar, with_same_shape
from ..ir.values import Value
from . import nodes
from .expression_functions import CALL_ATTRIBUTES, FUNCTIONS, LIBM_SUFFIX, RUNTIME, RUNTIME_PREFIX, ExpressionFunction
from .nodes import Arithmetic, Call, Compare, ExpressionNode, Literal, Logic, Name, Negate, Where

#: operand index → name
OPERAND_NAMES = ("x", "y", "z", "w")
#: the name of the number in `Expression.product`
FACTOR = "factor"
#: fast-math flags that keep formulas accurate; `reassoc` would undo (1 - r)*(1 + r)
_KEPT_FLAGS = frozenset(["nsz", "arcp", "contract", "nnan", "ninf"])
_OPCODES = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_INT_OPCODES = {"+": "add", "-": "sub", "*": "mul"}
#: types that are computed in float, as in C
_NARROW = ("half", "bfloat")


@dataclass(frozen=True)
class Expression:
    """An expression of the values of one call or instruction."""

    node: ExpressionNode
    text: str = field(default="", compare=False)

    @staticmethod
    def parse(text: str) -> Expression:
        """Returns the expression of a text. Raises ValueError for other text and for unknown functions."""
        return Expression(_checked(nodes.parse(text)), text)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that `emit` needs in its environment."""
        return nodes.names(self.node)

    @property
    def constant(self) -> float | None:
        """The value of an expression that is one number, else None."""
        return float(self.node.value) if isinstance(self.node, Literal) else None

    @property
    def is_zero(self) -> bool:
        return self.node == nodes.ZERO

    @cached_property
    def product(self) -> Expression:
        """The product of a number, which has the name `FACTOR`, and the expression.

        For a quotient n/d, it is number*n*(1/d). The derivative of x/y by y is -r/y: if y is tiny, this may overflow
        where the product does not, and then 0 times it is NaN. The sign goes to n: LLVM turns z + a*-b into z - a*b,
        and gives that product the flag `reassoc` of the sum.
        """
        match self.node:
            case Negate(Arithmetic("/", numerator, divisor)):
                numerator = nodes.negate(numerator)
            case Arithmetic("/", numerator, divisor) if not isinstance(numerator, Literal):
                pass
            case _:
                return Expression(nodes.arithmetic("*", Name(FACTOR), self.node))
        scaled = nodes.arithmetic("*", Name(FACTOR), numerator)
        return Expression(nodes.arithmetic("*", scaled, nodes.arithmetic("/", nodes.ONE, divisor)))

    def emit(self, builder: Builder, env: Mapping[str, Value], type_: Type) -> Value:
        """Emits the expression as a floating-point scalar or vector of `type_`, and returns the value.

        The instructions have the builder's fast-math flags except `reassoc`. Calls are those of LLVM intrinsics, libm
        and our runtime; none accesses memory.
        """
        wide = with_same_shape(FLOAT, type_) if str(scalar(type_)) in _NARROW else type_
        value = _Emitter(builder, env, wide).float(self.node)
        return builder.resize_float(value, type_)

    def substitute(self, replacement: Mapping[str, Expression]) -> Expression:
        return Expression(nodes.substitute(self.node, {name: value.node for name, value in replacement.items()}))

    def __str__(self) -> str:
        return nodes.text(self.node)


def _checked(node: ExpressionNode) -> ExpressionNode:
    if isinstance(node, Call):
        function = FUNCTIONS.get(node.function)
        if function is None or len(function.params) != len(node.arguments):
            raise ValueError(f"no function {node.function} of {len(node.arguments)} operands in derivative expressions")
    for child in nodes.children(node):
        _checked(child)
    return node


class _Emitter:
    """Emits one expression; equal subexpressions are emitted once."""

    def __init__(self, builder: Builder, env: Mapping[str, Value], type_: Type) -> None:
        self.builder = copy.copy(builder)
        self.builder.fast = tuple(flag for flag in builder.fast if flag in _KEPT_FLAGS)
        self.env = env
        self.type = type_
        self.done: dict[ExpressionNode, Value] = {}

    def float(self, node: ExpressionNode) -> Value:
        """Returns the node as a floating-point value of the type."""
        found = self.done.get(node)
        if found is None:
            found = self.done[node] = self._float(node)
        return found

    def _float(self, node: ExpressionNode) -> Value:
        match node:
            case Literal(value=value):
                return exact_constant(value, self.type)
            case Name(name=name):
                return self._converted(self.env[name])
            case Negate(operand=operand):
                return self.builder.fneg(self.float(operand))
            case Arithmetic(operator=operator, left=left, right=right):
                return self.builder.float_op(_OPCODES[operator], self.float(left), self.float(right))
            case Where(condition=condition, yes=yes, no=no):
                return self.builder.select(self.condition(condition), self.float(yes), self.float(no))
            case Call(function=function, arguments=arguments):
                return self._call(FUNCTIONS[function], arguments)
        raise TypeError(f"{node} is a condition, not a number")

    def condition(self, node: ExpressionNode) -> Value:
        match node:
            case Compare(predicate=predicate, left=left, right=right):
                return self.builder.fcmp(predicate, self.float(left), self.float(right))
            case Logic(operator=operator, left=left, right=right):
                a, b = self.condition(left), self.condition(right)
                return self.builder.emit(operator, with_same_shape(I1, self.type), (a, b))
        raise TypeError(f"{node} is a number, not a condition")

    def integer(self, node: ExpressionNode, type_: Type) -> Value:
        """Returns the node as an integer of the type. The node has names, integer literals and + - * only."""
        match node:
            case Literal(value=value) if value.denominator == 1:
                return int_constant(int(value), type_)
            case Name(name=name) if is_int(self.env[name].type):
                return self.env[name]
            case Negate(operand=operand):
                return self.builder.sub(int_constant(0, type_), self.integer(operand, type_))
            case Arithmetic(operator=operator, left=left, right=right) if operator in _INT_OPCODES:
                a, b = self.integer(left, type_), self.integer(right, type_)
                return self.builder.int_op(_INT_OPCODES[operator], a, b)
        raise TypeError(f"{node} is not an integer")

    def _converted(self, value: Value) -> Value:
        """Returns an operand as floating point; a scalar beside vectors is copied to all lanes."""
        wanted: Type = self.type if isinstance(value.type, VectorType) else scalar(self.type)
        if is_float(value.type):
            value = self.builder.resize_float(value, wanted)
        elif isinstance(value, ConstantInt):
            value = exact_constant(Fraction(value.value), wanted)
        else:
            value = self.builder.cast("sitofp", value, wanted)
        return value if value.type == self.type else self._splat(value)

    def _splat(self, value: Value) -> Value:
        assert isinstance(self.type, VectorType)
        if isinstance(value, ConstantFloat):
            return ConstantSplat(self.type, value)
        return self.builder.splat(value, self.type)

    def _integer_type(self, function: ExpressionFunction, arguments: tuple[ExpressionNode, ...]) -> Type | None:
        """Returns the type of the integer operand: the type of the names in it, else that of C's prototype."""
        if "i" not in function.params:
            return None
        used = nodes.names(arguments[function.params.index("i")])
        types = {self.env[name].type for name in used if is_int(self.env[name].type)}
        return types.pop() if types else I64 if function.name == "scalbln" else I32

    def _call(self, function: ExpressionFunction, arguments: tuple[ExpressionNode, ...]) -> Value:
        integer = self._integer_type(function, arguments)
        operands: list[Value] = []
        for kind, argument in zip(function.params, arguments, strict=True):
            if kind == "i":
                assert integer is not None
                operands.append(self.integer(argument, integer))
            else:
                operands.append(self.float(argument))
        if isinstance(self.type, VectorType) and not function.intrinsic:
            return self._lanewise(function, operands)
        return self._call_at(function, operands, self.type, integer)

    def _call_at(self, function: ExpressionFunction, operands: list[Value], type_: Type, integer: Type | None) -> Value:
        assert isinstance(type_, FloatType | VectorType)
        if function.name in RUNTIME:
            assert isinstance(type_, FloatType)
            callee = f"@{RUNTIME_PREFIX}{function.name}{LIBM_SUFFIX[type_.kind]}"
        else:
            callee = function.callee(type_, integer)
        return self.builder.call(callee, type_, operands, CALL_ATTRIBUTES)

    def _lanewise(self, function: ExpressionFunction, operands: list[Value]) -> Value:
        """Emits a call for each lane, since the function has no intrinsic."""
        assert isinstance(self.type, VectorType) and not self.type.scalable
        lanes: list[Value] = []
        for lane in range(self.type.count):
            parts = [self.builder.lane(o, lane) if isinstance(o.type, VectorType) else o for o in operands]
            lanes.append(self._call_at(function, parts, self.type.element, None))
        return self.builder.vector(self.type, lanes)


# ----------------------------------------------------------------------------------------------- constants of any width


def exact_constant(value: Fraction, type_: Type) -> Constant:
    """Returns the floating-point constant nearest to a fraction, correctly rounded also for long double and fp128."""
    if isinstance(type_, VectorType):
        return ConstantSplat(type_, exact_constant(value, type_.element))
    assert isinstance(type_, FloatType)
    precision = _PRECISION.get(type_.kind)
    if precision is None or Fraction(float(value)) == value:
        return float_constant(float(value), type_)
    return ConstantFloat(type_, _spell_wide(value, type_.kind, precision))


_PRECISION = {"x86_fp80": 64, "fp128": 113}


def _spell_wide(value: Fraction, kind: str, precision: int) -> str:
    sign, magnitude = int(value < 0), abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    significand = round(magnitude * Fraction(2) ** (precision - 1 - exponent))
    if significand >> precision:
        significand, exponent = significand >> 1, exponent + 1
    biased = exponent + 16383
    if kind == "x86_fp80":
        return f"0xK{(sign << 15) | biased:04X}{significand:016X}"
    bits = (sign << 127) | (biased << 112) | (significand - (1 << (precision - 1)))
    return f"0xL{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"


__all__ = ["FACTOR", "OPERAND_NAMES", "Expression", "exact_constant"]
