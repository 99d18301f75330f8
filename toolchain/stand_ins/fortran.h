/* Arrays as flang's runtime library is given them: descriptors, laid out as the CFI_cdesc_t of ISO_Fortran_binding.h
 * (Fortran 2018, 18.5.3), and walks over their elements.
 */
#ifndef EZ_FORTRAN_H
#define EZ_FORTRAN_H
#include "stand_in.h"

struct dimension {
  int64_t lower, extent, stride; /* stride in bytes */
};

struct array {
  void *base;
  uint64_t bytes; /* of an element */
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute, extra;
  struct dimension dim[];
};

enum { POINTER = 1, ALLOCATABLE = 2 };
/* codes of element types; a complex number's is its real type's and this */
enum { REAL4 = 27, REAL8 = 28, REAL10 = 29, COMPLEX = 7, DERIVED = 42 };

typedef const struct array *const_array;

/* DO(k) for each dimension but the first, up to the greatest rank: mostly the rank is known, and no loop is left. */
#define FURTHER(DO) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)

/* An array is walked by columns, the elements along the first dimension. A scalar is one column of one element. */

static ALWAYS_INLINE int64_t rows(const_array a) { return a->rank ? a->dim[0].extent : 1; }

static ALWAYS_INLINE int64_t row_stride(const_array a) { return a->rank ? a->dim[0].stride : 0; }

static ALWAYS_INLINE int64_t columns(const_array a) {
  int64_t count = 1;
#define TIMES(k) if (k < a->rank) count *= a->dim[k].extent;
  FURTHER(TIMES)
#undef TIMES
  return count;
}

/* Where column number j starts. */
static ALWAYS_INLINE char *column(const_array a, int64_t j) {
  int64_t offset = 0;
#define STEP(k)                                                                                                        \
  if (k < a->rank) {                                                                                                   \
    int64_t extent = a->dim[k].extent, is_last = k + 1 == a->rank;                                                     \
    offset += (is_last ? j : j % extent) * a->dim[k].stride;                                                           \
    j = is_last ? 0 : j / extent;                                                                                      \
  }
  FURTHER(STEP)
#undef STEP
  return (char *)a->base + offset;
}

static ALWAYS_INLINE int64_t elements(const_array a) { return rows(a) * columns(a); }

/* Whether the element of a logical array is true; MASK may be absent, or one value for all. */
static ALWAYS_INLINE int is_true(const char *p, uint64_t bytes) {
  switch (bytes) {
  case 1: return *(const int8_t *)p;
  case 2: return *(const int16_t *)p;
  case 4: return *(const int32_t *)p;
  default: return *(const int64_t *)p != 0;
  }
}

static ALWAYS_INLINE int selects(const_array mask, int64_t i, int64_t j) {
  if (!mask || !mask->base)
    return 1;
  return is_true(mask->rank ? column(mask, j) + i * row_stride(mask) : (char *)mask->base, mask->bytes);
}

#endif
