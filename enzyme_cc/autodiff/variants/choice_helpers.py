"""Functions, made as text, that traced functions call: they draw numbers, and read and write traces.

They carry no derivatives: each is registered as inactive. The exception is the function that a choice passes through,
which has a registered gradient.
"""

from __future__ import annotations

from ...analysis.callees import plain_name
from ...ir.constants import GlobalRef
from ...ir.module import Module, global_name
from ...ir.types import FloatType, Type, alloc_size, is_pointer
from ...ir.values import Function, Instruction
from ...report.diagnostics import EnzymeError
from ...rules import trace_interface as interface
from ...rules.trace_interface import INSERT_GRADIENT

_INACTIVE = "@__enzyme_inactivefn_{stem} = constant [1 x ptr] [ptr {name}]\n"
_DRAWING = """
define internal {type} {name}({parameters}) noinline {{
  %x = call {type} {sample}({arguments})
  ret {type} %x
}}
"""
_OBSERVING = """
define internal {type} {name}(ptr %observations, ptr %name{parameters}) noinline {{
  %place = alloca {type}, align 8
  %none = icmp eq ptr %observations, null
  br i1 %none, label %draw, label %ask
ask:
  %answer = call {bool} {has}(ptr %observations, ptr %name)
  %is = icmp ne {bool} %answer, 0
  br i1 %is, label %take, label %draw
take:
  %size = call i64 {get}(ptr %observations, ptr %name, ptr %place, i64 {bytes})
  %seen = load {type}, ptr %place, align 8
  ret {type} %seen
draw:
  %x = call {type} {sample}({arguments})
  ret {type} %x
}}
"""
_OBSERVED_CALL = """
define internal ptr {name}(ptr %observations, ptr %name) noinline {{
  %none = icmp eq ptr %observations, null
  br i1 %none, label %no, label %ask
ask:
  %answer = call {bool} {has}(ptr %observations, ptr %name)
  %is = icmp ne {bool} %answer, 0
  br i1 %is, label %take, label %no
take:
  %trace = call ptr {get}(ptr %observations, ptr %name)
  ret ptr %trace
no:
  ret ptr null
}}
"""
_INSERTING = """
define internal void {name}(ptr %trace, ptr %name, double %score, {type} %x) noinline {{
{bits}  call void {insert}(ptr %trace, ptr %name, double %score, ptr %value, i64 {bytes})
  ret void
}}
"""
_RECORDING = """
define internal void {name}(ptr %trace{parameters}, {type} %x) noinline {{
{bits}  call void {insert}(ptr %trace{parameters}, ptr %value, i64 {bytes})
  ret void
}}
"""
_CHOSEN = """
define internal {type} {name}({type} %x, ptr %anchor, i64 %trace, i64 %name) noinline {{
  ret {type} %x
}}

define internal {type} {name}.augmented({type} %x, ptr %anchor, ptr %shadow, i64 %trace, i64 %name) {{
  ret {type} %x
}}

define internal {type} {name}.reverse({type} %y, ptr %anchor, ptr %shadow, i64 %trace, i64 %name, {type} %x) {{
{delivery}  ret {type} %x
}}

@__enzyme_register_gradient_{stem} = constant [3 x ptr] [ptr {name}, ptr {name}.augmented, ptr {name}.reverse]
"""
_DELIVERY = """\
{bits}  %to = inttoptr i64 %trace to ptr
  %of = inttoptr i64 %name to ptr
  call void {insert}(ptr %to, ptr %of, ptr %value, i64 {bytes})
"""


_TABLE = "@__ez_trace_interface"
_FORWARDING = """
define internal {type} {name}({parameters}) noinline {{
  %table = load ptr, ptr {table}, align 8
  %place = getelementptr ptr, ptr %table, i64 {number}
  %function = load ptr, ptr %place, align 8
{call}}}
"""
_FORWARDED = "  %result = call {extension}{type} %function({parameters})\n  ret {type} %result\n"
#: a table need not have functions that give nothing back
_FORWARDED_IF = """\
  %none = icmp eq ptr %function, null
  br i1 %none, label %done, label %call
call:
  call void %function({parameters})
  br label %done
done:
  ret void
"""


