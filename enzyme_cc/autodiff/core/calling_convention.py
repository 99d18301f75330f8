"""The calling convention of derivatives: what each form is passed and what it returns, in which order.

All code that makes or calls derivatives packs and unpacks parameters and results with these types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity
from ...analysis.activity.carriers import Carriers
from ...ir.types import PTR, VOID, FunctionType, StructType, Type
from ...ir.values import Function
from .signature import Form, Signature

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")


class Parameters(Struct, Generic[T_co], frozen=True):
    """The parameters of a derivative, in order: the arena, each argument followed by its shadows, the seeds, the tape.

    - `arguments`: the arguments of the primal.
    - `shadows`: for the number of each DUP argument, its shadow in each direction; in forward mode also the tangent of
      each OUT argument.
    - `seeds`: the adjoint of the result in each direction.
    - `arena`: the memory in which an augmented function allocates its tape.
    - `tape`: the record of the augmented function; a reverse function takes it.
    """

    arguments: Sequence[T_co]
    shadows: Mapping[int, Sequence[T_co]]
    seeds: Sequence[T_co] = ()
    arena: T_co | None = None
    tape: T_co | None = None

    @staticmethod
    def paired(
        activities: Iterable[ArgumentActivity],
        argument: Callable[[int], U],
        shadows: Callable[[int], Sequence[U]],
        form: Form = Form.COMBINED,
    ) -> Parameters[U]:
        """Returns the arguments and the shadows that a form takes; calls the two functions in the order of passing."""
        arguments: list[U] = []
        found: dict[int, Sequence[U]] = {}
        for k, activity in enumerate(activities):
            arguments.append(argument(k))
            if activity in _PASSED_SHADOWS[form]:
                found[k] = shadows(k)
        return Parameters(arguments, found)

    def in_order(self) -> list[T_co]:
        pairs = [value for k, argument in enumerate(self.arguments) for value in (argument, *self.shadows.get(k, ()))]
        return [*_present(self.arena), *pairs, *self.seeds, *_present(self.tape)]

    def unpack(self, values: Iterable[U]) -> Parameters[U]:
        """Returns `values`, given in order, in the structure of this object."""
        rest = iter(values)
        arena = _next(self.arena, rest)
        arguments: list[U] = []
        shadows: dict[int, Sequence[U]] = {}
        for k in range(len(self.arguments)):
            arguments.append(next(rest))
            if k in self.shadows:
                shadows[k] = [next(rest) for _ in self.shadows[k]]
        return Parameters(arguments, shadows, [next(rest) for _ in self.seeds], arena, _next(self.tape, rest))


class Results(Struct, Generic[T_co], frozen=True):
    """The results of a derivative, in order: the tape, the primal's result, its shadows, the adjoints of OUT arguments.

    - `shadows`: the shadow of the result in each direction; in forward mode its tangents.
    - `adjoints`: for the number of each OUT argument, its adjoint in each direction.
    """

    tape: T_co | None = None
    primal: T_co | None = None
    shadows: Sequence[T_co] = ()
    adjoints: Mapping[int, Sequence[T_co]] = field(default_factory=dict)

    def in_order(self) -> list[T_co]:
        adjoints = [value for of_argument in self.adjoints.values() for value in of_argument]
        return [*_present(self.tape), *_present(self.primal), *self.shadows, *adjoints]

    def unpack(self, values: Iterable[U]) -> Results[U]:
        """Returns `values`, given in order, in the structure of this object."""
        rest = iter(values)
        tape, primal = _next(self.tape, rest), _next(self.primal, rest)
        shadows = [next(rest) for _ in self.shadows]
        adjoints = {k: [next(rest) for _ in of_argument] for k, of_argument in self.adjoints.items()}
        return Results(tape, primal, shadows, adjoints)


def _present(value: U | None) -> Iterable[U]:
    return () if value is None else (value,)


def _next(place: object | None, rest: Iterator[U]) -> U | None:
    return None if place is None else next(rest)


class Prototype(Struct, frozen=True):
    """The type of a derivative function, which returns a struct of its results."""

    parameters: Parameters[Type]
    results: Results[Type]

    @property
    def params(self) -> tuple[Type, ...]:
        return tuple(self.parameters.in_order())

    @property
    def result(self) -> Type:
        types = self.results.in_order()
        return StructType(tuple(types)) if types else VOID

    @property
    def type(self) -> FunctionType:
        return FunctionType(self.result, self.params)

    @property
    def places(self) -> Results[int]:
        """The index of each result in the struct."""
        return self.results.unpack(range(len(self.results.in_order())))


def prototype(signature: Signature, form: Form, function: Function, carriers: Carriers) -> Prototype:
    """Returns the derivative's prototype; `function` is the (normalised) primal."""
    directions, result = signature.directions, function.type.result
    types = [argument.type for argument in function.arguments]
    parameters = Parameters.paired(signature.arguments, types.__getitem__, lambda k: [types[k]] * directions, form)
    shadows = [result] * (directions if signature.result in _RETURNED_SHADOWS[form] else 0)
    primal = None if result == VOID else result
    if form in (Form.TANGENT, Form.DEPENDENCE):
        return Prototype(parameters, Results(None, primal, shadows))
    if form is Form.AUGMENTED:
        return Prototype(replace(parameters, arena=PTR), Results(PTR, primal, shadows))
    if signature.result.has_adjoint:
        parameters = replace(parameters, seeds=[carriers.result_type(function) or result] * directions)
    adjoints: dict[int, Sequence[Type]] = {
        k: [carriers.adjoint_type(argument) or argument.type] * directions
        for k, (argument, activity) in enumerate(zip(function.arguments, signature.arguments, strict=True))
        if activity is ArgumentActivity.OUT
    }
    if form is Form.COMBINED:
        return Prototype(parameters, Results(None, primal if signature.wants_result else None, (), adjoints))
    return Prototype(replace(parameters, tape=PTR), Results(adjoints=adjoints))


#: the activities of arguments whose shadow a form takes
_PASSED_SHADOWS: dict[Form, tuple[ArgumentActivity, ...]] = {
    Form.COMBINED: (ArgumentActivity.DUP,),
    Form.REVERSE: (ArgumentActivity.DUP,),
    Form.AUGMENTED: (ArgumentActivity.DUP,),
    Form.TANGENT: (ArgumentActivity.DUP, ArgumentActivity.OUT),
    Form.DEPENDENCE: (ArgumentActivity.DUP, ArgumentActivity.OUT),
}
#: the activities of results whose shadow a form returns
_RETURNED_SHADOWS: dict[Form, tuple[ResultActivity, ...]] = {
    Form.COMBINED: (),
    Form.REVERSE: (),
    Form.AUGMENTED: (ResultActivity.SHADOW, ResultActivity.BOTH),
    Form.TANGENT: (ResultActivity.SHADOW, ResultActivity.ACTIVE, ResultActivity.BOTH),
    Form.DEPENDENCE: (ResultActivity.SHADOW, ResultActivity.ACTIVE, ResultActivity.BOTH),
}
