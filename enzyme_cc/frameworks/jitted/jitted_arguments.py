"""The arguments of a jitted function: what Numba passes for each type, and which of it carries a derivative."""

from __future__ import annotations

from collections.abc import Iterator

from llvmlite import ir
from msgspec import Struct
from numba.core import types
from numba.core.base import BaseContext

from enzyme_cc.functions.errors import SignatureError

#: of the words that Numba passes for an array, the one that points at its numbers
_DATA = 4
#: types whose values hold no number with a derivative
_CONSTANTS = (
    types.Integer,
    types.Boolean,
    types.NoneType,
    types.Omitted,
    types.UnicodeType,
    types.Literal,
    types.EnumMember,
    types.Callable,
    types.SliceType,
)


class ArgumentLeaf(Struct, frozen=True):
    """One number, array or constant in the arguments.

    `expression` is its Python expression in a function whose arguments are `args`. `words` are the C types of what
    Numba passes for it. `number` is the C type of its floating-point numbers, None for a constant; a complex number is
    two of them.
    """

    expression: str
    type: types.Type
    words: tuple[str, ...]
    number: str | None

    @property
    def is_array(self) -> bool:
        """Whether it is an array."""
        return isinstance(self.type, types.Array)

    @property
    def is_complex(self) -> bool:
        """Whether it is complex."""
        return isinstance(self.type.dtype if self.is_array else self.type, types.Complex)

    @property
    def active_words(self) -> tuple[int, ...]:
        """The indices of the words that are, or point at, numbers with a derivative."""
        if self.number is None:
            return ()
        return (_DATA,) if self.is_array else tuple(range(len(self.words)))


def number_type(type_: types.Type) -> str | None:
    """Returns the C type of a floating-point number, and of the parts of a complex one; None for other types."""
    real = type_.underlying_float if isinstance(type_, types.Complex) else type_
    return {types.float64: "double", types.float32: "float"}.get(real)


def contiguous(type_: types.Type) -> types.Type:
    """Returns the type with arrays in C order in place of arrays with any strides."""
    if isinstance(type_, types.Array) and type_.layout == "A" and number_type(type_.dtype):
        return type_.copy(layout="C")
    if isinstance(type_, types.BaseTuple):
        return types.BaseTuple.from_types([contiguous(element) for element in type_], _named(type_))
    return types.unliteral(type_)


def _named(type_: types.BaseTuple) -> type | None:
    return getattr(type_, "instance_class", None) if isinstance(type_, types.BaseNamedTuple) else None


def leaves(context: BaseContext, type_: types.Type, expression: str) -> Iterator[ArgumentLeaf]:
    """Yields the leaves of an argument, in the order in which Numba passes them.

    Raises `SignatureError` for types that may hold numbers and have no shadow, such as lists and records.
    """
    if isinstance(type_, types.BaseTuple):
        for i, element in enumerate(type_):
            yield from leaves(context, element, f"{expression}[{i}]")
        return
    number = number_type(type_.dtype if isinstance(type_, types.Array) else type_)
    if number is None and not _is_constant(type_):
        raise SignatureError(
            f"{expression} has the type {type_}, whose derivative is not supported\n"
            "  remedy: pass numbers, arrays of floating-point or complex numbers, and tuples of these"
        )
    packed = context.get_arg_packer((type_,)).argument_types
    yield ArgumentLeaf(expression, type_, tuple(map(c_type, packed)), number)


def _is_constant(type_: types.Type) -> bool:
    if isinstance(type_, types.Array):
        return isinstance(type_.dtype, _CONSTANTS)
    return isinstance(type_, _CONSTANTS)


def c_type(type_: ir.Type) -> str:
    """Returns the C type of a word that is passed."""
    if isinstance(type_, ir.PointerType):
        return "void *"
    if isinstance(type_, ir.IntType):
        return f"int{max(type_.width, 8)}_t"
    return {ir.DoubleType(): "double", ir.FloatType(): "float"}[type_]
