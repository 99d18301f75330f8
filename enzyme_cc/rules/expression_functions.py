"""Functions that derivative expressions may call, and their names in LLVM IR for each floating-point type."""

from __future__ import annotations

from msgspec import Struct

from ..ir.types import FloatType, IntType, Type, VectorType, scalar

#: attributes of a call without effects; nobody reads the errno of a derivative's calls
CALL_ATTRIBUTES = "nounwind willreturn memory(none)"


class ExpressionFunction(Struct, frozen=True):
    """A math function. `params` has a letter for each operand: f for floating point, i for an integer.

    `intrinsic` is the LLVM intrinsic without `llvm.` and types, or "" if there is none.
    """

    name: str
    params: str = "f"
    intrinsic: str = ""

    def callee(self, type_: FloatType | VectorType, integer: Type | None) -> str:
        """Returns the name to call, with @. `integer` is the type of the integer operand, if there is one."""
        if self.intrinsic:
            suffixes = [type_suffix(type_)] + ([] if integer is None else [type_suffix(integer)])
            return f"@llvm.{self.intrinsic}.{'.'.join(suffixes)}"
        element = scalar(type_)
        assert isinstance(element, FloatType)
        return f"@{self.name}{LIBM_SUFFIX[element.kind]}"


LIBM_SUFFIX = {"float": "f", "double": "", "x86_fp80": "l", "fp128": "f128"}
_INTRINSIC_SUFFIX = {
    "half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "x86_fp80": "f80", "fp128": "f128",
    "ppc_fp128": "ppcf128",
}  # fmt: skip


def type_suffix(type_: Type) -> str:
    """Returns the type as part of an intrinsic's name: f64, v2f32, nxv4f64, i32."""
    if isinstance(type_, VectorType):
        return f"{'nx' if type_.scalable else ''}v{type_.count}{type_suffix(type_.element)}"
    if isinstance(type_, IntType):
        return f"i{type_.bits}"
    assert isinstance(type_, FloatType)
    return _INTRINSIC_SUFFIX[type_.kind]


def _intrinsics(params: str, names: str) -> list[ExpressionFunction]:
    return [ExpressionFunction(name, params, name) for name in names.split()]


_ALL = [
    *_intrinsics("f", "sin cos tan asin acos atan sinh cosh tanh exp exp2 exp10 log log2 log10 sqrt fabs"),
    *_intrinsics("f", "floor ceil trunc rint nearbyint round roundeven"),
    *_intrinsics("ff", "pow atan2 copysign"),
    *_intrinsics("fff", "fma"),
    *_intrinsics("fi", "powi ldexp"),
    ExpressionFunction("fmax", "ff", "maxnum"),
    ExpressionFunction("fmin", "ff", "minnum"),
    *[ExpressionFunction(name) for name in "expm1 log1p cbrt j0 j1 y0 y1".split()],
    ExpressionFunction("hypot", "ff"),
    ExpressionFunction("jn", "if"),
    ExpressionFunction("yn", "if"),
    ExpressionFunction("scalbln", "fi"),
    ExpressionFunction("digamma"),
    ExpressionFunction("polygamma", "if"),
]
FUNCTIONS = {function.name: function for function in _ALL}
#: functions of toolchain/runtime/math.c, by their names in expressions
RUNTIME_PREFIX = "__ez_"
RUNTIME = frozenset(["digamma", "polygamma"])
