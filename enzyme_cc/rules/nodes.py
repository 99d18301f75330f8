"""The syntax tree of derivative expressions: its nodes, the parser, and constant folding.

The grammar has names, numbers, `+ - * /`, unary minus, comparisons, `and`, `or`, `not`, `where(condition, a, b)`, and
calls of math functions by their C names. Numbers are exact fractions, so constants are exact for long double too.
"""

from __future__ import annotations

import ast
from fractions import Fraction

from msgspec import Struct


class Literal(Struct, frozen=True):
    value: Fraction


class Name(Struct, frozen=True):
    name: str


class Negate(Struct, frozen=True):
    operand: ExpressionNode


class Arithmetic(Struct, frozen=True):
    operator: str  # "+", "-", "*", "/"
    left: ExpressionNode
    right: ExpressionNode


class Compare(Struct, frozen=True):
    """A comparison. `predicate` is LLVM's name: ordered predicates, and `une` for `!=`, so NaN compares as in C."""

    predicate: str
    left: ExpressionNode
    right: ExpressionNode


class Logic(Struct, frozen=True):
    operator: str  # "and", "or"
    left: ExpressionNode
    right: ExpressionNode


class Where(Struct, frozen=True):
    """A select: both alternatives are evaluated."""

    condition: ExpressionNode
    yes: ExpressionNode
    no: ExpressionNode


class Call(Struct, frozen=True):
    function: str
    arguments: tuple[ExpressionNode, ...]


ExpressionNode = Literal | Name | Negate | Arithmetic | Compare | Logic | Where | Call

#: irrational constants to 60 digits: more than fp128 holds
CONSTANTS = {
    "pi": Fraction("3.14159265358979323846264338327950288419716939937510582097494"),
    "ln2": Fraction("0.693147180559945309417232121458176568075500134360255254120680"),
    "ln10": Fraction("2.30258509299404568401799145468436420760110148862877297603333"),
    "two_over_sqrt_pi": Fraction("1.12837916709551257389615890312154517168810125865799771368817"),
}
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_PREDICATES: dict[type[ast.cmpop], str] = {
    ast.Lt: "olt", ast.LtE: "ole", ast.Gt: "ogt", ast.GtE: "oge", ast.Eq: "oeq", ast.NotEq: "une"
}  # fmt: skip
#: predicate → its negation, also for NaN
_INVERSE = {"olt": "uge", "ole": "ugt", "ogt": "ule", "oge": "ult", "oeq": "une", "une": "oeq"}
ZERO, ONE = Literal(Fraction(0)), Literal(Fraction(1))


def parse(text: str) -> ExpressionNode:
    """Returns the tree of an expression. Raises ValueError if the text is not in the grammar."""
    return _convert(ast.parse(text.strip(), mode="eval").body)


def _convert(node: ast.expr) -> ExpressionNode:
    match node:
        case ast.Constant(value=int() | float()):
            return Literal(Fraction(ast.unparse(node)))
        case ast.Name(id=name):
            return Literal(CONSTANTS[name]) if name in CONSTANTS else Name(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return negate(_convert(operand))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _invert(_convert(operand))
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            return arithmetic(_OPERATORS[type(operator)], _convert(left), _convert(right))
        case ast.Compare(left=left, ops=[comparison], comparators=[right]) if type(comparison) in _PREDICATES:
            return Compare(_PREDICATES[type(comparison)], _convert(left), _convert(right))
        case ast.BoolOp(op=joined, values=[first, *others]):
            out = _convert(first)
            for other in others:
                out = Logic("and" if isinstance(joined, ast.And) else "or", out, _convert(other))
            return out
        case ast.Call(func=ast.Name(id="where"), args=[condition, yes, no], keywords=[]):
            return Where(_convert(condition), _convert(yes), _convert(no))
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]):
            return Call(function, tuple(map(_convert, arguments)))
    raise ValueError(f"not in the language of derivative expressions: {ast.unparse(node)}")


def _invert(node: ExpressionNode) -> ExpressionNode:
    match node:
        case Compare(predicate=predicate, left=left, right=right):
            return Compare(_INVERSE[predicate], left, right)
        case Logic(operator=operator, left=left, right=right):
            return Logic("or" if operator == "and" else "and", _invert(left), _invert(right))
    raise ValueError("`not` needs a condition")


