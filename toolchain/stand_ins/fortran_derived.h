/* Derived types in flang's runtime library: the layout of the descriptions that flang emits for them as constants (its
 * module __fortran_type_info). LLVM folds what the code here reads from these constants.
 */
#ifndef EZ_FORTRAN_DERIVED_H
#define EZ_FORTRAN_DERIVED_H
#include "fortran.h"

struct array_of_derived {
    ARRAY_HEAD
    struct ez_dimension dim[1];
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
        struct ez_dimension dim[1];
    } kind_parameters, length_parameter_kinds;
    struct array_of_derived components, procedure_components, special_bindings;
    uint32_t special_bits;
    uint8_t has_parent, no_initialization, no_destruction, no_finalization, no_defined_assignment;
};

/* What a component is, and how it starts. */
enum genre { DATA = 1, POINTER_COMPONENT = 2, ALLOCATABLE_COMPONENT = 3, AUTOMATIC = 4 };
enum category {
    CATEGORY_INTEGER,
    CATEGORY_UNSIGNED,
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
        struct ez_dimension dim[2];
        struct addendum addendum;
    } bounds;
    const void *initialization;
};

/* A pointer to a procedure, as a component. */
struct procedure_component {
    struct {
        ARRAY_HEAD
    } name;
    int64_t offset;
    intptr_t initialization;
};

/* A procedure that the language calls by itself: here one that finalises elements. They are sorted by `which`. */
struct special_binding {
    uint8_t which, takes_descriptor, is_type_bound, is_special;
    uint8_t unused[4];
    intptr_t procedure;
};

/* Final procedures of that rank follow FINAL_OF_SCALAR. */
enum { ELEMENTAL_FINAL = 7, FINAL_OF_ANY_RANK = 8, FINAL_OF_SCALAR = 9 };

/* Templates of functions: for each derived type, and for each component of one. autodiff/optimise/specialise.py makes
 * one function for each constant that a template is given: types may be nested, or hold themselves. They write
 * through their first operand only. */
#define OF_EACH(NAME) __attribute__((noinline)) __ez_of_each_##NAME
/* Takes the place of a template if the constant is not known at that time. */
#define OTHERWISE(NAME) __attribute__((noinline)) __ez_otherwise_##NAME

/* How an element is copied: to an element with a value, to one without, or so that both share their components'
 * memory. */
enum how { ASSIGN, CLONE, SHARE };

static void OF_EACH(initialize)(char *NO_ESCAPE element, const struct derived_type *);
static void OF_EACH(destroy)(char *NO_ESCAPE element, const struct derived_type *);
static void OF_EACH(finalize)(char *NO_ESCAPE element, const struct derived_type *);
static void OF_EACH(copy)(char *NO_ESCAPE to, const char *NO_ESCAPE from, enum how, const struct derived_type *);

/* DO(k) for each number up to 48. A type with more components is left to the library. This is no loop: LLVM would
 * unroll it too late. */
enum { MOST_COMPONENTS = 48 };
#define EIGHT(k, DO) DO(k) DO(k + 1) DO(k + 2) DO(k + 3) DO(k + 4) DO(k + 5) DO(k + 6) DO(k + 7)
#define EACH_COMPONENT(DO) EIGHT(0, DO) EIGHT(8, DO) EIGHT(16, DO) EIGHT(24, DO) EIGHT(32, DO) EIGHT(40, DO)

static ALWAYS_INLINE int64_t components(const struct derived_type *type) { return type->components.dim[0].extent; }
static ALWAYS_INLINE int64_t procedures(const struct derived_type *type) {
    return type->procedure_components.dim[0].extent;
}
static ALWAYS_INLINE const struct component *component(const struct derived_type *type, int k) {
    return (const struct component *)type->components.base + k;
}
static ALWAYS_INLINE const struct procedure_component *procedure(const struct derived_type *type, int k) {
    return (const struct procedure_component *)type->procedure_components.base + k;
}

static ALWAYS_INLINE const struct derived_type *type_of(const struct component *c) { return c->derived.base; }

/* True if a type of the program defines its assignment (autodiff/optimise/descriptors.py). A type with polymorphic
 * components is not marked no_defined_assignment, because a later type might define it. */
int __ez_expected_assignment(void);

static ALWAYS_INLINE int is_simple(const struct derived_type *type) {
    return type && components(type) <= MOST_COMPONENTS && procedures(type) <= MOST_COMPONENTS;
}

