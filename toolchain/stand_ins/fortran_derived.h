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

/* What a component is, and how it starts. */
enum genre { DATA = 1, POINTER_COMPONENT = 2, ALLOCATABLE_COMPONENT = 3, AUTOMATIC = 4 };
enum category {
  CATEGORY_INTEGER,
  CATEGORY_REAL,
  CATEGORY_COMPLEX,
  CATEGORY_CHARACTER,
  CATEGORY_LOGICAL,
  CATEGORY_DERIVED
};

struct component {
  struct {
    ARRAY_HEAD
  } name;
  uint8_t genre, category, kind, rank;
  int64_t offset;
  struct {
    int8_t genre;
    int64_t value;
  } length;
  struct scalar_of_derived derived;
  struct array_of_derived length_values;
  struct {
    ARRAY_HEAD
    struct dimension dim[2];
    struct addendum addendum;
  } bounds;
  const void *initialization;
};

/* DO(c) for each component of a type, of the first 8: further ones are the library's business. */
enum { MOST_COMPONENTS = 8 };
#define COMPONENT(k, type, DO)                                                                                         \
  if (k < type->components.dim[0].extent) {                                                                            \
    const struct component *c = (const struct component *)type->components.base + k;                                   \
    STATEMENTS DO                                                                                                      \
  }
#define STATEMENTS(...) __VA_ARGS__
#define EIGHT(k, type, DO)                                                                                             \
  COMPONENT(k, type, DO) COMPONENT(k + 1, type, DO) COMPONENT(k + 2, type, DO) COMPONENT(k + 3, type, DO)              \
  COMPONENT(k + 4, type, DO) COMPONENT(k + 5, type, DO) COMPONENT(k + 6, type, DO) COMPONENT(k + 7, type, DO)
#define COMPONENTS(type, ...) EIGHT(0, type, (__VA_ARGS__))

static ALWAYS_INLINE const struct derived_type *type_of(const struct component *c) {
  return c->derived.base;
}

static ALWAYS_INLINE int holds_plain(const struct derived_type *type) {
  return type->no_destruction && type->no_finalization && type->no_defined_assignment;
}

/* No component is allocatable, nothing is to be done on assignment or at the end. */
static ALWAYS_INLINE int owns_nothing(view a) { return holds_plain(a->derived); }

static ALWAYS_INLINE int is_number(int type) { return type > 0 && (type < CHARACTER || type > DERIVED + 2); }

/* Elements may be copied as bytes, nothing hangs on them. */
static ALWAYS_INLINE int is_plain(view a) {
  return is_number(a->type) || a->type == C_POINTER || (a->type == DERIVED && owns_nothing(a));
}

/* The only things that hang on an element are allocatable components, of numbers or of types on which nothing hangs. */
static ALWAYS_INLINE int is_shallow(const struct derived_type *type) {
  int shallow = type->no_finalization && type->no_defined_assignment &&
                type->components.dim[0].extent <= MOST_COMPONENTS && !type->procedure_components.dim[0].extent;
  COMPONENTS(type, {
    int plain = c->category == CATEGORY_DERIVED ? holds_plain(type_of(c)) : c->category != CATEGORY_CHARACTER;
    shallow &= c->genre == DATA                ? c->category == CATEGORY_CHARACTER || plain
               : c->genre == POINTER_COMPONENT ? 1
                                               : c->genre == ALLOCATABLE_COMPONENT && plain;
  })
  return shallow;
}

static ALWAYS_INLINE int is_owner(view a) { return a->type == DERIVED && is_shallow(a->derived); }

static ALWAYS_INLINE int type_code(int category, int kind) {
  switch (category) {
  case CATEGORY_INTEGER: return kind == 1 ? 7 : kind == 2 ? 8 : kind == 4 ? 9 : 10;
  case CATEGORY_REAL: return kind == 4 ? REAL4 : kind == 8 ? REAL8 : REAL10;
  case CATEGORY_COMPLEX: return COMPLEX + (kind == 4 ? REAL4 : kind == 8 ? REAL8 : REAL10);
  case CATEGORY_LOGICAL: return kind == 1 ? LOGICAL : kind == 2 ? 13 : kind == 4 ? 14 : 15;
  default: return DERIVED;
  }
}

static ALWAYS_INLINE uint64_t component_bytes(const struct component *c) {
  if (c->category == CATEGORY_DERIVED)
    return type_of(c)->bytes;
  int bytes = c->kind == 10 ? 16 : c->kind;
  return c->category == CATEGORY_COMPLEX ? 2 * bytes : bytes;
}

