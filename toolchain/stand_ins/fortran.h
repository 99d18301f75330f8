/* Arrays as flang's runtime library is given them: descriptors, laid out as the CFI_cdesc_t of ISO_Fortran_binding.h
 * (Fortran 2018, 18.5.3), and walks over their elements.
 *
 * Flang fills most descriptors with constants just before the call, and everything here depends on rank and type of the
 * elements. So each stand-in has two parts. The first is inlined at once and does little: it reads what kind of array
 * each descriptor is for, and passes that by value. The second, LATE, is inlined when optimisation has found which of
 * these are constants, and then a known rank leaves no loop over dimensions, a known type no choice of types.
 */
#ifndef EZ_FORTRAN_H
#define EZ_FORTRAN_H
#include "stand_in.h"

struct dimension {
  int64_t lower, extent, stride; /* stride in bytes */
};

struct derived_type;

/* A descriptor may be followed by this. */
struct addendum {
  const struct derived_type *type;
  int64_t length[1];
};

#define ARRAY_HEAD                                                                                                     \
  void *base;                                                                                                          \
  uint64_t bytes; /* of an element */                                                                                  \
  int32_t version;                                                                                                     \
  uint8_t rank;                                                                                                        \
  int8_t type;                                                                                                         \
  uint8_t attribute, extra;

struct array {
  ARRAY_HEAD
  struct dimension dim[];
};

typedef const struct array *const_array;

enum { POINTER = 1, ALLOCATABLE = 2 };
enum { HAS_ADDENDUM = 1 };
/* codes of element types; a complex number's is its real type's and COMPLEX */
enum { REAL4 = 27, REAL8 = 28, REAL10 = 29, COMPLEX = 7, LOGICAL = 39, CHARACTER = 40, C_POINTER = 41, DERIVED = 42 };

/* DO(k) for each dimension there may be, or for each but the first. */
#define FURTHER_DIMENSIONS(DO)                                                                                         \
  DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)
#define DIMENSIONS(DO) DO(0) FURTHER_DIMENSIONS(DO)

/* The second part of a stand-in: enzyme_cc/autodiff/preoptimise.py knows it by its name. */
#define LATE(NAME) __attribute__((noinline)) __ez_late_##NAME

/* What is passed of an array, and how the second part is declared: the descriptor, and what kind of array it is for. */

static ALWAYS_INLINE uint64_t kind_of(const_array a) {
  uint32_t kind = a->rank | (uint32_t)(uint8_t)a->type << 8 | (uint32_t)a->attribute << 16 | (uint32_t)a->extra << 24;
  return kind | (uint64_t)(__builtin_constant_p(kind) && __builtin_constant_p(a->bytes)) << 32;
}

static ALWAYS_INLINE const struct derived_type *derived_of(const_array a) {
  int is_derived = a->type == DERIVED && (a->extra & HAS_ADDENDUM);
  return is_derived ? ((const struct addendum *)&a->dim[a->rank])->type : 0;
}

#define PASS(a) a, a->bytes, kind_of(a), derived_of(a)
#define PASS_OPTIONAL(a) a, a ? a->bytes : 0, a ? kind_of(a) : 0, a ? derived_of(a) : 0
#define KIND(a) uint64_t a##_bytes, uint64_t a##_kind, const struct derived_type *a##_derived
#define READ(a) const_array a##_given, KIND(a)
#define CHANGED(a) struct array *a##_given, KIND(a)

/* What the second part works with: a copy, so that nothing that is stored to elements may change it. */
struct view {
  ARRAY_HEAD
  struct dimension dim[15];
  const struct derived_type *derived;
  int is_known; /* type and size of elements, when this is compiled */
};

typedef const struct view *view;

static ALWAYS_INLINE struct view *look(struct view *v, const_array a, uint64_t bytes, uint64_t kind,
                                        const struct derived_type *derived) {
  if (!a)
    return 0;
  v->base = a->base;
  v->bytes = bytes;
  v->version = a->version;
  v->rank = kind & 255;
  v->type = kind >> 8 & 255;
  v->attribute = kind >> 16 & 255;
  v->extra = kind >> 24 & 255;
  v->is_known = kind >> 32;
#define LOOK(k) if (k < v->rank) v->dim[k] = a->dim[k];
  DIMENSIONS(LOOK)
#undef LOOK
  v->derived = derived;
  return v;
}

/* Declares the view of a parameter, by the parameter's name. */
#define VIEW(a)                                                                                                        \
  struct view a##_view, *a = look(&a##_view, a##_given, a##_bytes, a##_kind, a##_derived);                             \
  (void)a

/* What the library only reads is given to it as a copy: LLVM would not believe that the library leaves it alone. */
struct loan {
  ARRAY_HEAD
  struct dimension dim[15];
  struct addendum addendum;
};

static ALWAYS_INLINE const_array lend(struct loan *copy, const_array a) {
  if (!a)
    return 0;
  memcpy(copy, a, sizeof *a + a->rank * sizeof *a->dim + (a->extra & HAS_ADDENDUM) * sizeof copy->addendum);
  return (const_array)copy;
}

static ALWAYS_INLINE void give_back(struct array *a, view v) {
  a->base = v->base;
#define GIVE(k) if (k < v->rank) a->dim[k] = v->dim[k];
  DIMENSIONS(GIVE)
#undef GIVE
}

#define GIVE_BACK(a) give_back(a##_given, a)

/* Says again what LLVM knew of a descriptor before it was changed by the second part or by the library. */
static ALWAYS_INLINE void still(struct array *a, uint64_t bytes, uint64_t kind) {
  a->bytes = bytes;
  a->rank = kind & 255;
  a->type = kind >> 8 & 255;
  a->attribute = kind >> 16 & 255;
  a->extra = kind >> 24 & 255;
}