/* True if a final procedure of the type takes whole arrays. */
static ALWAYS_INLINE int finalizes_arrays(const struct derived_type *type) {
    return type->special_bits >> (FINAL_OF_SCALAR + 1) || type->special_bits >> FINAL_OF_ANY_RANK & 1;
}

static ALWAYS_INLINE int has_special(const struct derived_type *type, int which) {
    return type->special_bits >> which & 1;
}

/* True if the elements of arrays are not finalised, though scalars are. */
static ALWAYS_INLINE int finalizes_scalars_only(const struct derived_type *type) {
    return has_special(type, FINAL_OF_SCALAR) && !has_special(type, ELEMENTAL_FINAL);
}

static ALWAYS_INLINE const struct special_binding *special(const struct derived_type *type, int which) {
    int before = __builtin_popcount(type->special_bits & ((1u << which) - 1));
    return (const struct special_binding *)type->special_bindings.base + before;
}

/* True if the elements are of a derived type: then each component is handled here. LLVM folds it where it knows the
 * type, or that there is no derived type. */
static ALWAYS_INLINE int is_derived(view a) { return a->may_be_derived && a->type == DERIVED; }

/* What is done with elements is known here. */
static ALWAYS_INLINE int is_ours(view a) {
    if (a->is_odd)
        return 0;
    if (a->type == DERIVED)
        return is_simple(a->derived) && (is_derived(a) || (a->derived->no_destruction && a->derived->no_finalization)) &&
               !(a->rank && (finalizes_arrays(a->derived) || finalizes_scalars_only(a->derived)));
    return is_number(a->type) || a->type == C_POINTER;
}

/* Assignment only concerns the memory that components own. */
static ALWAYS_INLINE int is_assigned_simply(view a) {
    return is_ours(a) && (a->type != DERIVED || a->derived->no_defined_assignment || !__ez_expected_assignment());
}

/* Initial values are known here. */
static ALWAYS_INLINE int can_start(view a) {
    if (a->is_odd)
        return 0;
    return a->type != DERIVED || (is_ours(a) && (is_derived(a) || a->derived->no_initialization));
}

static ALWAYS_INLINE int type_code(int category, int kind) {
    switch (category) {
    case CATEGORY_INTEGER:
    case CATEGORY_UNSIGNED: return kind == 1 ? 7 : kind == 2 ? 8 : kind == 4 ? 9 : 10;
    case CATEGORY_REAL: return kind == 4 ? REAL4 : kind == 8 ? REAL8 : REAL10;
    case CATEGORY_COMPLEX: return COMPLEX + (kind == 4 ? REAL4 : kind == 8 ? REAL8 : REAL10);
    case CATEGORY_LOGICAL: return kind == 1 ? LOGICAL : kind == 2 ? 13 : kind == 4 ? 14 : 15;
    case CATEGORY_CHARACTER: return kind == 1 ? CHARACTER : kind == 2 ? CHARACTER2 : CHARACTER4;
    default: return DERIVED;
    }
}

/* The bytes of an element. The length of a character may be known only at run time. */
static ALWAYS_INLINE uint64_t component_bytes(const struct component *c) {
    if (c->category == CATEGORY_DERIVED)
        return type_of(c) ? type_of(c)->bytes : 0;
    if (c->category == CATEGORY_CHARACTER)
        return c->kind * c->length.value;
    int bytes = c->kind == 10 ? 16 : c->kind;
    return c->category == CATEGORY_COMPLEX ? 2 * bytes : bytes;
}

static ALWAYS_INLINE int64_t component_elements(const struct component *c) {
    const int64_t *bounds = c->bounds.base; /* of each dimension two values, of 16 bytes: genre and value */
    int64_t count = 1;
#define TIMES(k)     \
    if (k < c->rank) \
        count *= bounds[4 * k + 3] - bounds[4 * k + 1] + 1;
    DIMENSIONS(TIMES)
#undef TIMES
    return count;
}

/* Copies elements of what a component is, without gaps. */
static ALWAYS_INLINE void copy_parts(char *to, const char *from, int64_t count, uint64_t bytes, enum how how,
                                     const struct component *c) {
    struct view kind = {.bytes = bytes, .type = type_code(c->category, c->kind), .is_known = 1};
    if (is_storage(kind.type)) {
        memcpy(to, from, count * bytes);
        return;
    }
    for (int64_t n = 0; n < count; n++)
        if (c->category == CATEGORY_DERIVED)
            __ez_of_each_copy(to + n * bytes, from + n * bytes, how, type_of(c));
        else
            copy_element(to + n * bytes, from + n * bytes, &kind);
}

