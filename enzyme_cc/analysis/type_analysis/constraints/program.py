"""The analysed functions as nodes of the graph: instances of functions, globals, constants, registers.

A small function is analysed once for each call of it: each call site has an *instance*. So a wrapper of malloc, or a
generic copy, does not mix up the data of its callers. A large function has one instance for all its calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType

from msgspec import Struct, field

from ....ir.constants import (
    Constant,
    ConstantAggregate,
    ConstantExpr,
    ConstantInt,
    ConstantSplat,
    ConstantString,
    ConstantWord,
    GlobalRef,
)
from ....ir.graphs import reachable
from ....ir.instructions import ACCESSES, SAME_VALUE, WORD_CASTS
from ....ir.module import Module
from ....ir.target import architecture_of
from ....ir.types import (
    I8,
    ArrayType,
    FloatType,
    IntType,
    NamedStruct,
    PointerType,
    StructType,
    Type,
    VectorType,
    alloc_size,
    field_offsets,
    is_aggregate,
    is_opaque,
    scalar,
    store_size,
    struct_fields,
)
from ....ir.value_edges import BRINGS_NUMBER
from ....ir.values import Argument, Block, Function, GlobalVariable, Instruction, Local, Value
from ....rules.library_functions import DISPATCH
from ...integers.signs import Direction
from ...pointed_functions import PointedFunctions
from ...values.moved_words import MovedWords
from ..declared.debug_types import DebugTypes
from ..declared.hints import Hint, TbaaHints, hint_of_type
from ..declared.tbaa import Tbaa
from ..graph.graph_nodes import Handle, Node
from ..graph.points_to_graph import Graph
from ..kinds import POINTER_TAG, Kind, integer_tag, scalar_tag
from .addresses import address_offset
from .local import LocalFacts, looks_like_float

#: functions with more instructions than this have one instance for all calls: than the second, once there are many
_SMALL, _VERY_SMALL = 100, 30
_MANY_INSTANCES = 300
_DEEP = 10
#: below one call, functions of which there are more instances have none of their own for what they call
_MANY_PATHS = 4
_MANY_ELEMENTS = 5000
#: a function has at most this many shared instances for constants
_MANY_VARIANTS = 16
NO_CONSTANTS: Mapping[Value, ConstantInt] = MappingProxyType({})


class Instance:
    """A function's values in one context. `chain`: the functions whose calls led here, in `paths` ways or more.

    The first call of the chain is one way, whatever else the same function calls.
    """

    __slots__ = (
        "chain", "constants", "function", "local", "paths", "pending", "reached", "registers", "result", "result_view",
        "values", "varargs",
    )  # fmt: skip

    def __init__(self, function: Function, local: LocalFacts, chain: frozenset[str], paths: int) -> None:
        self.function = function
        self.local = local
        self.chain = chain
        self.paths = paths
        self.values: dict[Value, Handle | None] = {}
        self.registers: dict[Value, Node] = {}
        self.pending: dict[Value, Node] = {}
        self.constants: dict[Value, ConstantInt] = {}  # arguments of the one call
        self.reached: frozenset[Block] | None = None  # blocks that run with these constants; None: all
        self.result_view = Node("result")
        self.result = Node("result", is_register=True)
        self.varargs = Node("variable arguments")


class IndirectCall(Struct, eq=False):
    """A call through a pointer. `found` names the functions that it was found to reach so far.

    `dispatcher` is the engine's dispatching function, if the call goes through one. `is_unresolved`: the graph did not
    tell what the pointer is, so that all candidates were found.
    """

    instance: Instance
    instruction: Instruction
    pointer: Value
    arguments: list[Value]
    dispatcher: Function | None
    found: set[str] = field(default_factory=set)
    is_unresolved: bool = False


class Program:
    """All instances, and the nodes they share."""

    def __init__(
        self,
        module: Module,
        functions: Iterable[Function],
        roots: Iterable[str] | None,
        pointed: PointedFunctions | None = None,
    ) -> None:
        self.module = module
        self.graph = Graph()
        self.tbaa = Tbaa(module)
        self.hints = TbaaHints(self.tbaa)
        self.functions = {f.name: f for f in functions}
        names = frozenset(self.functions)
        self.locals = {f.name: LocalFacts(f, names) for f in self.functions.values()}
        if any(local.takes_off_tags for local in self.locals.values()):
            for local in self.locals.values():
                local.follow_tags()
        self.instances: dict[Function, list[Instance]] = {f: [] for f in self.functions.values()}
        self.owner = {a: f for f in self.functions.values() for a in f.arguments}
        self.queue: list[Instance] = []
        self.indirect: list[IndirectCall] = []
        self._shared: dict[tuple[Function, tuple[tuple[Value, ConstantInt], ...]], Instance] = {}
        self._sizes = {f: sum(len(b.instructions) for b in f.blocks) for f in self.functions.values()}
        self._rooted: set[Function] = set()
        self._budget = 40_000 + 6 * sum(self._sizes.values())
        self._instances = 0  # of calls
        self._globals: dict[str, Node] = {}
        self._pointed = pointed
        self._mentioned: dict[Function, set[str]] = {}
        self.debug_types = DebugTypes(module.metadata, Kind(architecture_of(module.head).long_double))
        self._declared: dict[Function, list[tuple[Local, Hint]]] = {}
        self.roots = None if roots is None else frozenset(roots)
        self.moved_words = MovedWords(self.functions, self.owner)

    def instances_of(self, value: Value) -> list[Instance]:
        """Returns the contexts in which the value exists."""
        if isinstance(value, Argument):
            function = self.owner.get(value)
            return self.instances.get(function, []) if function is not None else []
        block = value.block if isinstance(value, Instruction) else None
        if block is None or block.function is None:
            return []
        found = self.instances.get(block.function, [])
        return [i for i in found if i.reached is None or block in i.reached]

    def forget(self) -> None:
        """Clears all nodes."""
        instances = [instance for found in self.instances.values() for instance in found]
        views = [h.node for i in instances for h in i.values.values() if h is not None]
        registers = [register for i in instances for register in i.registers.values()]
        for node in list(reachable([*views, *registers, *self._globals.values()], Node.linked)):
            node.clear()

    def declared(self, function: Function) -> list[tuple[Local, Hint]]:
        """Returns what debug information says of memory behind the function's pointers."""
        found = self._declared.get(function)
        if found is None:
            found = self._declared[function] = list(dict.fromkeys(self.debug_types.hints(function)))
        return found

    # -- instances

    def instance_for_call(
        self, function: Function, caller: Instance, constants: Mapping[Value, ConstantInt], alone: bool
    ) -> tuple[Instance, bool]:
        """Returns the instance for a call, and whether it is the call's own.

        `constants`: arguments of the call. `alone`: it reaches few other functions.
        """
        size = self._sizes[function]
        small = _SMALL if self._instances < _MANY_INSTANCES else _VERY_SMALL
        is_small = size <= min(small, self._budget)
        alone = alone and self.locals[function.name].tells_calls_apart
        is_apart = alone and is_small and caller.paths <= _MANY_PATHS
        if not (is_apart and function.name not in caller.chain and len(caller.chain) < _DEEP):
            return self.shared(function, constants), False
        self._budget -= size
        self._instances += 1
        is_first = len(caller.chain) == 1
        paths = 1 if is_first else caller.paths * caller.local.calls_of(function.name)
        instance = self._new(function, caller.chain | {function.name}, paths)
        instance.constants.update(constants)
        return instance, True

    def shared(self, function: Function, constants: Mapping[Value, ConstantInt] = NO_CONSTANTS) -> Instance:
        """Returns the instance of all calls without their own one. There is one for each set of deciding constants."""
        deciding = [(a, constants[a]) for a in self.locals[function.name].deciding if a in constants]
        key = function, tuple(deciding)
        found = self._shared.get(key)
        if found is None and len([f for f, told in self._shared if f is function and told]) >= _MANY_VARIANTS:
            key = function, ()
            found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self._new(function, frozenset([function.name]), 1)
            found.constants.update(key[1])
            for argument in function.arguments:
                if isinstance(argument.type, PointerType):
                    found.values[argument] = Handle(Node(f"argument {argument.index} of {function.name}"))
        return found

    def root(self, function: Function) -> None:
        """Enters that code which is not analysed may call the function."""
        self._rooted.add(function)
        instance = self.shared(function)
        for argument in function.arguments:
            if isinstance(argument.type, PointerType):
                handle = instance.values[argument]
                assert handle is not None
                self.graph.mark_external(handle.node)
            elif not isinstance(argument.type, FloatType):
                self.graph.mark_external(self.register(instance, argument))

    def passed_arguments(self) -> list[Node]:
        """Returns what pointers and words point at that other code passes to the root functions.

        Derivatives of others are called by analysed code alone: other code that has their address calls the primal.
        """
        found = []
        roots = (f for f in self._rooted if self.roots is None or f.name in self.roots)
        for instance in map(self.shared, roots):
            handles = (instance.values.get(argument) for argument in instance.function.arguments)
            registers = (instance.registers.get(argument) for argument in instance.function.arguments)
            found += [handle.node.find() for handle in handles if handle is not None]
            found += [register.find() for register in registers if register is not None]
        return found

    def escaped(self) -> list[Function]:
        """Returns functions whose address external code has: it may call them with anything (callbacks, requests)."""
        names = [n for n, node in self._globals.items() if node.find().external and n in self.functions]
        return [self.functions[n] for n in names if self.functions[n] not in self._rooted]

    def _new(self, function: Function, chain: frozenset[str], paths: int) -> Instance:
        instance = Instance(function, self.locals[function.name], chain, paths)
        self.instances[function].append(instance)
        self.queue.append(instance)
        return instance

    def is_dispatcher(self, function: Function) -> bool:
        """Returns whether the engine made the function: it calls whichever function its first argument is."""
        return DISPATCH in function.name

    def mentioned(self, function: Function) -> set[str]:
        """Returns the functions that a function calls, or whose address it has as an operand."""
        if function not in self._mentioned:
            names = {o.name for i in function.instructions() for o in i.operands if isinstance(o, GlobalRef)}
            self._mentioned[function] = names & self.functions.keys()
        return self._mentioned[function]

    def candidates(self, call: IndirectCall) -> set[str]:
        """Returns all functions that a call through a pointer could reach as far as anybody knows."""
        if call.dispatcher is None:
            if self._pointed is None:
                self._pointed = PointedFunctions.read(str(self.module), self.module)
            return self.functions.keys() & self._pointed.types.keys()
        callees = (i.callee for i in call.dispatcher.instructions() if i.opcode == "call")
        return {callee.name for callee in callees if isinstance(callee, GlobalRef)}

    # -- pointers

    def handle(self, instance: Instance, value: Value) -> Handle | None:
        """Returns where a pointer points; None for null, undef and other constants without memory."""
        if isinstance(value, Local):
            if value in instance.values:
                return instance.values[value]
            node = instance.pending[value] = Node()
            instance.values[value] = Handle(node)
            return instance.values[value]
        return self.constant_handle(value)

    def define(self, instance: Instance, value: Value, handle: Handle | None) -> None:
        pending = instance.pending.pop(value, None)
        if pending is not None:
            self.graph.points(pending, handle)
            return
        instance.values[value] = handle

    def constant_handle(self, value: Value) -> Handle | None:
        if isinstance(value, GlobalRef):
            return Handle(self.global_node(value.name))
        if isinstance(value, ConstantExpr) and value.operands:
            return self._expression_handle(value)
        if isinstance(value, ConstantWord):
            return None
        return Handle(self.unknown("a constant"))

    def _expression_handle(self, value: ConstantExpr) -> Handle | None:
        base = self.constant_handle(value.operands[0])
        if value.opcode == "getelementptr" and value.source is not None and base is not None:
            return base.moved(0, 0)._replace(offset=base.offset + address_offset(value.source, value.operands[1:])[0])
        if value.opcode in WORD_CASTS or value.opcode in SAME_VALUE:
            return base
        return Handle(self.unknown("a constant"))

    def moved(
        self, base: Handle | None, offset: int, stride: int, direction: Direction = Direction.EITHER
    ) -> Handle | None:
        if base is None:
            return None
        moved = base.moved(0, stride, direction)
        return moved._replace(offset=moved.offset + offset)

    def unknown(self, label: str) -> Node:
        """Returns memory of which nothing is known, and which any code may access."""
        node = Node(label)
        node.external = True
        return node

    # -- globals

    def global_node(self, name: str) -> Node:
        found = self._globals.get(name)
        if found is not None:
            return found.find()
        node = self._globals[name] = Node(name)
        if name in self.module.functions:
            node.function = name
            return node
        variable = self.module.globals.get(name)
        if variable is None:
            node.external = True
            return node
        if variable.alias and variable.initializer is not None:
            target = self.constant_handle(variable.initializer)
            self.graph.points(node, target)
            return node
        node.external = not variable.constant
        node.integers = integers_in(variable.value_type)
        node.is_text = _is_text(variable)
        hint = hint_of_type(variable.value_type)
        if hint is not None:
            self.graph.access(Handle(node), hint)
        if variable.initializer is not None:
            self._initialise(node, 0, variable.initializer, [_MANY_ELEMENTS])
        return node

    def variables(self) -> Iterator[tuple[str, Node]]:
        """Yields the names and nodes of the mutable variables that the functions mention."""
        for name, node in self._globals.items():
            variable = self.module.globals.get(name)
            if variable is not None and not variable.constant and not variable.alias:
                yield name, node.find()

    def _initialise(self, node: Node, at: int, constant: Constant, budget: list[int]) -> None:
        """Enters the pointers in a global's initialiser."""
        budget[0] -= 1
        if budget[0] < 0:
            return
        if isinstance(constant, ConstantAggregate):
            for offset, element in zip(_element_offsets(constant.type), constant.elements, strict=False):
                self._initialise(node, at + offset, element, budget)
        elif isinstance(constant, ConstantString):
            self._note_string(Handle(node, at), constant)
        elif isinstance(constant, GlobalRef | ConstantExpr) and isinstance(constant.type, PointerType):
            pointee = self.graph.pointee(Handle(node, at), POINTER_TAG)
            self.graph.points(pointee, self.constant_handle(constant))

    def _note_string(self, place: Handle, constant: ConstantString) -> None:
        """Enters that text is integers. Other bytes in a string may be anything."""
        if "\\" not in constant.text.replace("\\00", "").replace("\\0A", ""):
            regions = ((0, alloc_size(constant.type), Kind.INTEGER),)
            self.graph.access(place, Hint(regions, None, alloc_size(constant.type)))

    # -- registers: integers and aggregates

    def register(self, instance: Instance, value: Value) -> Node:
        """Returns the node of the value's own bytes."""
        found = instance.registers.get(value)
        if found is None:
            found = Node("register", is_register=True)
            if isinstance(value, Local):
                instance.registers[value] = found
                self.note_leaves(Handle(found), value.type)
            elif isinstance(value, Constant):
                self.note_constant(Handle(found), value)
        return found.find()

    def note_constant(self, place: Handle, value: Constant) -> None:
        """Enters what a constant says of the bytes that it is stored to."""
        if isinstance(value, ConstantInt):
            if not looks_like_float(value):
                self.graph.access(place, integer_tag(value.type, weak=True))
        elif isinstance(value, ConstantString):
            self._note_string(place, value)
        elif isinstance(value, ConstantAggregate):
            for offset, element in zip(_element_offsets(value.type), value.elements, strict=False):
                self.note_constant(place._replace(offset=place.offset + offset), element)
        elif isinstance(value, ConstantSplat):
            self.note_constant(place, value.element)
        elif isinstance(value, GlobalRef | ConstantExpr):
            handle = self.constant_handle(value)
            if handle is not None and (isinstance(value.type, PointerType) or value.opcode == "ptrtoint"):  # type: ignore[union-attr]
                self.graph.points(self.graph.pointee(place, POINTER_TAG), handle)
        elif not isinstance(value, ConstantWord):
            self.note_leaves(place, value.type)

    def note_leaves(self, handle: Handle, type_: Type) -> None:
        """Enters the floating-point numbers and pointers that the type declares."""
        tag = scalar_tag(type_)
        if tag is not None:
            if tag is POINTER_TAG:
                self.graph.pointee(handle, tag)
            else:
                self.graph.access(handle, tag)
        elif isinstance(type_, VectorType) or is_aggregate(type_):
            for offset, element in leaves(type_):
                at = handle._replace(offset=handle.offset + offset)
                self.note_leaves(at, element)

    def needs_register(self, instance: Instance, value: Value) -> bool:
        """Returns whether the value's bytes must be followed: open integers, aggregates, vectors of integers.

        So must doubles that only move, if there are unions of narrower numbers.
        """
        if isinstance(value.type, IntType):
            return instance.local.may_carry_bits(value) if isinstance(value, Local) else True
        if isinstance(value.type, FloatType):
            return self.has_narrow_members and instance.local.is_moved(value)
        return is_aggregate(value.type) or isinstance(value.type, VectorType)

    def is_word(self, instance: Instance, value: Value) -> bool:
        """Returns whether the value is passed and returned as bytes."""
        is_bytes = isinstance(value.type, IntType) or is_aggregate(value.type)
        return is_bytes or (isinstance(value.type, FloatType) and self.needs_register(instance, value))

    @cached_property
    def has_narrow_members(self) -> bool:
        """True if numbers smaller than a double are accessed that may be members of unions, as far as TBAA tells."""
        return any(self._is_narrow_member(i) for f in self.functions.values() for i in f.instructions())

    @cached_property
    def integers_carry_numbers(self) -> bool:
        """True if an integer of less than 8 bytes may carry a number: there are such numbers, or bits are cast."""
        return any(_brings_small_number(i) for f in self.functions.values() for i in f.instructions())

    def _is_narrow_member(self, i: Instruction) -> bool:
        if i.opcode not in ACCESSES:
            return False
        type_ = scalar(i.type if i.opcode == "load" else i.operands[0].type)
        return isinstance(type_, FloatType) and store_size(type_) < 8 and self.tbaa.scalar_access(i) is None


