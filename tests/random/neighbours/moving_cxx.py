"""Bytes of a number that a string or a stream of the C++ library moves, and the ways in which they come back."""

from __future__ import annotations

from .neighbour import Kind, of_number, pairs

_HEAD = """#include "head.h"
#include <algorithm>
#include <any>
#include <bit>
#include <bitset>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>
"""
#: the bytes at b become the first ones of the string s
_INTO_STRING = {
    "constructor": "std::string s(b, SIZE);",
    "range": "std::string s(b, b + SIZE);",
    "append": "std::string s; s.append(b, SIZE); s.append(b, SIZE);",
    "append range": "std::string s; s.append(b, b + SIZE);",
    "assign": "std::string s(50, 'a'); s.assign(b, SIZE);",
    "push_back": "std::string s; for (int i = 0; i < SIZE; i++) s.push_back(b[i]);",
    "+= char": "std::string s; for (int i = 0; i < SIZE; i++) s += b[i];",
    "insert": "std::string s(40, 'a'); s.insert(0, b, SIZE);",
    "insert char": "std::string s; for (int i = SIZE; i--;) s.insert(s.begin(), b[i]);",
    "replace": "std::string s(40, 'a'); s.replace(0, 3, b, SIZE);",
    "resize and memcpy": "std::string s; s.resize(SIZE); std::memcpy(&s[0], b, SIZE);",
    "index": "std::string s(SIZE, 0); for (int i = 0; i < SIZE; i++) s[i] = b[i];",
    "at": "std::string s(SIZE, 0); for (int i = 0; i < SIZE; i++) s.at(i) = b[i];",
    "copy": "std::string s(SIZE, 0); std::copy(b, b + SIZE, s.begin());",
    "back_inserter": "std::string s; std::copy(b, b + SIZE, std::back_inserter(s));",
    "transform": "std::string s(SIZE, 0); std::transform(b, b + SIZE, s.begin(), [](char c) { return c; });",
    "view": "std::string_view v(b, SIZE); std::string s(v);",
    "plus": 'std::string s = std::string(b, SIZE) + "the end of a long text, on the heap";',
    "sum of chars": "std::string s; for (int i = 0; i < SIZE; i++) s = s + b[i];",
    "swap": "std::string s(40, 'c'), u(b, SIZE); s.swap(u);",
    "move": "std::string u(b, SIZE), s = std::move(u);",
    "erase": "std::string s(9, 'c'); s.append(b, SIZE); s.erase(0, 9);",
    "substr": "std::string s = (std::string(9, 'c') + std::string(b, SIZE)).substr(9);",
    "reverse": "std::string s(b, SIZE); std::reverse(s.begin(), s.end()); std::reverse(s.begin(), s.end());",
    "rotate": "std::string s(b, SIZE); std::rotate(s.begin(), s.begin() + 3, s.end()); std::rotate(s.begin(), s.end() - 3, s.end());",
    "wide": "std::wstring w((wchar_t *)b, SIZE / 4); std::string s((char *)w.data(), SIZE);",
    "utf16": "std::u16string w((char16_t *)b, SIZE / 2); std::string s((char *)w.data(), SIZE);",
    "vector": "std::vector<char> v(b, b + SIZE); std::string s(v.begin(), v.end());",
    "map": "std::map<int, std::string> m; m[3] = std::string(b, SIZE); std::string s = m.at(3);",
    "stream": "std::ostringstream o; o.write(b, SIZE); std::string s = o.str();",
    "stream <<": "std::ostringstream o; o << std::string(b, SIZE); std::string s = o.str();",
    "stream put": "std::ostringstream o; for (int i = 0; i < SIZE; i++) o.put(b[i]); std::string s = o.str();",
    "stream char": "std::ostringstream o; for (int i = 0; i < SIZE; i++) o << b[i]; std::string s = o.str();",
    "stream iterator": "std::ostringstream o; std::copy(b, b + SIZE, std::ostreambuf_iterator<char>(o)); std::string s = o.str();",
    "any": "std::any a = std::string(b, SIZE); std::string s = std::any_cast<std::string>(a);",
    "bitset": "uint64_t u = 0; std::memcpy(&u, b, SIZE); std::bitset<64> e(u), g; for (int i = 0; i < 64; i++) g[i] = e[i];"
    " u = g.to_ullong(); std::string s((char *)&u, SIZE);",
    "bitset set": "uint64_t u = 0; std::memcpy(&u, b, SIZE); std::bitset<64> e(u), g; for (int i = 0; i < 64; i++) g.set(i, e.test(i));"
    " u = g.to_ullong(); std::string s((char *)&u, SIZE);",
    "bitset |": "uint64_t u = 0; std::memcpy(&u, b, SIZE); std::bitset<64> e(u), g; g |= e; u = g.to_ullong(); std::string s((char *)&u, SIZE);",
    "vector<bool>": "std::vector<bool> e(64); for (int i = 0; i < 8 * SIZE; i++) e[i] = b[i / 8] >> i % 8 & 1;"
    " std::string s(SIZE, 0); for (int i = 0; i < 8 * SIZE; i++) if (e[i]) s[i / 8] |= 1 << i % 8;",
    "vector<bool> copy": "std::vector<bool> e(64), g; for (int i = 0; i < 8 * SIZE; i++) e[i] = b[i / 8] >> i % 8 & 1; g = e;"
    " std::string s(SIZE, 0); for (int i = 0; i < 8 * SIZE; i++) if (g[i]) s[i / 8] |= 1 << i % 8;",
}
#: they come back in z, whose bytes are at c
_OUT_OF_STRING = {
    "data": "std::memcpy(&z, s.data(), SIZE);",
    "copy": "s.copy(c, SIZE);",
    "index": "for (int i = 0; i < SIZE; i++) c[i] = s[i];",
    "iterator": "std::copy_n(s.begin(), SIZE, c);",
    "range": "int i = 0; for (char e : s) if (i < SIZE) c[i++] = e;",
    "vector": "std::vector<char> v(s.begin(), s.end()); std::memcpy(&z, v.data(), SIZE);",
    "reference": "z = *reinterpret_cast<const T *>(s.c_str());",
    "copied": "std::string u(20, 'a'); u = s; u += s; std::memcpy(&z, u.data(), SIZE);",
    "read": "std::istringstream i(s); i.read(c, SIZE);",
    "bit_cast": "struct bytes { char c[SIZE]; } a; std::memcpy(a.c, s.data(), SIZE); z = std::bit_cast<T>(a);",
}
#: bytes at b go into the stream s
_INTO_STREAM = {
    "write": "s.write(b, SIZE);",
    "write halves": "s.write(b, SIZE / 2).write(b + SIZE / 2, SIZE / 2);",
    "<< string": "s << std::string(b, SIZE);",
    "<< view": "s << std::string_view(b, SIZE);",
    "<< char": "for (int i = 0; i < SIZE; i++) s << b[i];",
    "put": "for (int i = 0; i < SIZE; i++) s.put(b[i]);",
    "sputn": "s.rdbuf()->sputn(b, SIZE);",
    "sputc": "for (int i = 0; i < SIZE; i++) s.rdbuf()->sputc(b[i]);",
    "iterator": "std::copy(b, b + SIZE, std::ostreambuf_iterator<char>(s));",
    "<< rdbuf": "std::stringstream t; t.write(b, SIZE); s << t.rdbuf();",
    "hexfloat": "s << std::hexfloat << y << ' ';",
}
_OUT_OF_STREAM = {
    "read": "s.read(c, SIZE);",
    "read halves": "s.read(c, SIZE / 2).read(c + SIZE / 2, SIZE / 2);",
    "readsome": "s.readsome(c, SIZE);",
    "get": "for (int i = 0; i < SIZE; i++) c[i] = s.get();",
    "get char": "for (int i = 0; i < SIZE; i++) s.get(c[i]);",
    "get text": "char t[SIZE + 1]; s.get(t, SIZE + 1); std::memcpy(&z, t, SIZE);",
    "getline": "std::string t; std::getline(s, t); std::memcpy(&z, t.data(), SIZE);",
    "member getline": "char t[2 * SIZE]; s.getline(t, SIZE + 1); std::memcpy(&z, t, SIZE);",
    ">> string": "std::string t; s >> t; std::memcpy(&z, t.data(), SIZE);",
    ">> char": "for (int i = 0; i < SIZE; i++) s >> c[i];",
    "sgetn": "s.rdbuf()->sgetn(c, SIZE);",
    "sbumpc": "for (int i = 0; i < SIZE; i++) c[i] = s.rdbuf()->sbumpc();",
    "iterator": "std::vector<char> v((std::istreambuf_iterator<char>(s)), {}); std::memcpy(&z, v.data(), SIZE);",
    "rdbuf": "std::stringstream t; t << s.rdbuf(); t.read(c, SIZE);",
    "peek and ignore": "for (int i = 0; i < SIZE; i++) c[i] = s.peek(), s.ignore();",
}
_STREAMS = {
    "stringstream": "std::stringstream s;",
    "fstream": 'std::string n = "/tmp/" + std::to_string((uintptr_t)&y) + "CASE"; std::fstream s(n, std::ios::in | std::ios::out |'
    " std::ios::binary | std::ios::trunc); std::remove(n.c_str());",
}
_START = "T y = x * x + (T)0.1234567, z = 0; const char *b = (char *)&y; char *c = (char *)&z; "

STRINGS = Kind(
    "cxx",
    _HEAD,
    tuple(
        of_number(name, f"{_START}{into} {{ {out} }} return z;", number=number)
        for number in ("double", "float")
        for name, into, out in pairs(_INTO_STRING, _OUT_OF_STRING)
    ),
    ("-std=c++20",),
)
STREAMS = Kind(
    "cxx",
    _HEAD,
    tuple(
        of_number(
            f"{kind} {name}",
            f"{_START}{made} {into} {'s.seekg(0);' if kind == 'fstream' else ''} {{ {out} }} return z;",
        )
        for kind, made in _STREAMS.items()
        for name, into, out in pairs(_INTO_STREAM, _OUT_OF_STREAM)
    ),
    ("-std=c++20",),
)
