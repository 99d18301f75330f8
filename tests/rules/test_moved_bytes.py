"""Each row of a library function says whether bytes of a number can pass through it."""

from __future__ import annotations

import re

import pytest

from enzyme_cc.rules import inactive
from enzyme_cc.rules.library_functions import known
from enzyme_cc.rules.streams import file_bytes

#: functions that read memory and write memory, but pass on nothing of what they read: states, locks, times, conversions
KEEPS_BYTES = re.compile(
    r"(?:__)?strtok|strsep|bsearch|lfind|\w*strto[dflui]|wcsto|mbr?len|__isoc23_strto|__strtod_internal|get(?:line|delim)|__getdelim"
    r"|fmemopen|fgetpos|fsetpos|remove|unlink|rename|mkdir|rmdir|access|ch(?:dir|mod)|mk[sd]temp|(?:sym)?link|opendir"
    r"|l?f?stat|readdir|closedir|getcwd|tmpnam|ttyname|pipe|select|poll|clock_|timespec|gettimeofday|nanosleep|times"
    r"|getrusage|uname|gethostname|(?:mk|gm|local|c|asc)time|timegm|str[fp]time|wcsftime|\w+rand48|rand_r|signal|sig"
    r"|raise|kill|getopt|backtrace|tc[gs]etattr|syslog|openlog|closelog|pthread_|mtx_|cnd_|sem_|omp_|__kmpc_|__cxa_"
    r"|_ZNSt15__exception_ptr|_ZNSt6thread"
)
#: functions that pass bytes on, and the operand that they take them from
MOVES = {
    "m": "memccpy wmemcpy wmemmove wmempcpy fwrite write pwrite __memccpy_chk __wmemcpy_chk",
    "t": "strcpy strncpy strcat stpcpy strlcpy wcscpy strxfrm setenv fputs sprintf sscanf __strcpy_chk realpath",
    "c": "fputc putc ungetc putw _IO_putc",
}


def _rows() -> list[tuple[str, str]]:
    tables = (inactive.INACTIVE, inactive.NORETURN)
    return [(name, effects) for table in tables for names, effects in table.items() for name in names.split()]


@pytest.mark.parametrize(("name", "effects"), _rows(), ids=[name for name, _ in _rows()])
def test_a_row_that_reads_and_writes_says_what_it_passes_on(name: str, effects: str) -> None:
    words = effects.split()
    if any(word[0] == "r" for word in words) and any(word[0] == "w" for word in words):
        assert any(word[0] in "mtc" for word in words) or KEEPS_BYTES.match(name), f"{name}: r, m, t or c?"


def test_what_passes_bytes_on() -> None:
    for letter, names in MOVES.items():
        for name in names.split():
            row = known(name)
            assert row is not None, name
            passed = {"m": row.moves, "t": row.moves_text, "c": row.characters}[letter]
            assert passed not in ("none", ()), name


@pytest.mark.parametrize(
    "name",
    """
    _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKcm _ZNSo5writeEPKcl
    _ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE9_M_assignERKS4_
    _ZNSt15basic_streambufIcSt11char_traitsIcEE5sputnEPKcl
    _ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKcm
    """.split(),
)
def test_strings_and_streams_pass_bytes_on(name: str) -> None:
    row = known(name)
    assert row is not None and row.moves != "none"


@pytest.mark.parametrize(
    "name",
    """
    fread read mmap fgetc fgets getline _ZNSi4readEPcl _ZNSi3getEv
    _ZNKSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv
    _ZNKRSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv
    _ZNSt15basic_streambufIcSt11char_traitsIcEE6sbumpcEv
    """.split(),
)
def test_readers_of_bytes(name: str) -> None:
    assert file_bytes.reads_bytes(name)
    assert not file_bytes.writes_bytes(name)
