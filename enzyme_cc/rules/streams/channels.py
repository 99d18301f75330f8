"""Channels: what a function writes numbers to, or reads them from, as text or bytes.

A channel is a text in memory, a stream, or a file descriptor. The tables have the operand that names it.
"""

from __future__ import annotations

import re
from functools import cache

from ..inactive import unchecked

#: instead of an operand: file descriptors, which are all one channel
DESCRIPTORS = -1

#: operand → functions that write numbers, or the bytes of numbers
_WRITE = {
    0: """
        sprintf vsprintf snprintf vsnprintf swprintf vswprintf fprintf vfprintf fwprintf asprintf vasprintf
        __ez_text_print
        """,
    2: "gcvt",
    3: "fwrite fwrite_unlocked __ez_file_write",
    DESCRIPTORS: "__ez_file_put write pwrite pwrite64 writev dprintf vdprintf",
}
#: among them, those that take the numbers from memory
_FROM_MEMORY = frozenset("fwrite fwrite_unlocked write pwrite pwrite64 writev __ez_file_write __ez_file_put".split())
_FROM_MEMORY_PATTERN = re.compile(r"_ZNSo5write|_FortranAioOutput(?:Descriptor|DerivedType|Namelist)")
_TEXT = """
    atof strtod strtof strtold __strtod_internal wcstod wcstof wcstold sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf
    __isoc23_sscanf __isoc23_vsscanf __ez_text_number __ez_text_float
    """
#: write and read numbers so that they keep their derivatives (toolchain/stand_ins/text.c and files.c)
FOLLOWED = frozenset(
    """
    __ez_text_print __ez_text_number __ez_text_float __ez_file_write __ez_file_read __ez_file_put __ez_file_get
    __ez_file_character __ez_file_line __ez_file_text
    __ez_stream_write __ez_stream_read __ez_stream_text __ez_stream_part
    """.split()
)
_INTEGER_TEXT = frozenset(
    """
    atoi atol atoll strtol strtoll strtoul strtoull strtoimax strtoumax wcstol wcstoll wcstoul wcstoull
    __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull
    """.split()
)
_TEXT_READERS = frozenset(_TEXT.split()) | _INTEGER_TEXT
#: operand → functions that read numbers, or the bytes of numbers
_READ = {
    0: _TEXT + "fscanf vfscanf __isoc99_fscanf __isoc99_vfscanf __isoc23_fscanf __isoc23_vfscanf",
    3: "fread fread_unlocked __ez_file_read",
    4: "__fread_chk __fread_unlocked_chk",
    DESCRIPTORS: "read pread pread64 readv __ez_file_get",
}
#: operand → functions that move characters to a stream
_MOVE = {
    0: "fprintf fwprintf",
    1: "fputs fputc putc fputs_unlocked fputc_unlocked putc_unlocked putw _IO_putc",
    3: "fwrite",
}
#: operands are 0: libstdc++'s streams and std::to_chars, flang's statements
_WRITE_PATTERN = re.compile(
    r"_ZNSo(?:9_M_insertI[dfe]|lsE[dfe]|5write)|_ZSt8to_charsPcS_[dfe]"
    r"|_FortranAioOutput(?:Real|Complex|Descriptor|DerivedType|Namelist)"
)
_READ_PATTERN = re.compile(
    r"_ZNSi(?:10_M_extractI[dfe]|rsER[dfe]|4read)|_ZSt10from_charsPKcS0_R[dfe]"
    r"|_FortranAioInput(?:Real|Complex|Descriptor|DerivedType|Namelist)"
)
#: the same for integers: the bits of a number may be written as one
_WRITE_INTEGER_PATTERN = re.compile(r"_ZNSo(?:9_M_insertI[mlxytj]|lsE[ijlmxyst])|_FortranAioOutputInteger")
_READ_INTEGER_PATTERN = re.compile(r"_ZNSi(?:10_M_extractI[mlxytj]|rsER[ijlmxyst])|_FortranAioInputInteger")
#: and for characters, which may be the bytes of a number
_WRITE_CHARACTERS_PATTERN = re.compile(r"_FortranAioOutput(?:Ascii|Character)")
_READ_CHARACTERS_PATTERN = re.compile(r"_FortranAioInput(?:Ascii|Character)")