static ALWAYS_INLINE void free_components(char *element, const struct derived_type *type) {
  COMPONENTS(type, {
    if (c->genre == ALLOCATABLE_COMPONENT) {
      struct array *a = (struct array *)(element + c->offset);
      free(a->base);
      a->base = 0;
    }
  })
}

/* The memory of an allocatable component, which has no gaps. */
static ALWAYS_INLINE void *copy_of_component(const_array old, const struct component *c) {
  struct view kind = {.bytes = component_bytes(c), .type = type_code(c->category, c->kind), .is_known = 1};
  int64_t count = 1;
#define TIMES(k) if (k < c->rank) count *= old->dim[k].extent;
  DIMENSIONS(TIMES)
#undef TIMES
  char *made = malloc(count * kind.bytes + !count);
  for (int64_t n = 0; n < count; n++)
    copy_element(made + n * kind.bytes, (const char *)old->base + n * kind.bytes, &kind);
  return made;
}

/* Copies an element with all that hangs on it. */
static ALWAYS_INLINE void copy_owner(char *to, const char *from, const struct derived_type *type) {
  free_components(to, type);
  memcpy(to, from, type->bytes);
  COMPONENTS(type, {
    const_array old = (const_array)(from + c->offset);
    if (c->genre == ALLOCATABLE_COMPONENT && old->base)
      ((struct array *)(to + c->offset))->base = copy_of_component(old, c);
  })
}

static ALWAYS_INLINE int64_t component_elements(const struct component *c) {
  const int64_t *bounds = c->bounds.base; /* of each dimension two values, of 16 bytes: genre and value */
  int64_t count = 1;
#define TIMES(k) if (k < c->rank) count *= bounds[4 * k + 3] - bounds[4 * k + 1] + 1;
  DIMENSIONS(TIMES)
#undef TIMES
  return count;
}

static ALWAYS_INLINE int needs_initialization(view a) { return a->type == DERIVED && !a->derived->no_initialization; }

/* Components start as data that are given, disassociated or not allocated; none is of a type that needs more. */
static ALWAYS_INLINE int is_easily_initialized(view a) {
  if (a->type != DERIVED)
    return 1;
  const struct derived_type *type = a->derived;
  int easy = type->components.dim[0].extent <= MOST_COMPONENTS && !type->procedure_components.dim[0].extent;
  COMPONENTS(type, {
    if (c->genre == DATA)
      easy &= c->category == CATEGORY_DERIVED     ? type_of(c)->no_initialization
              : c->category == CATEGORY_CHARACTER ? !c->initialization
                                                  : 1;
    else
      easy &= c->genre == POINTER_COMPONENT || (c->genre == ALLOCATABLE_COMPONENT && c->category != CATEGORY_CHARACTER);
  })
  return easy;
}

static ALWAYS_INLINE void initialize_element(char *element, view a) {
  const struct derived_type *type = a->derived;
  COMPONENTS(type, {
    if (c->genre == DATA) {
      if (c->initialization)
        memcpy(element + c->offset, c->initialization, component_bytes(c) * component_elements(c));
    } else if (c->initialization) {
      int has_addendum = c->category == CATEGORY_DERIVED;
      memcpy(element + c->offset, c->initialization,
             sizeof(struct array) + c->rank * sizeof(struct dimension) + has_addendum * sizeof(struct addendum));
    } else {
      struct array *part = (struct array *)(element + c->offset);
      part->base = 0;
      part->bytes = component_bytes(c);
      part->version = a->version;
      part->rank = c->rank;
      part->type = type_code(c->category, c->kind);
      part->attribute = c->genre == POINTER_COMPONENT ? POINTER : ALLOCATABLE;
      part->extra = c->category == CATEGORY_DERIVED;
      if (c->category == CATEGORY_DERIVED)
        ((struct addendum *)&part->dim[c->rank])->type = type_of(c);
    }
  })
}

static ALWAYS_INLINE void initialize(view a) {
  if (needs_initialization(a))
    for (int64_t j = 0; j < columns(a); j++)
      for (int64_t i = 0; i < rows(a); i++)
        initialize_element(place(a, i, j), a);
}

static ALWAYS_INLINE void destroy(view a) {
  if (a->type == DERIVED && !owns_nothing(a))
    for (int64_t j = 0; j < columns(a); j++)
      for (int64_t i = 0; i < rows(a); i++)
        free_components(place(a, i, j), a->derived);
}

#endif
