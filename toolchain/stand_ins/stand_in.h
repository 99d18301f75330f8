/* What stand-ins share: bodies for library functions that have no bitcode, in the place of which differentiated code
 * calls them (enzyme_cc/link/stand_ins.py).
 *
 *     double STAND_IN(cblas_ddot)(int n, …) { … }
 *
 * has the prototype of the function it stands for, does what that does, and is written plainly: it is differentiated as
 * the user's own code is. Where types or sizes are only known at run time (`void *`, bytes of an element), make it
 * `INLINED`: LLVM folds what a call site passes, each call is differentiated for what it really copies.
 */
#ifndef EZ_STAND_IN_H
#define EZ_STAND_IN_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Says that what follows is left to the library, whose function is named, and has no derivative: one ends the program
 * here. Without it, the link is refused where a number that carries a derivative gets there. */
void __ez_primal_only(const char *function);

#define STAND_IN(NAME) __ez_stand_in_##NAME
#define ALWAYS_INLINE inline __attribute__((always_inline)) /* of functions that are static */
#define INLINED __attribute__((always_inline))
/* of a pointer that the library does not keep */
#define NO_ESCAPE __attribute__((noescape))

#endif
