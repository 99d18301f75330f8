/* The same in native code: only its relocations tell which addresses it takes. */
#include "operations.h"
#include <stdlib.h>

operations *native_operations(void) {
  operations *made = malloc(sizeof *made);
  made->multiply = dgemm_, made->cholesky = dpotrf_, made->triangular = dtrsm_;
  return made;
}
