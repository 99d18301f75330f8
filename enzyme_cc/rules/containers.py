"""Containers of C++ libraries: members that tell how large the block of a container is.

`!tbaa` names the struct of a member. A `std::vector` has three pointers into its block: where the elements begin, where
they end, and where the block ends.
"""

from __future__ import annotations

import re

#: structs whose first members are these three pointers, as TBAA names them: of libstdc++ and libc++
_BLOCKS = re.compile(r"_ZTSNSt12_Vector_baseI.*E17_Vector_impl_dataE|_ZTSNSt3__[0-9]+6vectorI.*EE")
#: the same struct of libstdc++, as LLVM's types name it
BLOCK_TYPE = r"%\"struct\.std::_Vector_base<[^\"]*>::_Vector_impl_data(?:\.\d+)?\""
#: TBAA's name of it where the compiler gives none (-O0)
BLOCK_NAME = "_ZTSNSt12_Vector_baseIvE17_Vector_impl_dataE"
BEGIN, END, END_OF_BLOCK = 0, 8, 16


def is_block(name: str) -> bool:
    """Returns whether the struct holds the three pointers."""
    return _BLOCKS.fullmatch(name) is not None