def negate(node: ExpressionNode) -> ExpressionNode:
    match node:
        case Literal(value=value):
            return Literal(-value)
        case Negate(operand=operand):
            return operand
    return Negate(node)


def arithmetic(operator: str, left: ExpressionNode, right: ExpressionNode) -> ExpressionNode:
    """Returns `left operator right`, simplified: literals are folded exactly, neutral elements dropped."""
    match operator, left, right:
        case ("+", Literal(value=a), Literal(value=b)):
            return Literal(a + b)
        case ("-", Literal(value=a), Literal(value=b)):
            return Literal(a - b)
        case ("*", Literal(value=a), Literal(value=b)):
            return Literal(a * b)
        case ("/", Literal(value=a), Literal(value=b)):
            return Literal(a / b)
        case ("*", Literal(value=a), _) if a == 0:
            return ZERO
        case (("*" | "/"), _, Literal(value=b)) if b == 1:
            return left
        case ("*", Literal(value=a), _) if a == 1:
            return right
        case (("+" | "-"), _, Literal(value=b)) if b == 0:
            return left
        case ("+", Literal(value=a), _) if a == 0:
            return right
        case ("-", Literal(value=a), _) if a == 0:
            return negate(right)
    return Arithmetic(operator, left, right)


def children(node: ExpressionNode) -> tuple[ExpressionNode, ...]:
    match node:
        case Negate(operand=operand):
            return (operand,)
        case Arithmetic(left=left, right=right) | Compare(left=left, right=right) | Logic(left=left, right=right):
            return (left, right)
        case Where(condition=condition, yes=yes, no=no):
            return (condition, yes, no)
        case Call(arguments=arguments):
            return arguments
    return ()


def names(node: ExpressionNode) -> frozenset[str]:
    """Returns the names of the values in the expression."""
    if isinstance(node, Name):
        return frozenset([node.name])
    return frozenset().union(*map(names, children(node)))


def substitute(node: ExpressionNode, replacement: dict[str, ExpressionNode]) -> ExpressionNode:
    """Returns the expression with names replaced."""
    match node:
        case Name(name=name):
            return replacement.get(name, node)
        case Negate(operand=operand):
            return negate(substitute(operand, replacement))
        case Arithmetic(operator=operator, left=left, right=right):
            return arithmetic(operator, substitute(left, replacement), substitute(right, replacement))
        case Compare(predicate=predicate, left=left, right=right):
            return Compare(predicate, substitute(left, replacement), substitute(right, replacement))
        case Logic(operator=operator, left=left, right=right):
            return Logic(operator, substitute(left, replacement), substitute(right, replacement))
        case Where(condition=condition, yes=yes, no=no):
            return Where(*(substitute(part, replacement) for part in (condition, yes, no)))
        case Call(function=function, arguments=arguments):
            return Call(function, tuple(substitute(argument, replacement) for argument in arguments))
    return node


_SYMBOLS = {"olt": "<", "ole": "<=", "ogt": ">", "oge": ">=", "oeq": "==", "une": "!="}


def text(node: ExpressionNode) -> str:
    """Returns the expression in the form of a row, for diagnostics."""
    match node:
        case Literal(value=value):
            return str(value) if value.denominator < 1000 else repr(float(value))
        case Name(name=name):
            return name
        case Negate(operand=operand):
            return f"-{_part(operand)}"
        case Arithmetic(operator=operator, left=left, right=right):
            return f"{_part(left)} {operator} {_part(right)}"
        case Compare(predicate=predicate, left=left, right=right):
            symbol = _SYMBOLS.get(predicate)
            return f"{_part(left)} {symbol} {_part(right)}" if symbol else f"not {text(_invert_unordered(node))}"
        case Logic(operator=operator, left=left, right=right):
            return f"{_part(left)} {operator} {_part(right)}"
        case Where(condition=condition, yes=yes, no=no):
            return f"where({text(condition)}, {text(yes)}, {text(no)})"
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(map(text, arguments))})"


def _part(node: ExpressionNode) -> str:
    return f"({text(node)})" if isinstance(node, Arithmetic | Compare | Logic | Negate) else text(node)


def _invert_unordered(node: Compare) -> Compare:
    ordered = next(predicate for predicate, inverse in _INVERSE.items() if inverse == node.predicate)
    return Compare(ordered, node.left, node.right)