/* A call that changes an array, but for its kind. */
#define CHANGE(a, CALL)                                                                                                \
  do {                                                                                                                 \
    uint64_t bytes_ = a->bytes;                                                                                        \
    uint64_t kind_ = kind_of(a);                                                                                       \
    CALL;                                                                                                              \
    still(a, bytes_, kind_);                                                                                           \
  } while (0)

/* Makes a result an array of elements as `like` has, before and after the second part has made it. */
#define MAKE(result, RANK, like, CALL)                                                                                 \
  do {                                                                                                                 \
    result->bytes = like->bytes;                                                                                       \
    result->type = like->type;                                                                                         \
    result->rank = RANK;                                                                                               \
    CHANGE(result, CALL);                                                                                              \
  } while (0)

/* An array is walked by columns, the elements along the first dimension. A scalar is one column of one element. */

static ALWAYS_INLINE int64_t rows(view a) { return a->rank ? a->dim[0].extent : 1; }
static ALWAYS_INLINE int64_t row_stride(view a) { return a->rank ? a->dim[0].stride : 0; }

static ALWAYS_INLINE int64_t columns(view a) {
  int64_t count = 1;
#define TIMES(k) if (k < a->rank) count *= a->dim[k].extent;
  FURTHER_DIMENSIONS(TIMES)
#undef TIMES
  return count;
}

/* Element i of column j. */
static ALWAYS_INLINE char *place(view a, int64_t i, int64_t j) {
  int64_t offset = i * row_stride(a);
#define STEP(k)                                                                                                        \
  if (k < a->rank) {                                                                                                   \
    int64_t extent = a->dim[k].extent, is_last = k + 1 == a->rank;                                                     \
    offset += (is_last ? j : j % extent) * a->dim[k].stride;                                                           \
    j = is_last ? 0 : j / extent;                                                                                      \
  }
  FURTHER_DIMENSIONS(STEP)
#undef STEP
  return (char *)a->base + offset;
}

static ALWAYS_INLINE int64_t elements(view a) { return rows(a) * columns(a); }

/* Element number n, in array element order. */
static ALWAYS_INLINE char *element(view a, int64_t n) {
  if (a->rank < 2)
    return place(a, n, 0);
  return place(a, n % rows(a), n / rows(a));
}

/* A walk along one dimension, `along`, and over all others: line number j starts here. */
static ALWAYS_INLINE char *line(view a, int along, int64_t j) {
  int64_t offset = 0;
#define STEP(k)                                                                                                        \
  if (k < a->rank && k != along) {                                                                                     \
    offset += j % a->dim[k].extent * a->dim[k].stride;                                                                 \
    j /= a->dim[k].extent;                                                                                             \
  }
  DIMENSIONS(STEP)
#undef STEP
  return (char *)a->base + offset;
}

static ALWAYS_INLINE int64_t lines(view a, int along) {
  int64_t count = 1;
#define TIMES(k) if (k < a->rank && k != along) count *= a->dim[k].extent;
  DIMENSIONS(TIMES)
#undef TIMES
  return count;
}

static ALWAYS_INLINE int64_t integer_at(const char *p, uint64_t bytes) {
  switch (bytes) {
  case 1: return *(const int8_t *)p;
  case 2: return *(const int16_t *)p;
  case 4: return *(const int32_t *)p;
  default: return *(const int64_t *)p;
  }
}

/* Whether a mask selects an element: it may be absent, and one value for all. */
static ALWAYS_INLINE int selects(view mask, int64_t i, int64_t j) {
  return !mask || !mask->base || integer_at(place(mask, i, j), mask->bytes);
}

/* Copies an element of the type and size that `kind` has. Where the type is not known, the engine finds out by other
 * uses of the memory what the bytes are. */
static ALWAYS_INLINE void copy_element(char *to, const char *from, view kind) {
  if (!kind->is_known) {
    memcpy(to, from, kind->bytes);
    return;
  }
#define COPY(T, n) ((T *)to)[n] = ((const T *)from)[n]
  switch (kind->type) {
  case REAL4: COPY(float, 0); break;
  case REAL8: COPY(double, 0); break;
  case REAL10: COPY(long double, 0); break;
  case REAL4 + COMPLEX: COPY(float, 0), COPY(float, 1); break;
  case REAL8 + COMPLEX: COPY(double, 0), COPY(double, 1); break;
  case REAL10 + COMPLEX: COPY(long double, 0), COPY(long double, 1); break;
  default: memcpy(to, from, kind->bytes);
  }
#undef COPY
}

/* Of the same shape, unless `from` is a scalar. */
static ALWAYS_INLINE void copy_elements(view to, view from) {
  for (int64_t j = 0; j < columns(to); j++)
    for (int64_t i = 0; i < rows(to); i++)
      copy_element(place(to, i, j), from->rank ? place(from, i, j) : (char *)from->base, from);
}

/* Sets the strides of an array whose extents are set, and returns its size in bytes. */
static ALWAYS_INLINE int64_t lay_out(struct view *a) {
  int64_t bytes = a->bytes;
#define STRIDE(k)                                                                                                      \
  if (k < a->rank) {                                                                                                   \
    a->dim[k].stride = bytes;                                                                                          \
    bytes *= a->dim[k].extent;                                                                                         \
  }
  DIMENSIONS(STRIDE)
#undef STRIDE
  return bytes;
}

static ALWAYS_INLINE void allocate(struct view *a) {
  int64_t bytes = lay_out(a);
  a->base = malloc(bytes ? bytes : 1);
}

static ALWAYS_INLINE void set_extent(struct view *a, int k, int64_t extent) {
  a->dim[k].lower = 1;
  a->dim[k].extent = extent < 0 ? 0 : extent;
}

#endif
