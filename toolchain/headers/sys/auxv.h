/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../../CMakeLists.txt. */
#pragma once

enum { AT_PHDR = 3, AT_PHNUM = 5, AT_PAGESZ = 6 };
__attribute__((nothrow)) unsigned long getauxval(unsigned long);