static ALWAYS_INLINE void destroy_parts(char *elements, int64_t count, const struct component *c) {
    if (c->category == CATEGORY_DERIVED && !type_of(c)->no_destruction)
        for (int64_t n = 0; n < count; n++)
            __ez_of_each_destroy(elements + n * type_of(c)->bytes, type_of(c));
}

static ALWAYS_INLINE void finalize_parts(char *elements, int64_t count, uint64_t bytes, int rank,
                                         const struct derived_type *type) {
    if (rank && (finalizes_arrays(type) || finalizes_scalars_only(type)))
        __ez_primal_only("a final procedure of arrays");
    for (int64_t n = 0; n < count; n++)
        __ez_of_each_finalize(elements + n * bytes, type);
}

/* Descriptors of components that are pointers or allocatable. */

static ALWAYS_INLINE struct addendum *addendum_of(const_array a, const struct component *c) {
    return (struct addendum *)&a->dim[c->rank];
}

/* What the declaration of the component says of it. */
static ALWAYS_INLINE void establish(struct array *a, const struct component *c) {
    a->bytes = component_bytes(c);
    a->version = VERSION;
    a->rank = c->rank;
    a->type = type_code(c->category, c->kind);
    a->attribute = c->genre == POINTER_COMPONENT ? POINTER : ALLOCATABLE;
    a->extra = c->category == CATEGORY_DERIVED ? HAS_ADDENDUM : 0;
    if (c->category == CATEGORY_DERIVED)
        *addendum_of(a, c) = (struct addendum){type_of(c), {0}};
}

/* Copies only what the declaration leaves open: LLVM knows the rest. */
static ALWAYS_INLINE void copy_shape(struct array *to, const_array from, const struct component *c) {
    establish(to, c);
    if (c->category == CATEGORY_CHARACTER)
        to->bytes = from->bytes;
#define COPY(k)      \
    if (k < c->rank) \
        to->dim[k] = from->dim[k];
    DIMENSIONS(COPY)
#undef COPY
}

/* The target of a pointer, or an allocatable component, may have a type that extends the declared type. */
static ALWAYS_INLINE void copy_descriptor(struct array *to, const_array from, const struct component *c) {
    to->base = from->base;
    copy_shape(to, from, c);
    if (c->category == CATEGORY_DERIVED) {
        to->bytes = from->bytes;
        to->type = from->type;
        addendum_of(to, c)->type = addendum_of(from, c)->type;
    }
}

static ALWAYS_INLINE int64_t allocated_elements(const_array a, const struct component *c) {
    int64_t count = 1;
#define TIMES(k)     \
    if (k < c->rank) \
        count *= a->dim[k].extent;
    DIMENSIONS(TIMES)
#undef TIMES
    return count;
}

static ALWAYS_INLINE int is_alike(const_array a, const_array b, const struct component *c) {
    int same = a->bytes == b->bytes;
#define SAME(k)      \
    if (k < c->rank) \
        same &= a->dim[k].extent == b->dim[k].extent;
    DIMENSIONS(SAME)
#undef SAME
    return same;
}

/* True if other types of the program extend the type: autodiff/optimise/specialise.py puts a constant in its place. */
int __ez_is_extended(const struct derived_type *);

/* True if the allocated value has another type than the component's declared type. */
static ALWAYS_INLINE int is_polymorphic(const_array a, const struct component *c) {
    return c->category == CATEGORY_DERIVED &&
           (!type_of(c) || (__ez_is_extended(type_of(c)) && a->base && addendum_of(a, c)->type != type_of(c)));
}

void _FortranAAssign(struct array *NO_ESCAPE, const_array NO_ESCAPE, const char *, int);
void _FortranAInitialize(const_array NO_ESCAPE, const char *, int);
void _FortranADestroy(const_array NO_ESCAPE);
void _FortranADestroyWithoutFinalization(const_array NO_ESCAPE);
void _FortranAFinalize(const_array NO_ESCAPE);
int _FortranAAllocatableDeallocate(struct array *NO_ESCAPE, _Bool, const_array, const char *, int);

static ALWAYS_INLINE void free_allocatable(struct array *a, const struct component *c) {
    if (!a->base)
        return;
    int64_t count = allocated_elements(a, c);
    if (is_polymorphic(a, c)) {
        const struct derived_type *type = addendum_of(a, c)->type;
        if (type && !type->no_destruction)
            for (int64_t n = 0; n < count; n++)
                __ez_of_each_destroy((char *)a->base + __ez_alike(n * type->bytes), type);
    } else
        destroy_parts(a->base, count, c);
    free(a->base);
    a->base = 0;
}

