"""A built function: its interface, and its entry points, each of which is built when it is first asked for."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from enzyme_cc.cache.entries import Cache, CacheEntry, current, remove_tree
from enzyme_cc.cache.tools import tools_identity

from .entry_points import HVP, JVP_OF_JVP, EntryForm, Slot, slots
from .fast_call import loaded
from .interface import Interface
from .sources import BuildRequest, ObjectFiles, is_shared_library

_INTERFACE = "interface.pickle"


class EntryPoint(NamedTuple):
    """An entry point in memory. `address` is that of `int symbol(void *const *buffers, const int64_t *sizes)`.

    `message` is the address of `const char *(void)`, the text of the last C++ exception of the calling thread.
    `libraries` are the files with the variables that it may use. `may_move` is true if another thread may run a call.
    """

    form: EntryForm
    path: str
    symbol: str
    address: int
    message: int
    slots: tuple[Slot, ...]
    libraries: tuple[str, ...]
    may_move: bool


class FlatFunction(NamedTuple):
    """The function under a symbol of its own (`wrapper.flat_source`), in memory, and what a program links for it.

    `driver` is the compiler that links it, `linked` are objects, options and libraries.
    """

    symbol: str
    address: int
    driver: str
    linked: tuple[str, ...]


class Compiled:
    """A built function. Its methods may be called from many threads."""

    def __init__(
        self,
        request: BuildRequest,
        interface: Interface,
        verbose: bool,
        cache: Cache,
        entry: CacheEntry,
        objects: ObjectFiles,
    ) -> None:
        self.request, self.interface, self.verbose = request, interface, verbose
        self._cache, self._entry, self._objects = cache, entry, objects
        self._points: dict[EntryForm, EntryPoint] = {}
        self._lock = threading.Lock()

    def entry_point(self, kind: str, width: int = 1) -> EntryPoint:
        """Returns an entry point: primal, vjp, jvp or hvp. Builds it where it is not in the cache.

        Raises `CompileError` if the derivative cannot be made; `TypeError` for a second derivative of what calls a
        function of Python.
        """
        if kind in (HVP, JVP_OF_JVP) and self._has_callbacks:
            raise TypeError(f"{self.request.name} takes a callback, so it has first derivatives only")
        form = EntryForm(kind, width)
        found = self._points.get(form)
        if found is None:
            with self._lock:
                found = self._points.get(form) or self._points.setdefault(form, self._load(form))
        return found

    @property
    def _has_callbacks(self) -> bool:
        return any(argument.callback is not None for argument in self.interface.arguments)

    @property
    def identity(self) -> str:
        """A hash of the sources, the headers, the options and the tools."""
        return os.path.basename(self._entry.folder)

    @property
    def cache_folder(self) -> str:
        """The folder that `ENZYME_CC_CACHE` must name for another process to find what this one builds."""
        return os.path.dirname(self._cache.folder)

    def path(self, kind: str, width: int = 1) -> str:
        """Returns the path of the shared library with this entry point. It stays valid while this process runs."""
        form = EntryForm(kind, width)
        path = self._entry.file(f"{form.name}.so")
        if not os.path.exists(path):
            self._link(form, path)
        return path

    def _load(self, form: EntryForm) -> EntryPoint:
        path = self.path(form.kind, form.width)
        address, message = loaded(path, form.symbol, "enzyme_cc_message")
        libraries = (path, *filter(is_shared_library, (*self._objects.inputs, *self.request.libraries)))
        may_move = not self._objects.is_thread_bound and not self._has_callbacks
        arguments = slots(self.interface, form.kind)
        return EntryPoint(form, path, form.symbol, address, message, arguments, libraries, may_move)

    def _link(self, form: EntryForm, path: str) -> None:
        from .wrapper import source

        self._make(path, f"{form.kind} of {self.request.name}", source(self.interface, (form,)))

    def flat(self) -> FlatFunction:
        """Returns the function for other compiled code. Raises `CompileError`."""
        from . import compilation
        from .wrapper import flat_source

        if self._has_callbacks:
            raise TypeError(f"{self.request.name} takes a callback: compiled code cannot call it")
        symbol, path = f"enzyme_cc_flat_{self.identity}", self._entry.file("flat.so")
        if not os.path.exists(path):
            self._make(path, self.request.name, flat_source(self.interface, symbol))
        driver, words = compilation.linked(self.request, self._objects, self.interface)
        address, _ = loaded(path, symbol, symbol)
        return FlatFunction(symbol, address, driver, (self._entry.file("flat.o"), *words))

    def _make(self, path: str, title: str, text: str) -> None:
        """Makes a shared library of C source and the function, and the source's object beside it."""
        from . import compilation
        from .progress import building

        with self._cache.building([path]):
            if os.path.exists(path):
                return
            folder = self._cache.new_folder()
            try:
                with building(title, self.verbose) as show:
                    made = os.path.join(folder, os.path.basename(path))
                    compiled, tools = made.removesuffix(".so") + ".o", compilation.Toolchain(show)
                    compilation.compile_text(self._objects, self.interface, text, compiled, tools)
                    compilation.link(self.request, self._objects, self.interface, compiled, made, tools)
                os.rename(compiled, path.removesuffix(".so") + ".o")
                os.rename(made, path)
            finally:
                remove_tree(folder)
        self._cache.shrink()


def remade(of_built: Callable[[Compiled], Any], request: BuildRequest, verbose: bool) -> Any:
    """Returns what `of_built` makes of the function of a request: functions are pickled so."""
    return of_built(compiled(request, verbose))


def compiled(request: BuildRequest, verbose: bool = False) -> Compiled:
    """Returns the built function, from the cache or from the compilers. Raises `CompileError` and `SignatureError`."""
    cache, words = current("functions"), [tools_identity(), *request.words]

    def build(folder: str) -> Sequence[str]:
        return _build(request, folder, verbose)

    entry = cache.find_or_build(words, build)
    with open(entry.file(_INTERFACE), "rb") as file:
        interface, objects = pickle.load(file)
    return Compiled(request, interface, verbose, cache, entry, objects.at(entry.folder))


def _build(request: BuildRequest, folder: str, verbose: bool) -> Sequence[str]:
    from . import compilation
    from .library_variables import variables
    from .progress import building
    from .thread_state import is_thread_bound

    with building(request.name, verbose) as show:
        objects = compilation.compile_sources(request, folder, compilation.Toolchain(show))
        interface = compilation.read_interface(request, objects, lambda: variables(objects.inputs))
        objects = objects._replace(is_thread_bound=is_thread_bound(objects.inputs))
    with open(os.path.join(folder, _INTERFACE), "wb") as file:
        pickle.dump((interface, objects.relative_to(folder)), file)
    return objects.read
