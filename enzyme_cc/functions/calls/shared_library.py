"""`enzyme_cc.library`: functions that share the variables of one library, and these variables as attributes."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from enzyme_cc.cache.entries import CacheEntry, current
from enzyme_cc.cache.tools import tools_identity

from ..fast_call import loaded
from ..library_variables import variables
from ..prototype import LibraryVariable, variable_called
from ..sources import PROJECT, BuildRequest, is_shared_library, words_of
from .function import AnyPath, differentiable

_LIBRARY = "library.so"


def library(
    sources: AnyPath | Iterable[AnyPath],
    target: str = "",
    *,
    flags: str | Iterable[str] = (),
    libraries: Iterable[AnyPath] = (),
    include: Iterable[AnyPath] = (),
    cmake: str | Iterable[str] = (),
    verbose: bool = False,
) -> Library:
    """Makes a shared library of sources, objects and archives, and returns it; or opens one that enzyme-cc linked.

    `sources` may also be the folder of a CMake project. Then `target` is what the library is made of, and `cmake` are
    options of CMake. The other parameters are those of `enzyme_cc.function`. What is built is kept in a cache. Raises
    `CompileError`.
    """
    request = BuildRequest.of(sources, "", None, flags, libraries, include)
    if [source.language for source in request.sources] == [PROJECT]:
        from ..cmake_project import build_target

        options = words_of(cmake)
        entry = build_target(request, target, options, verbose)
        return Library(entry.file(_LIBRARY), request, verbose, entry, target, options)
    if target or cmake:
        raise ValueError("target and cmake are for CMake projects: the source is the project's folder")
    if len(request.sources) == 1 and is_shared_library(request.sources[0].path):
        return Library(request.sources[0].path, request, verbose)

    def build(folder: str) -> Sequence[str]:
        from .. import compilation
        from ..progress import building

        with building("a library", verbose) as show:
            tools = compilation.Toolchain(show)
            objects = compilation.compile_sources(request, folder, tools)
            compilation.link_library(request, objects, os.path.join(folder, _LIBRARY), tools)
        return objects.read

    entry = current("functions").find_or_build(["library", tools_identity(), *request.words], build)
    return Library(entry.file(_LIBRARY), request, verbose, entry)


class Library:
    """A shared library. Its functions and their derivatives use the same variables, which are attributes.

    `lib.params.g` is the variable g of Fortran's module or COMMON block params, or of C++'s namespace; `lib.g` is one
    of C. Numbers are read and set as Python's; an array is a view of NumPy, so its elements can be set, too.
    """

    def __init__(
        self,
        path: str,
        request: BuildRequest,
        verbose: bool,
        entry: CacheEntry | None = None,
        target: str = "",
        cmake: Sequence[str] = (),
    ) -> None:
        self.__dict__.update(path=path, _request=request, _verbose=verbose, _entry=entry, _project=(target, cmake))

    def __reduce__(self) -> Any:
        return _opened, (self._request, self._verbose, *self._project)

    def function(self, name: str, signature: str | None = None, *, debug: bool = False) -> Any:
        """Returns a function of the library: the parameters are those of `enzyme_cc.function`."""
        given = self._request
        request = BuildRequest.of(self.path, name, signature, given.flags, given.libraries, given.include)
        return differentiable(request, self._verbose, debug=debug)

    def constructor(self, name: str, destructor: str | None = None) -> Callable[..., OpaqueHandle]:
        """Returns a function that makes what the library's other functions take as `handle`.

        C's function returns a pointer, and is called with numbers and texts. `destructor` is the function that gets
        the pointer when nothing in Python uses the handle any more.
        """
        loaded(self.path)  # in the way that its own names need
        make, end = ctypes.CDLL(self.path)[name], None if destructor is None else ctypes.CDLL(self.path)[destructor]
        make.restype = ctypes.c_void_p
        if end is not None:
            end.argtypes, end.restype = [ctypes.c_void_p], None

        def construct(*arguments: Any) -> OpaqueHandle:
            made = make(*map(_c_value, arguments))
            if not made:
                raise RuntimeError(f"{name} returned no handle")
            return OpaqueHandle(made, name, end)

        return construct

    # -- variables

    @cached_property
    def variables(self) -> dict[str, LibraryVariable]:
        """The variables of the library, by their names with modules or namespaces."""
        return variables([self.path])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _value_in(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        _set_in(self, name, value)

    def view(self, name: str) -> Any:
        """Returns the memory of a variable as an array of NumPy. `name` has its module: params::g."""
        import numpy

        variable = self.variables[name]
        (address,) = loaded(self.path, variable.symbol)
        shape = tuple(extent or 0 for extent in variable.type.lengths)
        assert variable.type.element is not None
        dtype = variable.type.element.numpy_dtype()
        count = int(numpy.prod(shape, dtype=int))
        memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address + variable.offset)
        return numpy.frombuffer(memory, dtype).reshape(shape, order="F" if variable.is_fortran else "C")

    def __repr__(self) -> str:
        return f"<enzyme_cc.library {self.path}>"


class _Scope:
    """A module, COMMON block or namespace."""

    def __init__(self, library: Library, name: str) -> None:
        self.__dict__.update(_library=library, _name=name)

    def __getattr__(self, name: str) -> Any:
        return _value_in(self._library, f"{self._name}::{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        _set_in(self._library, f"{self._name}::{name}", value)


def _value_in(library: Library, name: str) -> Any:
    if name not in library.variables and any(
        other.startswith(f"{name.lower()}::") for other in map(str.lower, library.variables)
    ):
        return _Scope(library, name)
    view = library.view(_found(library, name))
    return view if view.ndim or view.dtype.fields else view.item()


def _set_in(library: Library, name: str, value: Any) -> None:
    library.view(_found(library, name))[...] = value


def _found(library: Library, name: str) -> str:
    """Returns the full name of a variable."""
    try:
        return variable_called(name, library.variables).name
    except LookupError as error:
        raise AttributeError(f"{library.path}: {error}") from None


class OpaqueHandle:
    """What a constructor has made. Functions take it where their signature says `handle`."""

    def __init__(self, address: int, maker: str, destructor: Any) -> None:
        self._address, self._maker = address, maker
        self._end = weakref.finalize(self, destructor, address) if destructor is not None else None

    def __index__(self) -> int:
        if self._address == 0:
            raise ValueError(f"the handle of {self._maker} is closed")
        return self._address

    def close(self) -> None:
        """Calls the destructor now."""
        self._address = 0
        if self._end is not None:
            self._end()

    def __repr__(self) -> str:
        return f"<handle of {self._maker} at {self._address:#x}>"


def _c_value(value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        return ctypes.c_char_p(value.encode() if isinstance(value, str) else value)
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)


def _opened(request: BuildRequest, verbose: bool, target: str, cmake: Sequence[str]) -> Library:
    """Returns the library of a request in another process."""
    return library(
        [source.path for source in request.sources],
        target,
        flags=request.flags,
        libraries=request.libraries,
        include=request.include,
        cmake=cmake,
        verbose=verbose,
    )