/* The copy has the dynamic type of the original; a value of class(*) may have no derived type. */
static ALWAYS_INLINE void clone_polymorphic(struct array *to, const_array from, const struct component *c) {
    const struct derived_type *type = addendum_of(from, c)->type;
    int64_t bytes = from->bytes, count = allocated_elements(from, c);
    char *made = malloc(count * bytes + !(count * bytes));
    if (type)
        for (int64_t n = 0; n < count; n++) {
            int64_t offset = __ez_alike(n * bytes);
            __ez_of_each_copy(made + offset, (char *)from->base + offset, CLONE, type);
        }
    else
        memcpy(made, from->base, count * bytes);
    copy_descriptor(to, from, c);
    to->base = made;
}

static ALWAYS_INLINE void clone_allocatable(struct array *to, const_array from, const struct component *c) {
    int64_t bytes = c->category == CATEGORY_CHARACTER ? from->bytes : component_bytes(c);
    int64_t count = allocated_elements(from, c);
    char *made = malloc(count * bytes + !(count * bytes));
    copy_parts(made, from->base, count, bytes, CLONE, c);
    copy_shape(to, from, c);
    to->base = made;
}

static ALWAYS_INLINE void assign_allocatable(struct array *to, const_array from, enum how how,
                                             const struct component *c) {
    if (how == CLONE) {
        to->base = 0;
        establish(to, c);
    }
    int is_odd = is_polymorphic(from, c);
    if (from->base && how == ASSIGN && to->base && !is_odd && !is_polymorphic(to, c) && is_alike(to, from, c)) {
        copy_parts(to->base, from->base, allocated_elements(from, c), component_bytes(c), ASSIGN, c);
        return;
    }
    free_allocatable(to, c);
    if (from->base && is_odd)
        clone_polymorphic(to, from, c);
    else if (from->base)
        clone_allocatable(to, from, c);
}

static void OF_EACH(copy_component)(char *NO_ESCAPE to, const char *NO_ESCAPE from, enum how how,
                                    const struct component *c) {
    to += c->offset;
    from += c->offset;
    if (c->genre == DATA)
        copy_parts(to, from, component_elements(c), component_bytes(c), how, c);
    else if (c->genre == POINTER_COMPONENT || how == SHARE)
        copy_descriptor((struct array *)to, (const_array)from, c);
    else
        assign_allocatable((struct array *)to, (const_array)from, how, c);
}

static void OF_EACH(destroy_component)(char *NO_ESCAPE element, const struct component *c) {
    element += c->offset;
    if (c->genre == DATA)
        destroy_parts(element, component_elements(c), c);
    else if (c->genre == ALLOCATABLE_COMPONENT)
        free_allocatable((struct array *)element, c);
}

static void OF_EACH(finalize_component)(char *NO_ESCAPE element, const struct component *c) {
    element += c->offset;
    if (c->category != CATEGORY_DERIVED || c->genre == POINTER_COMPONENT)
        return;
    if (c->genre == DATA) {
        if (!type_of(c)->no_finalization)
            finalize_parts(element, component_elements(c), type_of(c)->bytes, c->rank, type_of(c));
        return;
    }
    struct array *a = (struct array *)element;
    const struct derived_type *type = is_polymorphic(a, c) ? addendum_of(a, c)->type : type_of(c);
    if (a->base && type && !type->no_finalization)
        finalize_parts(a->base, allocated_elements(a, c), type->bytes, c->rank, type);
}

static void OF_EACH(initialize_component)(char *NO_ESCAPE element, const struct component *c) {
    element += c->offset;
    int64_t count = component_elements(c), bytes = component_bytes(c);
    if (c->genre == DATA && c->initialization)
        copy_parts(element, c->initialization, count, bytes, SHARE, c);
    else if (c->genre == DATA && c->category == CATEGORY_DERIVED && !type_of(c)->no_initialization)
        for (int64_t n = 0; n < count; n++)
            __ez_of_each_initialize(element + n * bytes, type_of(c));
    else if (c->genre != DATA && c->initialization)
        copy_descriptor((struct array *)element, c->initialization, c);
    else if (c->genre != DATA) {
        ((struct array *)element)->base = 0;
        establish((struct array *)element, c);
    }
}

static ALWAYS_INLINE void copy_procedure(char *to, const char *from, const struct procedure_component *c) {
    *(void **)(to + c->offset) = *(void *const *)(from + c->offset);
}

