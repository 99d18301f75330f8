/* Memory of allocatable and pointer arrays, and array constructors whose length is not known before.
 *
 * The library is left what is an error (it says so, or gives the status that is asked for) and what is more than
 * memory.
 */
#include "fortran_derived.h"

int _FortranAAllocatableAllocate(struct array *NO_ESCAPE, int64_t *, _Bool, const_array, const char *, int);
int _FortranAAllocatableAllocateSource(struct array *NO_ESCAPE, const_array NO_ESCAPE, _Bool, const_array, const char *,
                                       int);
int _FortranAAllocatableDeallocate(struct array *NO_ESCAPE, _Bool, const_array, const char *, int);
int _FortranAPointerAllocate(struct array *NO_ESCAPE, _Bool, const_array, const char *, int, void *);
int _FortranAPointerDeallocate(struct array *NO_ESCAPE, _Bool, const_array, const char *, int);
int32_t _FortranAMoveAlloc(struct array *NO_ESCAPE, struct array *NO_ESCAPE, const struct derived_type *, _Bool,
                           const_array, const char *, int);

static ALWAYS_INLINE void set_bounds(struct array *a, int k, int64_t lower, int64_t upper) {
  a->dim[k].lower = lower;
  a->dim[k].extent = upper < lower ? 0 : upper - lower + 1;
}

INLINED void STAND_IN(_FortranAAllocatableSetBounds)(struct array *a, int k, int64_t lower,
                                                                  int64_t upper) {
  set_bounds(a, k, lower, upper);
}

INLINED void STAND_IN(_FortranAPointerSetBounds)(struct array *a, int k, int64_t lower, int64_t upper) {
  set_bounds(a, k, lower, upper);
}

static int LATE(Allocate)(CHANGED(a), int64_t *async, _Bool has_status, const_array message, const char *file, int at) {
  VIEW(a);
  if (a->base || needs_initialization(a)) {
    __ez_primal_only("_FortranAAllocatableAllocate");
    return _FortranAAllocatableAllocate(a_given, async, has_status, message, file, at);
  }
  allocate(a);
  GIVE_BACK(a);
  return 0;
}

INLINED int STAND_IN(_FortranAAllocatableAllocate)(struct array *a, int64_t *async, _Bool has_status,
                                                                const_array message, const char *file, int at) {
  int status;
  CHANGE(a, status = __ez_late_Allocate(PASS(a), async, has_status, message, file, at));
  return status;
}

static int LATE(AllocateSource)(CHANGED(a), READ(source), _Bool has_status, const_array message, const char *file,
                                int at) {
  VIEW(a);
  VIEW(source);
  if (a->base || !is_plain(source)) {
    __ez_primal_only("_FortranAAllocatableAllocateSource");
    return _FortranAAllocatableAllocateSource(a_given, source_given, has_status, message, file, at);
  }
  allocate(a);
  copy_elements(a, source);
  GIVE_BACK(a);
  return 0;
}

INLINED int STAND_IN(_FortranAAllocatableAllocateSource)(struct array *a, const_array source,
                                                                      _Bool has_status, const_array message,
                                                                      const char *file, int at) {
  int status;
  CHANGE(a, status = __ez_late_AllocateSource(PASS(a), PASS(source), has_status, message, file, at));
  return status;
}

static int LATE(Deallocate)(CHANGED(a), _Bool has_status, const_array message, const char *file, int at) {
  VIEW(a);
  if (!a->base || !is_plain(a)) {
    __ez_primal_only("_FortranAAllocatableDeallocate");
    return _FortranAAllocatableDeallocate(a_given, has_status, message, file, at);
  }
  free(a->base);
  a_given->base = 0;
  return 0;
}

INLINED int STAND_IN(_FortranAAllocatableDeallocate)(struct array *a, _Bool has_status,
                                                                  const_array message, const char *file, int at) {
  int status;
  CHANGE(a, status = __ez_late_Deallocate(PASS(a), has_status, message, file, at));
  return status;
}

static int32_t LATE(MoveAlloc)(CHANGED(to), CHANGED(from), const struct derived_type *type, _Bool has_status,
                               const_array message, const char *file, int at) {
  VIEW(to);
  VIEW(from);
  if (to_given == from_given || (to->base && !is_plain(to))) {
    __ez_primal_only("_FortranAMoveAlloc");
    return _FortranAMoveAlloc(to_given, from_given, type, has_status, message, file, at);
  }
  free(to->base);
  give_back(to_given, from);
  from_given->base = 0;
  return 0;
}

INLINED int32_t STAND_IN(_FortranAMoveAlloc)(struct array *to, struct array *from,
                                                          const struct derived_type *type, _Bool has_status,
                                                          const_array message, const char *file, int at) {
  int32_t status;
  to->bytes = from->bytes;
  CHANGE(to, CHANGE(from, status = __ez_late_MoveAlloc(PASS(to), PASS(from), type, has_status, message, file, at)));
  return status;
}

