/* What flang's runtime library knows of derived types: the layout of the descriptions that flang emits for them, as
 * constants (its module __fortran_type_info), so that LLVM folds what is asked of them here.
 */
#ifndef EZ_FORTRAN_DERIVED_H
#define EZ_FORTRAN_DERIVED_H
#include "fortran.h"

struct array_of_derived {
  ARRAY_HEAD
  struct dimension dim[1];
  struct addendum addendum;
};

struct scalar_of_derived {
  ARRAY_HEAD
  struct addendum addendum;
};

struct derived_type {
  struct array_of_derived bindings;
  struct {
    ARRAY_HEAD
  } name;
  int64_t bytes;
  struct scalar_of_derived uninstantiated;
  struct {
    ARRAY_HEAD
    struct dimension dim[1];
  } kind_parameters, length_parameter_kinds;
  struct array_of_derived components, procedure_components, special_bindings;
  uint32_t special_bits;
  uint8_t has_parent, no_initialization, no_destruction, no_finalization, no_defined_assignment;
};

/* No component is allocatable, nothing is to be done on assignment or at the end. */
static ALWAYS_INLINE int owns_nothing(view a) {
  const struct derived_type *type = a->derived;
  return type->no_destruction && type->no_finalization && type->no_defined_assignment;
}

static ALWAYS_INLINE int needs_initialization(view a) {
  return a->type == DERIVED && !a->derived->no_initialization;
}

static ALWAYS_INLINE int is_number(int type) { return type > 0 && (type < CHARACTER || type > DERIVED + 2); }

/* Elements may be copied as bytes, nothing hangs on them. */
static ALWAYS_INLINE int is_plain(view a) {
  return is_number(a->type) || a->type == C_POINTER || (a->type == DERIVED && owns_nothing(a));
}

#endif