static ALWAYS_INLINE void initialize_procedure(char *element, const struct procedure_component *c) {
    *(void **)(element + c->offset) = (void *)c->initialization;
}

/* For types that were not known when the program was linked. */

static ALWAYS_INLINE struct scalar_of_derived scalar(const char *element, const struct derived_type *type) {
    struct scalar_of_derived s = {(void *)element, type->bytes, VERSION, 0, DERIVED, 0, HAS_ADDENDUM, {type, {0}}};
    return s;
}

static void OTHERWISE(copy)(char *NO_ESCAPE to, const char *NO_ESCAPE from, enum how how,
                            const struct derived_type *type) {
    __ez_primal_only("_FortranAAssign");
    struct scalar_of_derived target = scalar(to, type), source = scalar(from, type);
    if (how == SHARE) {
        memcpy(to, from, type->bytes);
        return;
    }
    if (how == CLONE)
        _FortranAInitialize((const_array)&target, 0, 0);
    _FortranAAssign((struct array *)&target, (const_array)&source, 0, 0);
}

static void OTHERWISE(destroy)(char *NO_ESCAPE element, const struct derived_type *type) {
    __ez_primal_only("_FortranADestroy");
    struct scalar_of_derived target = scalar(element, type);
    _FortranADestroy((const_array)&target);
}

static void OTHERWISE(finalize)(char *NO_ESCAPE element, const struct derived_type *type) {
    __ez_primal_only("_FortranAFinalize");
    struct scalar_of_derived target = scalar(element, type);
    _FortranAFinalize((const_array)&target);
}

static void OTHERWISE(initialize)(char *NO_ESCAPE element, const struct derived_type *type) {
    __ez_primal_only("_FortranAInitialize");
    struct scalar_of_derived target = scalar(element, type);
    _FortranAInitialize((const_array)&target, 0, 0);
}

static void OF_EACH(copy)(char *NO_ESCAPE to, const char *NO_ESCAPE from, enum how how,
                          const struct derived_type *type) {
    if (!type) {
        __ez_otherwise_copy(to, from, how, type);
        return;
    }
#define DO(k)                 \
    if (k < components(type)) \
        __ez_of_each_copy_component(to, from, how, component(type, k));
    EACH_COMPONENT(DO)
#undef DO
#define DO(k)                 \
    if (k < procedures(type)) \
        copy_procedure(to, from, procedure(type, k));
    EACH_COMPONENT(DO)
#undef DO
}

static void OF_EACH(destroy)(char *NO_ESCAPE element, const struct derived_type *type) {
    if (!type) {
        __ez_otherwise_destroy(element, type);
        return;
    }
#define DO(k)                 \
    if (k < components(type)) \
        __ez_of_each_destroy_component(element, component(type, k));
    EACH_COMPONENT(DO)
#undef DO
}

/* The type's own final procedure comes first, and the parent's last (Fortran 2018, 7.5.6.2). */
static void OF_EACH(finalize)(char *NO_ESCAPE element, const struct derived_type *type) {
    if (!type) {
        __ez_otherwise_finalize(element, type);
        return;
    }
    int which = has_special(type, FINAL_OF_SCALAR) ? FINAL_OF_SCALAR : ELEMENTAL_FINAL;
    if (has_special(type, which)) {
        const struct special_binding *final = special(type, which);
        struct scalar_of_derived described = scalar(element, type);
        ((void (*)(void *))final->procedure)(final->takes_descriptor & 1 ? (void *)&described : element);
    } else if (has_special(type, FINAL_OF_ANY_RANK))
        __ez_otherwise_finalize(element, type);
#define DO(k)                                             \
    if (k >= type->has_parent && k < components(type)) \
        __ez_of_each_finalize_component(element, component(type, k));
    EACH_COMPONENT(DO)
#undef DO
    if (type->has_parent)
        __ez_of_each_finalize_component(element, component(type, 0));
}

static void OF_EACH(initialize)(char *NO_ESCAPE element, const struct derived_type *type) {
    if (!type) {
        __ez_otherwise_initialize(element, type);
        return;
    }
#define DO(k)                 \
    if (k < components(type)) \
        __ez_of_each_initialize_component(element, component(type, k));
    EACH_COMPONENT(DO)
#undef DO
#define DO(k)                 \
    if (k < procedures(type)) \
        initialize_procedure(element, procedure(type, k));
    EACH_COMPONENT(DO)
#undef DO
}

