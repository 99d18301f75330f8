"""A built function: its interface, and its entry points, each of which is built when it is first asked for."""

from __future__ import annotations

import ctypes
import os
import pickle
import shutil
import threading
from dataclasses import dataclass, field
from pathlib import Path

from .cache import Cache, CacheEntry, current, tools_identity
from .interface import Interface
from .sources import BuildRequest, ObjectFiles
from .wrapper import EntryForm, Slot, slots

_INTERFACE = "interface.pickle"


@dataclass(frozen=True)
class EntryPoint:
    """An entry point in memory. `address` is that of `int symbol(void *const *buffers, const int64_t *sizes)`.

    `message` is the address of `const char *(void)`, the text of the last C++ exception of the calling thread.
    """

    form: EntryForm
    path: str
    symbol: str
    address: int
    message: int
    slots: tuple[Slot, ...]


@dataclass
class Compiled:
    """A built function. Its methods may be called from many threads."""

    request: BuildRequest
    interface: Interface
    verbose: bool
    _cache: Cache
    _entry: CacheEntry
    _objects: ObjectFiles
    _points: dict[EntryForm, EntryPoint] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def entry_point(self, kind: str, width: int = 1) -> EntryPoint:
        """Returns an entry point: primal, vjp, jvp or hvp. Builds it where it is not in the cache.

        Raises `CompileError` if the derivative cannot be made.
        """
        form = EntryForm(kind, width)
        found = self._points.get(form)
        if found is None:
            with self._lock:
                found = self._points.get(form) or self._points.setdefault(form, self._load(form))
        return found

    @property
    def cache_folder(self) -> str:
        """The folder that `ENZYME_CC_CACHE` must name for another process to find what this one builds."""
        return str(self._cache.folder.parent)

    def path(self, kind: str, width: int = 1) -> str:
        """Returns the path of the shared library with this entry point. It stays valid while this process runs."""
        form = EntryForm(kind, width)
        path = self._entry.file(f"{form.name}.so")
        if not path.exists():
            self._link(form, path)
        return str(path)

    def _load(self, form: EntryForm) -> EntryPoint:
        path = self.path(form.kind, form.width)
        library = ctypes.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_NOW)
        address, message = (
            ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
            for name in (form.symbol, "enzyme_cc_message")
        )
        return EntryPoint(form, path, form.symbol, address, message, slots(self.interface, form.kind))

    def _link(self, form: EntryForm, path: Path) -> None:
        from . import compilation
        from .progress import building

        with self._cache.building([str(path)]):
            if path.exists():
                return
            folder = self._cache.new_folder()
            try:
                with building(f"{form.kind} of {self.request.name}", self.verbose) as show:
                    made = folder / path.name
                    compilation.link(
                        self.request, self._objects, self.interface, form, made, compilation.Toolchain(show)
                    )
                os.rename(made, path)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        self._cache.shrink()


def compiled(request: BuildRequest, verbose: bool = False) -> Compiled:
    """Returns the built function, from the cache or from the compilers. Raises `CompileError` and `SignatureError`."""
    cache, words = current(), [tools_identity(), *request.words]
    entry = cache.find(words)
    if entry is None:
        with cache.building(words):
            entry = cache.find(words) or _build(request, cache, words, verbose)
    with open(entry.file(_INTERFACE), "rb") as file:
        interface, objects = pickle.load(file)
    return Compiled(request, interface, verbose, cache, entry, objects.at(str(entry.folder)))


def _build(request: BuildRequest, cache: Cache, words: list[str], verbose: bool) -> CacheEntry:
    from . import compilation
    from .progress import building

    folder = cache.new_folder()
    try:
        with building(request.name, verbose) as show:
            objects = compilation.compile_sources(request, folder, compilation.Toolchain(show))
            interface = compilation.read_interface(request, objects)
        (folder / _INTERFACE).write_bytes(pickle.dumps((interface, objects.relative_to(str(folder)))))
        return cache.add(words, objects.read, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        cache.shrink()
