/* Cray pointers: `pointer (p, a)`. The address of `a` is the integer `p`; flang puts it into a's descriptor before each
 * access. MALLOC and FREE are flang's extensions for them. */
#include "fortran.h"

INLINED void STAND_IN(_FortranAPointerAssociateScalar)(struct array *a, void *target) { a->base = target; }

INLINED int64_t STAND_IN(_FortranAMalloc)(int64_t bytes) { return (int64_t)malloc((size_t)bytes); }

INLINED void STAND_IN(_FortranAFree)(int64_t memory) { free((void *)memory); }
