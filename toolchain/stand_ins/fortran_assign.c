/* Assignment of whole arrays and sections, and the copies that are made of sections for procedures that want arrays
 * without gaps. */
#include "fortran_derived.h"

void _FortranAAssign(struct array *NO_ESCAPE, const_array NO_ESCAPE, const char *, int);

/* The bytes from the first to the last that an array covers. */
struct range {
  intptr_t first, end;
};

static ALWAYS_INLINE struct range range(view a) {
  struct range r = {(intptr_t)a->base, (intptr_t)a->base + (intptr_t)a->bytes};
#define WIDEN(k)                                                                                                       \
  if (k < a->rank) {                                                                                                   \
    int64_t reach = (a->dim[k].extent - 1) * a->dim[k].stride;                                                         \
    r.first += reach < 0 ? reach : 0;                                                                                  \
    r.end += reach > 0 ? reach : 0;                                                                                    \
  }
  DIMENSIONS(WIDEN)
#undef WIDEN
  return r;
}

/* Whether storing to `to` may change elements of `from` before they are read. */
static ALWAYS_INLINE int overlap(view to, view from) {
  struct range a = range(to), b = range(from);
  int same = from->rank && to->base == from->base;
#define SAME(k) if (k < from->rank) same &= to->dim[k].stride == from->dim[k].stride;
  DIMENSIONS(SAME)
#undef SAME
  return a.first < b.end && b.first < a.end && !same;
}

static ALWAYS_INLINE int same_shape(view a, view b) {
  int same = 1;
#define SAME(k) if (k < a->rank) same &= a->dim[k].extent == b->dim[k].extent;
  DIMENSIONS(SAME)
#undef SAME
  return same;
}

/* Gives an allocatable array the shape of what is assigned to it. */
static ALWAYS_INLINE void fit(struct view *to, view from) {
  if (to->attribute != ALLOCATABLE || (to->base && (!from->rank || same_shape(to, from))))
    return;
  free(to->base);
#define SHAPE(k)                                                                                                       \
  if (k < to->rank) {                                                                                                  \
    to->dim[k].lower = from->rank ? from->dim[k].lower : 1;                                                            \
    to->dim[k].extent = from->rank ? from->dim[k].extent : 1;                                                          \
  }
  DIMENSIONS(SHAPE)
#undef SHAPE
  allocate(to);
}

/* By way of a copy, as one cannot tell an order of elements that does. */
static ALWAYS_INLINE void assign_overlapping(struct view *to, view from) {
  struct view copy = *from;
  allocate(&copy);
  copy_elements(&copy, from);
  fit(to, &copy);
  copy_elements(to, &copy);
  free(copy.base);
}

static ALWAYS_INLINE void assign_owners(view to, view from) {
  for (int64_t j = 0; j < columns(to); j++)
    for (int64_t i = 0; i < rows(to); i++)
      copy_owner(place(to, i, j), from->rank ? place(from, i, j) : (char *)from->base, from->derived);
}

static ALWAYS_INLINE int same_shape_or_scalar(view to, view from) { return !from->rank || same_shape(to, from); }

static void LATE(Assign)(CHANGED(to), READ(from), const char *file, int at) {
  VIEW(to);
  VIEW(from);
  if (is_owner(from) && !is_plain(from) && to->base && same_shape_or_scalar(to, from) && !overlap(to, from)) {
    assign_owners(to, from);
    return;
  }
  if (!is_plain(from)) {
    if (!from->is_known || is_owner(from))
      __ez_primal_only("_FortranAAssign");
    struct loan lent;
    _FortranAAssign(to_given, lend(&lent, from_given), file, at);
    return;
  }
  if (to->base && overlap(to, from))
    assign_overlapping(to, from);
  else {
    fit(to, from);
    copy_elements(to, from);
  }
  if (to->attribute == ALLOCATABLE)
    GIVE_BACK(to);
}

enum { RANK = 255, TYPE = 255 << 8 };

/* Both are of the same type and, unless one is a scalar, of the same rank: the better known tells. */
static ALWAYS_INLINE void assign(struct array *to, const_array from, const char *file, int at) {
  uint64_t to_kind = kind_of(to), from_kind = kind_of(from), known = 1ull << 32;
  uint64_t kind = (from_kind | ~to_kind) & known ? from_kind : to_kind;
  uint64_t bytes = (from_kind | ~to_kind) & known ? from->bytes : to->bytes;
  uint64_t rank = from->rank ? from->rank : to->rank;
  uint64_t given_bytes = to->bytes;
  const struct derived_type *type = derived_of((from_kind | ~to_kind) & known ? from : to);
  __ez_late_Assign(to, bytes, (kind & (TYPE | known)) | (to_kind & ~(TYPE | RANK | known)) | rank, type, from, bytes,
                   (kind & (TYPE | known)) | (from_kind & ~(TYPE | known)), type, file, at);
  still(to, given_bytes, to_kind);
}

INLINED void STAND_IN(_FortranAAssign)(struct array *to, const_array from, const char *file, int at) {
  assign(to, from, file, at);
}

INLINED void STAND_IN(_FortranAAssignTemporary)(struct array *to, const_array from, const char *file,
                                                             int at) {
  assign(to, from, file, at);
}

/* The copy's descriptor is given without any contents. */
INLINED void STAND_IN(_FortranACopyInAssign)(struct array *copy, const_array from, const char *file, int at) {
  copy->base = 0;
  copy->version = from->version;
  still(copy, from->bytes, kind_of(from));
  copy->attribute = ALLOCATABLE;
  if (derived_of(from))
    ((struct addendum *)&copy->dim[from->rank])->type = derived_of(from);
  assign(copy, from, file, at);
}

/* Copies back, unless the procedure could not write, and frees the copy. */
INLINED void STAND_IN(_FortranACopyOutAssign)(struct array *to, struct array *copy, const char *file,
                                                           int at) {
  if (to)
    assign(to, copy, file, at);
  free(copy->base);
  copy->base = 0;
}

void _FortranAAssignPolymorphic(struct array *NO_ESCAPE, const_array NO_ESCAPE, const char *, int);

/* The variable takes the type of what is assigned. */
static void LATE(AssignPolymorphic)(CHANGED(to), READ(from), const char *file, int at) {
  VIEW(to);
  VIEW(from);
  int replaced = to->attribute == ALLOCATABLE && to->type == DERIVED && from->type == DERIVED && owns_nothing(from) &&
                 (!to->base || owns_nothing(to));
  if (!replaced || (to->base && overlap(to, from))) {
    __ez_primal_only("_FortranAAssignPolymorphic");
    struct loan lent;
    _FortranAAssignPolymorphic(to_given, lend(&lent, from_given), file, at);
    return;
  }
  free(to->base);
  to->base = 0;
  to->bytes = from->bytes;
  fit(to, from);
  copy_elements(to, from);
  GIVE_BACK(to);
  to_given->bytes = from->bytes;
  ((struct addendum *)&to_given->dim[to->rank])->type = from->derived;
}

INLINED void STAND_IN(_FortranAAssignPolymorphic)(struct array *to, const_array from, const char *file, int at) {
  __ez_late_AssignPolymorphic(PASS(to), PASS(from), file, at);
}
