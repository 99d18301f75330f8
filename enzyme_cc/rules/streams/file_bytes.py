"""Functions that write bytes to files and streams, and functions that read them there.

Which file a stream names is known when the program runs. So bytes of a number that are written to one are lost if
differentiated code reads bytes of any, unless both functions follow them (toolchain/stand_ins/files.c).
"""

from __future__ import annotations

import re
from functools import cache

from ..inactive import unchecked

_WRITES_BYTES = frozenset(
    """
    fwrite fwrite_unlocked write pwrite pwrite64 writev fprintf vfprintf fwprintf vfwprintf dprintf vdprintf
    __ez_file_write __ez_file_put __ez_stream_write
    fputs fputs_unlocked fputws fputc putc fputc_unlocked putc_unlocked fputwc putwc ungetc ungetwc putw _IO_putc
    """.split()
)
#: what is written to a descriptor or stream of the C library
_READS_BYTES = frozenset(
    """
    fread fread_unlocked read pread pread64 readv preadv mmap mmap64
    __ez_file_read __ez_file_get __ez_file_character __ez_file_line __ez_file_text __ez_stream_read __ez_stream_text
    fgetc getc fgetc_unlocked getc_unlocked fgetwc getwc getw _IO_getc fgets fgets_unlocked fgetws
    getline getdelim __getdelim
    """.split()
)
_STREAM = r"St(?:3__1|7__cxx11)?\d+basic_"
#: ostream::write, put and << of texts
_WRITES_BYTES_PATTERN = re.compile(
    r"_ZNSo(?:5write|3put)|_ZNSi7putback|_ZStls|_ZSt16__ostream_insert|_ZNSt3__1ls|_ZNSt3__1\d+__put_character"
)
#: what is read from an istream or its buffer; the text in a stringstream; a strstream writes to memory of the program
_READS_BYTES_PATTERN = re.compile(
    rf"_ZNSi(?:3get|4read|4peek|8readsome|7getline)E|_ZStrs|_ZSt7getline|_ZNSt3__1(?:rs|7getline)"
    rf"|_ZNSt\d+[io]?strstreamC|_ZNK?[RO]?{_STREAM}(?:i?o?stringstream|stringbuf)I\w+?E(?:3str|4view)E"
    rf"|_ZNK?{_STREAM}(?:i?o?(?:string|f)?stream|streambuf|filebuf|ios)I\w+?E"
    r"(?:3get|4peek|8readsome|7getline|5sgetn|5sgetc|6sbumpc|6snextc|5rdbuf)E"
)
#: what gives a stream any buffer, perhaps of a class of the program, which puts bytes into memory of its own
_TAKES_BUFFER = re.compile(r"_ZNS[iod]C[12]EPSt15basic_streambuf|_ZNSt9basic_iosI\w+?E4initEPSt15basic_streambuf")


@cache
def writes_bytes(name: str) -> bool:
    """Returns whether the function writes bytes to a file or stream that it is given."""
    return unchecked(name) in _WRITES_BYTES or _WRITES_BYTES_PATTERN.match(name) is not None


@cache
def reads_bytes(name: str) -> bool:
    """Returns whether the function reads bytes of a file or stream, or makes memory of what is written to one."""
    return unchecked(name) in _READS_BYTES or _READS_BYTES_PATTERN.match(name) is not None or takes_any_buffer(name)


def takes_any_buffer(name: str) -> bool:
    """Returns whether what is written may get into memory, and the runtime refuses this where numbers are followed."""
    return _TAKES_BUFFER.match(name) is not None


def is_stream_function(name: str) -> bool:
    """Returns whether the function belongs to C++'s streams."""
    return name.startswith(("_Z", "__ez_stream"))