class ChoiceHelpers:
    """The helpers of one module. `text_of_all` is the text of those that were asked for.

    `is_table`: the functions of the interface are those of a table, which the request passes.
    """

    def __init__(self, module: Module, is_table: bool = False) -> None:
        self.module = module
        self.is_table = is_table
        self._ending = ".of_table" if is_table else ""
        self._texts: dict[str, str] = {}
        self._strings: dict[str, GlobalRef] = {}
        self._inactive: set[str] = set()

    @property
    def text_of_all(self) -> str:
        return "".join(self._texts.values())

    def text(self, word: str) -> GlobalRef:
        """Returns the address of a constant string."""
        if word not in self._strings:
            name = self.module.fresh_name("@__ez_text.call")
            self.module.add_global(f'{name} = private constant [{len(word) + 1} x i8] c"{word}\\00"')
            self._strings[word] = GlobalRef.of(name)
        return self._strings[word]

    def interface(self, word: str, i: Instruction | None) -> str:
        """Returns the name of the program's function. Raises EnzymeError (EZ0217) if the program has none."""
        if self.is_table:
            return self._forwarding(word)
        name = self._found(word)
        if name is None:
            raise EnzymeError.of(
                "EZ0217",
                f"the program has no function {word}",
                location=self.module.source_location(i) if i is not None else None,
                reason="traces are kept by functions of the program",
            )
        if name not in self._inactive:
            self._inactive.add(name)
            self._texts[name] = _INACTIVE.format(stem=plain_name(name), name=name)
        return name

    def _found(self, word: str) -> str | None:
        """Returns the function whose name has the word, and no longer word that begins like it."""
        longer = [w for w in interface.WORDS if w != word and w.startswith(word)]
        names = (n for n in self.module.functions if word in n and not any(w in n for w in longer))
        return next(names, None)

    def _forwarding(self, word: str) -> str:
        """Returns a function that calls the one in the table."""
        self.table()
        type_, types = interface.PROTOTYPES[word]
        parameters = ", ".join(f"{t} %p{k}" for k, t in enumerate(types))
        extension = "zeroext " if type_ == "i1" else ""
        form = _FORWARDED_IF if type_ == "void" else _FORWARDED
        return self._add(
            f"@__ez_forward.{word.removeprefix('__enzyme_')}",
            _FORWARDING,
            type=type_,
            parameters=parameters,
            table=_TABLE,
            number=interface.TABLE.index(word),
            call=form.format(extension=extension, type=type_, parameters=parameters),
        )

    def table(self) -> str:
        """Returns the variable that holds the address of the table while a request is under way."""
        self._texts.setdefault(_TABLE, f"\n{_TABLE} = internal thread_local global ptr null, align 8\n")
        return _TABLE

    def constant_density(self, density: Function) -> str:
        """Returns the log-density as a function without a derivative."""
        numbers = ", ".join(f"{t} %p{k}" for k, t in enumerate(density.type.params))
        name, words = f"@__ez_constant.{plain_name(density.name)}", {"parameters": numbers, "arguments": numbers}
        return self._add(name, _DRAWING, type=density.type.result, sample=density.name, **words)

    def drawing(self, sample: Function) -> str:
        name = f"@__ez_draw.{plain_name(sample.name)}"
        numbers = [f"{t} %p{k}" for k, t in enumerate(sample.type.params)]
        joined = ", ".join(numbers)
        return self._add(
            name, _DRAWING, type=sample.type.result, parameters=joined, sample=sample.name, arguments=joined
        )

    def observing(self, i: Instruction, sample: Function) -> str:
        numbers = [f"{t} %p{k}" for k, t in enumerate(sample.type.params)]
        has = self.interface(interface.HAS_CHOICE, i)
        return self._add(
            f"@__ez_observe.{plain_name(sample.name)}",
            _OBSERVING,
            type=sample.type.result,
            parameters="".join(f", {number}" for number in numbers),
            bool=self._answer(has),
            has=has,
            get=self.interface(interface.GET_CHOICE, i),
            bytes=alloc_size(sample.type.result),
            sample=sample.name,
            arguments=", ".join(numbers),
        )

    def observed_call(self, i: Instruction) -> str:
        has = self.interface(interface.HAS_CALL, i)
        get = self.interface(interface.GET_TRACE, i)
        return self._add("@__ez_observed_call", _OBSERVED_CALL, bool=self._answer(has), has=has, get=get)

    def _answer(self, has: str) -> object:
        """The type of the answer to a question: programs declare int or bool."""
        return "i1" if self.is_table else self.module.functions[has].type.result

    def inserting(self, i: Instruction, type_: Type) -> str:
        return self._add(
            f"@__ez_insert.{type_}",
            _INSERTING,
            type=type_,
            bits=_as_pointer(type_),
            insert=self.interface(interface.INSERT_CHOICE, i),
            bytes=alloc_size(type_),
        )

    def has(self, word: str) -> bool:
        """True if the program has this function of the interface."""
        return self.is_table or self._found(word) is not None

    def recording(self, word: str, type_: Type) -> str:
        """Returns the function that gives an argument or a result to the program's function for them."""
        return self._add(
            f"@__ez_record.{word.removeprefix('__enzyme_')}.{type_}",
            _RECORDING,
            type=type_,
            parameters=", ptr %name" if word == interface.INSERT_ARGUMENT else "",
            bits=_as_pointer(type_),
            insert=self.interface(word, None),
            bytes=alloc_size(type_),
        )

    def chosen(self, type_: FloatType, traced: bool, word: str = INSERT_GRADIENT) -> str:
        """Returns the function that a choice passes through. It delivers the derivative if there is a trace.

        With another `word`, what passes through is an argument.
        """
        delivery = ""
        if traced and self.has(word):
            insert = self.interface(word, None)
            delivery = _DELIVERY.format(bits=_as_pointer(type_), insert=insert, bytes=alloc_size(type_))
        kind = "choice" if word == INSERT_GRADIENT else "argument"
        name = f"@__ez_{kind}.{type_}{'.traced' if delivery else ''}{self._ending}"
        if name not in self.module.functions:
            text = _CHOSEN.format(name=name, stem=plain_name(name), type=type_, delivery=delivery)
            self._texts.setdefault(name, text)
        return name

    def _add(self, name: str, text: str, **words: object) -> str:
        name = global_name(plain_name(name) + self._ending)
        if name not in self.module.functions and name not in self._texts:
            inactive = _INACTIVE.format(stem=plain_name(name), name=name)
            self._texts[name] = text.format(name=name, **words) + inactive
        return name


def _as_pointer(type_: Type) -> str:
    """Returns code that makes the pointer %value of the bits of the number or pointer %x."""
    if is_pointer(type_):
        return "  %value = bitcast ptr %x to ptr\n"
    if isinstance(type_, FloatType):
        whole = f"  %whole = bitcast {type_} %x to i{type_.bits}\n"
        bits, name = type_.bits, "%whole"
    else:
        whole, name, bits = "", "%x", int(str(type_)[1:])
    wide = f"  %wide = {'zext' if bits < 64 else 'bitcast'} i{bits} {name} to i64\n"
    return f"{whole}{wide}  %value = inttoptr i64 %wide to ptr\n"