def _brings_small_number(i: Instruction) -> bool:
    """Returns whether an instruction may put a small number into memory, or bits of one into an integer."""
    if i.opcode not in BRINGS_NUMBER:
        return False
    types = {i.type, *(o.type for o in i.operands)}
    if i.opcode == "bitcast" and len({type(scalar(type_)) for type_ in types}) > 1:
        return True
    return any(map(_holds_small_number, types))


@cache
def _holds_small_number(type_: Type) -> bool:
    return any(isinstance(leaf, FloatType) and store_size(leaf) < 8 for _, leaf in leaves(type_))


def _is_text(variable: GlobalVariable) -> bool:
    """Returns whether it has characters that never change, and no number or pointer."""
    is_known = variable.constant and variable.initializer is not None
    return is_known and all(leaf == I8 for _, leaf in leaves(variable.value_type))


def integers_in(type_: Type) -> frozenset[tuple[int, int]] | None:
    """Returns offsets and sizes of the integers in a variable of the type.

    Returns None if the variable has bytes: it may hold anything, as an arena does.
    """
    found = list(leaves(type_))
    if any(leaf == I8 for _, leaf in found):
        return None
    return frozenset((at, store_size(leaf)) for at, leaf in found if isinstance(leaf, IntType))


def leaves(type_: Type, at: int = 0) -> Iterable[tuple[int, Type]]:
    """Yields offset and type of each scalar in an aggregate or vector. Opaque structs count as bytes."""
    if isinstance(type_, ArrayType | VectorType):
        step = alloc_size(type_.element) if isinstance(type_, ArrayType) else store_size(type_.element)
        for k in range(min(type_.count, _MANY_ELEMENTS)):
            yield from leaves(type_.element, at + k * step)
    elif is_opaque(type_):
        yield at, I8
    elif isinstance(type_, StructType | NamedStruct):
        for offset, field in zip(field_offsets(type_), struct_fields(type_), strict=True):
            yield from leaves(field, at + offset)
    else:
        yield at, type_


def _element_offsets(type_: Type) -> Sequence[int]:
    if isinstance(type_, StructType | NamedStruct):
        return field_offsets(type_)
    assert isinstance(type_, ArrayType | VectorType)
    step = alloc_size(type_.element)
    return range(0, step * type_.count, step) if step else [0] * type_.count