/* The rank and the type that a descriptor has by the program's declarations. autodiff/optimise/descriptors.py puts
 * constants in the place of these calls, -1 or null if it does not know. `surely`: 1 if no other rank and type is
 * possible, 2 if also no other derived type is. */
int __ez_expected_rank(const_array NO_ESCAPE);
int __ez_expected_addendum(const_array NO_ESCAPE);
int __ez_expected_surely(const_array NO_ESCAPE);
const struct derived_type *__ez_expected_type(const_array NO_ESCAPE);

static ALWAYS_INLINE int is_other(const_array a, int rank, int addendum) {
    return a->rank != rank || (a->extra & HAS_ADDENDUM) != addendum;
}

/* The expected kind, as a constant: the place of the addendum depends on it. */
static ALWAYS_INLINE struct kind expected(const_array a) {
    struct kind k = {a->bytes, a->rank, a->type, a->attribute, a->extra, UNKNOWN, 0, 0};
    int rank = __ez_expected_rank(a), addendum = __ez_expected_addendum(a), surely = __ez_expected_surely(a);
    const struct derived_type *type = __ez_expected_type(a);
    if (rank >= 0) {
        k.rank = rank;
        k.odd = !surely && is_other(a, rank, addendum);
    }
    if (type) {
        k.odd = k.odd || (surely < 2 && derived_at(a, k.rank) != type);
        k.derived = type;
        k.type = DERIVED;
        k.bytes = type->bytes;
    } else if (addendum && a->type == DERIVED && (a->extra & HAS_ADDENDUM) && !k.odd)
        k.derived = derived_at(a, k.rank);
    k = rated(k);
    if (k.known == UNKNOWN && rank >= 0 && addendum == 1)
        k.known = MAY_BE_DERIVED;
    return k;
}

#define PASS_EXPECTED(a) PASS_KIND(a, expected(a))
#define CHANGE_EXPECTED(a, CALL) CHANGE_KIND(a, expected, CALL)

/* Whole arrays of any type. */

static ALWAYS_INLINE void copy_to(char *to, const char *from, enum how how, view kind) {
    if (is_derived(kind))
        __ez_of_each_copy(to, from, how, kind->derived);
    else
        copy_element(to, from, kind);
}

static ALWAYS_INLINE int has_other_length(view to, view from) { return is_text(from->type) && to->bytes != from->bytes; }

static ALWAYS_INLINE int are_blocks(view to, view from) {
    return from->is_type_known && is_storage(from->type) && from->rank && !has_other_length(to, from) && is_block(to) &&
           is_block(from);
}

/* Of the same shape, unless `from` is a scalar. A number whose bytes are several elements is moved as a whole. */
static ALWAYS_INLINE void copy_all(view to, view from, enum how how) {
    if (are_blocks(to, from)) {
        memmove(to->base, from->base, elements(to) * from->bytes);
        return;
    }
    if (from->is_type_known && is_storage(from->type) && from->rank && !has_other_length(to, from)) {
        for (int64_t j = 0; j < columns(to); j++)
            copy_elements(place(to, 0, j), row_stride(to), place(from, 0, j), row_stride(from), rows(to), from);
        return;
    }
    for (int64_t j = 0; j < columns(to); j++)
        for (int64_t i = 0; i < rows(to); i++) {
            const char *source = from->rank ? place(from, i, j) : (char *)from->base;
            if (has_other_length(to, from))
                copy_text(place(to, i, j), to->bytes, source, from->bytes, from->type);
            else
                copy_to(place(to, i, j), source, how, from);
        }
}

static ALWAYS_INLINE void initialize(view a) {
    if (is_derived(a) && !a->derived->no_initialization)
        for (int64_t j = 0; j < columns(a); j++)
            for (int64_t i = 0; i < rows(a); i++)
                __ez_of_each_initialize(place(a, i, j), a->derived);
}

static ALWAYS_INLINE void finalize(view a) {
    if (is_derived(a) && !a->derived->no_finalization)
        for (int64_t j = 0; j < columns(a); j++)
            for (int64_t i = 0; i < rows(a); i++)
                __ez_of_each_finalize(place(a, i, j), a->derived);
}

/* Frees what the elements own. */
static ALWAYS_INLINE void destroy(view a) {
    if (is_derived(a) && !a->derived->no_destruction)
        for (int64_t j = 0; j < columns(a); j++)
            for (int64_t i = 0; i < rows(a); i++)
                __ez_of_each_destroy(place(a, i, j), a->derived);
}

#endif
