"""Makes all derivative functions that the requests of one module need, each signature once."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Iterable

from ...analysis.activity.activity import Activity, ArgumentActivity, GlobalState, ResultActivity
from ...analysis.activity.activity_analysis import ProgramFacts, analyse_activity
from ...analysis.activity.carriers import Carriers
from ...analysis.callees import Callee, CalleeKind, Callees, plain_name
from ...analysis.memory.facts import MemoryFacts
from ...analysis.memory.written_only import WrittenOnly
from ...analysis.references import functions_referenced, mutable_globals_reached
from ...analysis.storage.store_or_recompute import Plan
from ...analysis.type_analysis.analysis import TypeAnalysis
from ...ir.cfg import ControlFlow
from ...ir.module import Module, global_name
from ...ir.types import PTR, VOID, FunctionType
from ...ir.values import (
    Argument,
    Constant,
    Function,
    GlobalRef,
    Value,
)
from ...ir.verify import verify_function, verify_names
from ...report.diagnostics import Diagnostic, EnzymeError
from ...rules.inactive import INACTIVE_GLOBALS
from ...rules.memory_functions import free_of_one_operand
from ...rules.runtime_functions import UNWIND_FREE
from ..analyses.function_analyses import Analysed
from ..answer.tapes import Tapes
from ..custom.custom_derivatives import build_custom, has_custom
from ..emit.mixed_memory import functions_with_mixed_memory
from ..globals import shadows as shadow_globals
from ..globals.pointing import Outside, pointers_of_globals
from ..normalise.demote import demote_mixed_words
from ..normalise.dispatchers import AddressTaken, is_dispatcher
from ..normalise.normalise import normalise
from ..normalise.number_bits import follow_loaded_bits
from ..normalise.variadic import Variadics
from ..normalise.versions import resolve_versions
from ..reverse.build import build_combined, build_failing, build_split
from ..reverse.explain import explain
from ..tangent.tangent_sweep import build_tangent
from .alias_scopes import AliasScopes
from .call_chains import CallChains
from .options import Options
from .own_functions import definition
from .provenance import Provenance
from .registrations import read_registrations
from .signature import Form, Prototype, Signature, prototype

#: what makes each form, and the forms that it makes together
_BUILDERS: dict[Form, tuple[Callable[[Session, Analysed], None], tuple[Form, ...]]] = {
    Form.COMBINED: (build_combined, (Form.COMBINED,)),
    Form.AUGMENTED: (build_split, (Form.AUGMENTED, Form.REVERSE)),
    Form.REVERSE: (build_split, (Form.AUGMENTED, Form.REVERSE)),
    Form.TANGENT: (build_tangent, (Form.TANGENT,)),
}
#: instructions of a function that gains nothing from being inlined
_LARGE = 1000
#: functions of one argument that free; the variants that are given more free the same memory
_FREE = FunctionType(VOID, (PTR,))


class Session:
    """The state of one run of differentiation.

    `source` holds the functions to differentiate, normalised; `output` the module that is returned.
    """

    def __init__(self, text: str, options: Options, provenance: Provenance) -> None:
        self.source = Module.parse(text)
        self.output = Module.parse(text)
        resolve_versions(text, self.source, self.output)
        self.options = options
        self.scopes = AliasScopes(self.output, options.round)
        self.provenance = provenance
        self.registered = read_registrations(self.source)
        inactive = {global_name(name) for name in INACTIVE_GLOBALS.split()}
        inactive |= self.registered.globals
        #: mutable globals whose shadow the program names: it wants their derivatives
        self.declared = frozenset(shadow_globals.with_shadow(self))
        self.state = GlobalState({*self.declared} - inactive, inactive)
        self.callees = Callees(
            self.source,
            frozenset(self.registered.inactive),
            self.registered.custom,
            self.registered.like,
            self.registered.known,
        )
        self.tapes = Tapes(self)
        self.evaluated_again: set[str] = set()  # functions of which tapes keep what they overwrite
        self.virtual_pairs: dict[Signature, GlobalRef] = {}
        self.chains = CallChains()
        self.written_only = WrittenOnly(self.source, self.callees)
        self.targets = AddressTaken(text, self.source)
        self.variadics = Variadics(text, self.source)
        self.globals_of: dict[str, frozenset[str]] = {}
        self.outside = Outside()
        self._names: dict[tuple[Signature, Form], tuple[str, Prototype]] = {}
        self._soft = False  # the function being made is reached through function pointers only
        self._certain: set[Signature] = set()
        self._failed: dict[Signature, EnzymeError] = {}
        self._texts: dict[str, GlobalRef] = {}
        self._queue: deque[tuple[Signature, Form]] = deque()
        self._flows: dict[Function, ControlFlow] = {}
        self._facts: dict[Function, MemoryFacts] = {}
        self._analysed: dict[tuple[Signature, bool], Analysed] = {}
        self._activities: dict[tuple[str, tuple[ArgumentActivity, ...], ResultActivity], Activity] = {}

    # -- preparation

    def prepare(self, roots: Iterable[str], callers: list[Function]) -> None:
        """Parses, normalises and analyses all functions that the roots reach; `callers` call the roots."""
        roots = list(roots)
        reached = self._reach(roots)
        self.globals_of = mutable_globals_reached(self.source, reached)
        functions = dict.fromkeys([self.source.body(name) for name in reached] + callers)
        outside = {*roots, *(caller.name for caller in callers)}
        self.types = TypeAnalysis(self.source, functions, outside)
        if follow_loaded_bits(functions, self.types):
            self.types = TypeAnalysis(self.source, functions, outside)
        while demote_mixed_words(functions, self.types):
            self.types = TypeAnalysis(self.source, functions, outside)
        if self.options.verify:
            for function in functions:
                verify_function(function, "demote_mixed_words and follow_loaded_bits")
        self.carriers = Carriers(self.types)
        self.mixed_functions = functions_with_mixed_memory(self, functions)
        for function in (*self.targets.made(), *self.variadics.made()):
            self.output.add_function(function)
        table = self.targets.table()
        if table is not None:
            self.output.add_global(table)

    def report(self, analysed: Analysed, plan: Plan) -> None:
        """Says on stderr what was active and stored, where the user asked for it."""
        if self.options.explain:
            print(explain(analysed, self.chains.functions(analysed.signature), plan), file=sys.stderr)

    def attributes_of(self, primal: Function) -> str:
        """An attribute group for derivatives of the primal: the target, and nothing said about its effects."""
        texts = [self.output.attributes.get(group, "") for group in re.findall(r"#\d+", primal.suffix)]
        kept = re.findall(
            r'"(?:target|tune|frame-pointer|min-legal|stack|probe|zero-call)[^"]*"(?:="[^"]*")?', " ".join(texts)
        )
        words = [w for w in ("noinline", "nounwind", "uwtable") if any(w in text.split() for text in texts)]
        return self.output.add_attributes(" ".join([*words, *kept])) if kept or words else ""

    def _reach(self, roots: Iterable[str]) -> list[str]:
        order: dict[str, None] = {}
        work = list(roots)
        while work:
            name = work.pop()
            if name in order or not self.callees.has_body(name) or name in self.registered.inactive:
                continue
            order[name] = None
            function = self.source.body(name)
            normalise(self.source, function, self.targets, self.variadics, self.options.verify)
            work.extend(functions_referenced(self.source, function))
        return list(order)

    def explore(self, signatures: Iterable[Signature]) -> None:
        """Finds which globals are active: analyses everything reached until no more turn up."""
        signatures = list(signatures)
        while True:
            before = (len(self.state.active_globals), self.state.constant_pointer_stored)
            self._analysed.clear()
            self._activities.clear()
            seen: set[Signature] = set()
            work = list(signatures)
            while work:
                signature = work.pop()
                if signature in seen or not self._has_made_derivatives(signature.function):
                    continue
                seen.add(signature)
                analysed = self.analysed(signature, False)
                for call in analysed.activity.active_calls:
                    if self.callees.of(call).kind in (CalleeKind.DEFINED, CalleeKind.CUSTOM):
                        work.append(analysed.called(call))
            if before == (len(self.state.active_globals), self.state.constant_pointer_stored):
                break
        self.outside = pointers_of_globals(self, {s.function for s in seen})

    def _has_made_derivatives(self, name: str) -> bool:
        registered = self.registered
        return self.callees.has_body(name) and not (name in registered.gradients and name in registered.derivatives)

    def _no_derivative(self, name: str, form: Form) -> EnzymeError:
        """A derivative is registered, but not for this mode."""
        have, want = ("gradient", "derivative") if form is Form.TANGENT else ("derivative", "gradient")
        return EnzymeError.of(
            "EZ0302",
            f"there is no {want} of {plain_name(name)}, and no bitcode of it",
            function=plain_name(name),
            reason=f"the program registers a {have} of it (__enzyme_register_{have}_…) only",
            remedy=f"register a {want} as well (__enzyme_register_{want}_…)",
        )

    def flow(self, function: Function) -> ControlFlow:
        if function not in self._flows:
            self._flows[function] = ControlFlow(function)
        return self._flows[function]

    def facts(self, function: Function) -> MemoryFacts:
        if function not in self._facts:
            self._facts[function] = MemoryFacts(self.source, function, self.flow(function), self.types)
        return self._facts[function]

    def activity(self, signature: Signature) -> Activity:
        """What is active in the function; the rest of the signature does not matter for it."""
        key = signature.function, signature.arguments, signature.result
        if key not in self._activities:
            function = self.source.body(signature.function)
            self._activities[key], found = analyse_activity(
                function,
                self.flow(function),
                signature.arguments,
                signature.result,
                ProgramFacts(self.callees, self.carriers, self.globals_of),
                self.state,
            )
            self.state.merge(found)
        return self._activities[key]

    def analysed(self, signature: Signature, split: bool) -> Analysed:
        key = signature, split
        if key not in self._analysed:
            self._analysed[key] = Analysed(self, signature, split)
        return self._analysed[key]

    # -- derivative functions

    def derivative(self, signature: Signature, form: Form) -> tuple[str, Prototype]:
        """Name and prototype of a derivative function; it is made later, if it is not there yet."""
        key = signature, form
        self.chains.ask(signature)
        if not self._soft and signature not in self._certain:
            self._certain.add(signature)
            if signature in self._failed:
                raise self._failed[signature]
        if key not in self._names:
            primal = self.source.functions[signature.function]
            name = self.output.fresh_name(f"__ez_{form.value}.{plain_name(signature.function)}")
            self._names[key] = name, prototype(signature, form, primal, self.carriers)
            self.output.declare(name, self._names[key][1].type)
            self._queue.append(key)
        return self._names[key]

    def make_all(self) -> None:
        """Makes every derivative asked for, and those that these ask for.

        A function that is only reached through a function pointer, and cannot be differentiated, ends the program
        when it is: it may well never be. Raises EnzymeError with what is wrong in all others together.
        """
        problems: list[Diagnostic] = []
        done: set[tuple[Signature, tuple[Form, ...]]] = set()
        while self._queue:
            signature, form = self._queue.popleft()
            try:
                with self.chains.making(signature):
                    self._make(signature, form, done)
            except EnzymeError as error:
                problems += error.diagnostics
        if problems:
            raise EnzymeError(problems)

    def _make(self, signature: Signature, form: Form, done: set[tuple[Signature, tuple[Form, ...]]]) -> None:
        if has_custom(self, signature, form):
            build_custom(self, signature, form)
            return
        if not self.callees.has_body(signature.function):
            raise self._no_derivative(signature.function, form)
        build, forms = _BUILDERS[form]
        if (signature, forms) in done:
            return
        done.add((signature, forms))
        analysed = self.analysed(signature, build is build_split)
        self._soft = is_dispatcher(analysed.function) or signature not in self._certain
        try:
            build(self, analysed)
        except EnzymeError as error:
            if signature in self._certain:
                raise
            self._failed[signature] = error
            build_failing(self, analysed, forms)
        finally:
            self._soft = False

    def start(self, signature: Signature, form: Form) -> Function:
        """A derivative function that is still empty."""
        name, proto = self.derivative(signature, form)
        arguments = [Argument(type_, "", "", k) for k, type_ in enumerate(proto.params)]
        primal = self.source.functions[signature.function]
        return Function(name, proto.type, arguments, "internal", self.attributes_of(primal))

    def enter(self, function: Function) -> None:
        """Puts a finished function into the output, with declarations of all it calls.

        A large one is not inlined, though it may be called from one place only: LLVM would optimise it again as a part
        of each function around it, in time quadratic in the length of such chains of calls.
        """
        if sum(len(block.instructions) for block in function.blocks) > _LARGE:
            function.suffix = f"noinline {function.suffix}"
        self.output.add_function(function)
        for i in function.instructions():
            if i.opcode == "call" and isinstance(i.callee, GlobalRef):
                name, type_ = i.callee.name, i.call.function_type
                own = definition(name, type_) if name not in self.output.functions else None
                if own is not None:
                    self.output.add_function(own)
                else:
                    self.output.declare(name, type_)
        if self.options.verify:
            verify_function(function, "differentiation")
            verify_names(self.output, function)

    # -- constants

    def constant_shadow(self, constant: Constant, lane: int = 0, forward: bool = False) -> Value:
        """The shadow of a constant pointer: that of an active global; anything else is its own shadow."""
        return shadow_globals.constant_shadow(shadow_globals.Shadows(self, lane, forward), constant)

    # -- the primal's own functions

    def free_function(self, callee: Callee) -> Value:
        """The function of one argument that frees what this callee frees."""
        name = plain_name(callee.name)
        if callee.known is not None and callee.known.shadow_only:
            return self.library_function(UNWIND_FREE.name)
        return self.library_function(free_of_one_operand(name))

    def plain_free(self) -> Value:
        return self.library_function("free")

    def library_function(self, name: str, type_: FunctionType = _FREE) -> Value:
        symbol = global_name(name)
        self.output.declare(symbol, type_)
        return GlobalRef.of(symbol)

    def text(self, text: str) -> Value:
        """A constant string, for messages at run time."""
        if text not in self._texts:
            escaped = "".join(c if c.isalnum() or c in " _.,()*:" else f"\\{ord(c):02X}" for c in text)
            name = self.output.fresh_name("__ez_text")
            size = len(text.encode()) + 1
            self.output.add_global(f'{name} = private unnamed_addr constant [{size} x i8] c"{escaped}\\00"')
            self._texts[text] = GlobalRef.of(name)
        return self._texts[text]

    def table(self, numbers: list[int]) -> Value:
        """A constant array of i64."""
        name = self.output.fresh_name("__ez_table")
        elements = ", ".join(f"i64 {n}" for n in numbers)
        self.output.add_global(f"{name} = private unnamed_addr constant [{len(numbers)} x i64] [{elements}]")
        return GlobalRef.of(name)