/* The library keeps a word behind the memory of a pointer, and looks at it when that is freed. */
void __ez_mark_pointer(void *memory, uint64_t bytes);

static int LATE(PointerAllocate)(CHANGED(a), _Bool has_status, const_array message, const char *file, int at,
                                 void *copy) {
  VIEW(a);
  if (needs_initialization(a)) {
    __ez_primal_only("_FortranAPointerAllocate");
    return _FortranAPointerAllocate(a_given, has_status, message, file, at, copy);
  }
  uint64_t bytes = (lay_out(a) + 7) / 8 * 8;
  a->base = malloc(bytes + 8);
  __ez_mark_pointer(a->base, bytes);
  GIVE_BACK(a);
  return 0;
}

INLINED int STAND_IN(_FortranAPointerAllocate)(struct array *a, _Bool has_status, const_array message,
                                                            const char *file, int at, void *copy) {
  int status;
  CHANGE(a, status = __ez_late_PointerAllocate(PASS(a), has_status, message, file, at, copy));
  return status;
}

static int LATE(PointerDeallocate)(CHANGED(a), _Bool has_status, const_array message, const char *file, int at) {
  VIEW(a);
  if (!a->base || !is_plain(a)) {
    __ez_primal_only("_FortranAPointerDeallocate");
    return _FortranAPointerDeallocate(a_given, has_status, message, file, at);
  }
  free(a->base);
  a_given->base = 0;
  return 0;
}

INLINED int STAND_IN(_FortranAPointerDeallocate)(struct array *a, _Bool has_status, const_array message,
                                                              const char *file, int at) {
  int status;
  CHANGE(a, status = __ez_late_PointerDeallocate(PASS(a), has_status, message, file, at));
  return status;
}

/* Flang gives the library 40 bytes or more to keep this in. */
struct vector {
  struct array *to;
  int64_t next, capacity;
};

void _FortranAInitArrayConstructorVector(struct vector *, struct array *, _Bool, const char *, int);
void _FortranAPushArrayConstructorValue(struct vector *, const_array);
void _FortranAPushArrayConstructorSimpleScalar(struct vector *, void *);

static ALWAYS_INLINE int may_be_pushed(int type) { return type != CHARACTER && type != DERIVED; }

/* Characters and derived types are left to the library, from the beginning on. */
INLINED void STAND_IN(_FortranAInitArrayConstructorVector)(struct vector *v, struct array *to,
                                                                        _Bool by_length, const char *file, int at) {
  if (!may_be_pushed(to->type)) {
    _FortranAInitArrayConstructorVector(v, to, by_length, file, at);
    return;
  }
  v->to = to;
  v->next = 0;
  v->capacity = to->base ? to->dim[0].extent : 0;
}

/* Makes room for `count` more; an extent that is set beforehand is the final one. */
static ALWAYS_INLINE void reserve(struct vector *v, struct view *to, int64_t count) {
  int64_t needed = v->next + count;
  if (!to->base) {
    v->capacity = needed > to->dim[0].extent ? needed : to->dim[0].extent;
    to->dim[0].stride = to->bytes;
    to->base = malloc(v->capacity * to->bytes + !v->capacity);
  } else if (needed > v->capacity) {
    char *grown = malloc(2 * needed * to->bytes), *old = to->base;
    for (int64_t n = 0; n < v->next; n++)
      copy_element(grown + n * to->bytes, old + n * to->dim[0].stride, to);
    free(old);
    v->capacity = 2 * needed;
    to->dim[0].stride = to->bytes;
    to->base = grown;
  }
  if (needed > to->dim[0].extent)
    to->dim[0].extent = needed;
}

static void LATE(PushScalar)(struct vector *v, CHANGED(to), void *value) {
  VIEW(to);
  reserve(v, to, 1);
  copy_element(place(to, v->next, 0), value, to);
  v->next++;
  GIVE_BACK(to);
}

INLINED void STAND_IN(_FortranAPushArrayConstructorSimpleScalar)(struct vector *v, void *value) {
  struct array *to = v->to;
  if (!may_be_pushed(to->type)) {
    _FortranAPushArrayConstructorSimpleScalar(v, value);
    return;
  }
  CHANGE(to, __ez_late_PushScalar(v, PASS(to), value));
}

static void LATE(PushArray)(struct vector *v, CHANGED(to), READ(values)) {
  VIEW(to);
  VIEW(values);
  reserve(v, to, elements(values));
  for (int64_t j = 0; j < columns(values); j++)
    for (int64_t i = 0; i < rows(values); i++)
      copy_element(place(to, v->next + j * rows(values) + i, 0), place(values, i, j), to);
  v->next += elements(values);
  GIVE_BACK(to);
}

INLINED void STAND_IN(_FortranAPushArrayConstructorValue)(struct vector *v, const_array values) {
  if (!may_be_pushed(values->type)) {
    _FortranAPushArrayConstructorValue(v, values);
    return;
  }
  struct array *to = v->to;
  CHANGE(to, __ez_late_PushArray(v, PASS(to), PASS(values)));
}