def _by_name(table: dict[int, str]) -> dict[str, int]:
    return {name: operand for operand, names in table.items() for name in names.split()}


_WRITERS, _READERS, _MOVERS = _by_name(_WRITE), _by_name(_READ), _by_name(_MOVE)


@cache
def channel_written(name: str) -> int | None:
    """Returns the operand that names the channel to which the function writes numbers; None for other functions."""
    return 0 if _WRITE_PATTERN.match(name) else _WRITERS.get(unchecked(name))


@cache
def channel_of_integers_written(name: str) -> int | None:
    """Returns the same operand of functions that write numbers or integers."""
    return 0 if _WRITE_INTEGER_PATTERN.match(name) else channel_written(name)


def writes_from_memory(name: str) -> bool:
    """Returns whether the function that writes numbers is given pointers to them, not the numbers themselves."""
    return name in _FROM_MEMORY or _FROM_MEMORY_PATTERN.match(name) is not None


@cache
def channel_read(name: str) -> int | None:
    """Returns the operand that names the channel from which the function reads numbers; None for other functions."""
    return 0 if _READ_PATTERN.match(name) else _READERS.get(name, _READERS.get(unchecked(name)))


@cache
def channel_of_integers_read(name: str) -> int | None:
    """Returns the same operand of functions that read numbers or integers."""
    return 0 if name in _INTEGER_TEXT or _READ_INTEGER_PATTERN.match(name) else channel_read(name)


def channel_of_characters_written(name: str) -> int | None:
    """Returns the same operand of statements that write characters of Fortran; their memory is operand 1."""
    return 0 if _WRITE_CHARACTERS_PATTERN.match(name) else None


def channel_of_characters_read(name: str) -> int | None:
    """Returns the same operand of statements that read characters of Fortran."""
    return 0 if _READ_CHARACTERS_PATTERN.match(name) else None


def reads_text(name: str) -> bool:
    """Returns whether the channel is a text in memory."""
    return name in _TEXT_READERS


def stream_written(name: str) -> int | None:
    """Returns the operand that is a stream to which the function writes text; None for other functions."""
    return _MOVERS.get(unchecked(name))


def takes_list(name: str) -> bool:
    """Returns whether the numbers are arguments of the caller: vsnprintf and its like."""
    return name.lstrip("_").startswith("v") or name == "__ez_text_print"


def scans_list(name: str) -> bool:
    """Returns whether the function writes behind the pointers in a list of arguments: vsscanf and its like."""
    return name.removeprefix("__isoc99_").removeprefix("__isoc23_") in ("vscanf", "vfscanf", "vsscanf")


#: functions whose result is a stream, or a text: it holds what operand 0 names, points to or will point to
OPENS = frozenset("fopen fopen64 open_memstream fmemopen getenv secure_getenv".split())
#: functions that write, then or later, to a text in memory that the program may read without the library
OPENS_MEMORY = frozenset(["fmemopen", "_FortranAioBeginInternalFormattedOutput", "_FortranAioBeginInternalListOutput"])
#: functions whose stream writes, at any later call, to memory that the program may read without the library
STREAMS_OF_MEMORY = frozenset("fmemopen open_memstream open_wmemstream".split())
#: functions that give the descriptor of a stream
DESCRIPTOR_OF = frozenset(["fileno", "fileno_unlocked"])
#: functions that give a stream for a descriptor
STREAM_OF = frozenset(["fdopen"])
#: functions of descriptors that neither read nor write what a file contains
ASKS_DESCRIPTOR = frozenset("isatty fstat fstat64 fsync fdatasync flock lockf fchmod fchown ftruncate close".split())
