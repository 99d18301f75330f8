/* Stand-ins: bodies for library functions without bitcode. Differentiated code calls them in place of the library
 * (enzyme_cc/link/merged_module/libraries/stand_ins.py).
 *
 *     void STAND_IN(_FortranAPushValue)(void *stack, const_array a) { … }
 *
 * A stand-in has the prototype and the effect of the function that it replaces. Write it plainly: it is differentiated
 * like the user's own code. If types or sizes are known only at run time (`void *`, bytes of an element), make it
 * `INLINED`. LLVM then folds the arguments of each call site, and each call is differentiated for the bytes that it
 * copies.
 */
#ifndef EZ_STAND_IN_H
#define EZ_STAND_IN_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Marks that the stand-in calls the library's function after this, which has no derivative: a derivative ends the
 * program here. Without this mark, the link is refused if a number that carries a derivative gets there. */
void __ez_primal_only(const char *function);

/* Ends the program with a message if the condition is not zero, in derivatives and elsewhere. */
void __ez_refuse(uint64_t condition, const char *message);

#define STAND_IN(NAME) __ez_stand_in_##NAME
#define ALWAYS_INLINE inline __attribute__((always_inline)) /* of functions that are static */
#define INLINED __attribute__((always_inline))
/* of a pointer that the library does not keep */
#define NO_ESCAPE __attribute__((noescape))

#endif
