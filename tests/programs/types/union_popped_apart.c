/* As union_popped_by_value.c, where LLVM inlines no function that gets or returns such a value in registers. */
#define APART __attribute__((noinline)) static
#include "union_popped_by_value.c"
