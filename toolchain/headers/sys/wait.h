/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../../CMakeLists.txt. */
#pragma once
int waitpid(int, int *, int);
