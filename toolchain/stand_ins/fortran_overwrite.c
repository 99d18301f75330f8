/* Statements that write over numbers: RANDOM_NUMBER, READ. The library writes to fresh memory, and what it wrote is then
 * stored: constants, whose derivative is zero. What an input statement leaves as it is keeps value and derivative: a fresh
 * number starts as a NaN that no input has. */
#include "fortran_derived.h"

#define UNREAD "0x21c3e1d2"

/* Tells the analyses that numbers may be written there. The link is refused if they carry derivatives. */
void __ez_overwritten(void *NO_ESCAPE place);
/* Tells them that integers, logical values or characters are written there. The link is refused if these bytes are those
 * of numbers that carry derivatives. */
void __ez_overwritten_storage(void *NO_ESCAPE place, int64_t bytes);

int __ez_is_unread_long(const long double *NO_ESCAPE fresh);

static ALWAYS_INLINE int is_unread4(const float *x) {
    return __builtin_bit_cast(uint32_t, *x) == __builtin_bit_cast(uint32_t, __builtin_nansf(UNREAD));
}
static ALWAYS_INLINE int is_unread8(const double *x) {
    return __builtin_bit_cast(uint64_t, *x) == __builtin_bit_cast(uint64_t, __builtin_nans(UNREAD));
}
static ALWAYS_INLINE int is_unread10(const long double *x) { return __ez_is_unread_long(x); }

/* The type of the numbers that an element consists of: one, or the two of a complex number. OTHER: it is no number. */
static ALWAYS_INLINE int number_type(int type) {
    int real = type >= REAL4 + COMPLEX ? type - COMPLEX : type;
    return real >= REAL4 && real <= REAL10 ? real : OTHER;
}

/* The type of the elements by the program's declarations, -1 if it is not known (autodiff/optimise/descriptors.py). */
int __ez_expected_code(const_array NO_ESCAPE);

static ALWAYS_INLINE int bytes_of(int type) {
    return type == REAL4 ? 4 : type == REAL8 || type == REAL4 + COMPLEX ? 8 : type == REAL10 + COMPLEX ? 32 : 16;
}

static ALWAYS_INLINE struct kind kind_of_numbers(const_array a) {
    struct kind k = expected(a);
    int code = __ez_expected_code(a);
    if (code < 0 || k.known >= TYPE_KNOWN || k.odd)
        return k;
    k.odd = k.type != code;
    k.type = code;
    if (number_type(code) != OTHER)
        k.bytes = bytes_of(code);
    else if (code == DERIVED && !k.derived)
        k.derived = derived_at(a, k.rank);
    return rated(k);
}

static ALWAYS_INLINE void start_number(char *fresh, int n, int type) {
    switch (type) {
    case REAL4: ((float *)fresh)[n] = __builtin_nansf(UNREAD); break;
    case REAL8: ((double *)fresh)[n] = __builtin_nans(UNREAD); break;
    case REAL10: ((long double *)fresh)[n] = __builtin_nansl(UNREAD); break;
    }
}

#define TAKE(T, is_unread)                   \
    if (!is_unread((const T *)fresh + n)) \
    ((T *)to)[n] = ((const T *)fresh)[n]
static ALWAYS_INLINE void take_number(char *to, const char *fresh, int n, int type) {
    switch (type) {
    case REAL4: TAKE(float, is_unread4); break;
    case REAL8: TAKE(double, is_unread8); break;
    case REAL10: TAKE(long double, is_unread10); break;
    }
}

/* Bits of `special_bits`: a procedure of the program reads the type. */
enum { READS = 3 << 3 };

static ALWAYS_INLINE int is_plain(const struct derived_type *type) {
    return is_simple(type) && !(type->special_bits & READS);
}

static void OF_EACH(start)(char *NO_ESCAPE fresh, const char *NO_ESCAPE old, const struct derived_type *);
static void OF_EACH(take)(char *NO_ESCAPE to, const char *NO_ESCAPE fresh, const struct derived_type *);

/* An element as the library is given it: numbers are unread, all else is as it was. */
static ALWAYS_INLINE void start_element(char *fresh, const char *old, view kind) {
    int type = number_type(kind->type);
    if (kind->type == DERIVED)
        __ez_of_each_start(fresh, old, kind->derived);
    else if (type == OTHER)
        copy_element(fresh, old, kind);
    else {
        start_number(fresh, 0, type);
        if (kind->type != type)
            start_number(fresh, 1, type);
    }
}

static ALWAYS_INLINE void take_element(char *to, const char *fresh, view kind) {
    int type = number_type(kind->type);
    if (kind->type == DERIVED)
        __ez_of_each_take(to, fresh, kind->derived);
    else if (type == OTHER)
        copy_element(to, fresh, kind);
    else {
        take_number(to, fresh, 0, type);
        if (kind->type != type)
            take_number(to, fresh, 1, type);
    }
}

/* Only a procedure of the program reads components that are pointers or allocatable. */
static ALWAYS_INLINE struct view part(const struct component *c) {
    if (c->genre != DATA)
        __ez_primal_only("a procedure that reads a derived type");
    struct view kind = {.bytes = component_bytes(c), .type = type_code(c->category, c->kind), .is_known = 1};
    kind.derived = c->category == CATEGORY_DERIVED ? type_of(c) : 0;
    return kind;
}

static void OF_EACH(start_component)(char *NO_ESCAPE fresh, const char *NO_ESCAPE old, const struct component *c) {
    struct view kind = part(c);
    for (int64_t n = 0; n < component_elements(c); n++)
        start_element(fresh + c->offset + n * kind.bytes, old + c->offset + n * kind.bytes, &kind);
}

static void OF_EACH(take_component)(char *NO_ESCAPE to, const char *NO_ESCAPE fresh, const struct component *c) {
    struct view kind = part(c);
    if (is_storage(kind.type))
        __ez_overwritten_storage(to + c->offset, kind.bytes);
    for (int64_t n = 0; n < component_elements(c); n++)
        take_element(to + c->offset + n * kind.bytes, fresh + c->offset + n * kind.bytes, &kind);
}

static void OTHERWISE(start)(char *NO_ESCAPE fresh, const char *NO_ESCAPE old, const struct derived_type *type) {
    __ez_primal_only("an input statement");
    memcpy(fresh, old, type->bytes);
}

static void OTHERWISE(take)(char *NO_ESCAPE to, const char *NO_ESCAPE fresh, const struct derived_type *type) {
    __ez_primal_only("an input statement");
    memcpy(to, fresh, type->bytes);
}

static void OF_EACH(start)(char *NO_ESCAPE fresh, const char *NO_ESCAPE old, const struct derived_type *type) {
    if (!type) {
        __ez_otherwise_start(fresh, old, type);
        return;
    }
    if (!is_plain(type)) {
        memcpy(fresh, old, type->bytes);
        return;
    }
#define DO(k)                 \
    if (k < components(type)) \
        __ez_of_each_start_component(fresh, old, component(type, k));
    EACH_COMPONENT(DO)
#undef DO
}

static void OF_EACH(take)(char *NO_ESCAPE to, const char *NO_ESCAPE fresh, const struct derived_type *type) {
    if (!type) {
        __ez_otherwise_take(to, fresh, type);
        return;
    }
    if (!is_plain(type)) {
        __ez_overwritten(to);
        memcpy(to, fresh, type->bytes);
        return;
    }
#define DO(k)                 \
    if (k < components(type)) \
        __ez_of_each_take_component(to, fresh, component(type, k));
    EACH_COMPONENT(DO)
#undef DO
}

/* -- whole arrays */

/* Rates again how well the kind is known: flang makes many descriptors of allocatable variables, and LLVM only sees now
 * what they hold. */
static ALWAYS_INLINE void rate_again(struct view *a) {
    if (__builtin_constant_p(a->rank) && __builtin_constant_p(a->type)) {
        a->is_type_known = a->may_be_derived = 1;
        a->is_known = __builtin_constant_p(a->bytes);
    }
}
#define LOOK_AGAIN(a) \
    VIEW(a);          \
    rate_again(a)


/* The descriptor of the elements in fresh memory. */
static ALWAYS_INLINE const_array lend_fresh(struct loan *copy, const_array a, view fresh) {
    lend(copy, a);
    give_back((struct array *)copy, fresh);
    return (const_array)copy;
}

/* True if elements are numbers or have some, and are handled here. Which derived type it is may be known only when the
 * program runs. */
static ALWAYS_INLINE int is_read_here(view a) {
    if (a->is_odd || !a->is_type_known)
        return 0;
    return is_derived(a) || number_type(a->type) != OTHER;
}

static ALWAYS_INLINE int has_no_numbers(view a) {
    return a->is_type_known && a->type != DERIVED && number_type(a->type) == OTHER;
}

/* The library writes to the array itself. */
static ALWAYS_INLINE void leave(view a) {
    if (a->is_odd)
        __ez_primal_only("a statement that writes to an array");
    else if (!has_no_numbers(a))
        __ez_overwritten(a->base);
    else if (is_storage(a->type))
        __ez_overwritten_storage(a->base, a->bytes);
}

/* Makes what the library is given: the elements in fresh memory, or the array itself. */
static ALWAYS_INLINE void start_all(struct view *fresh, view a) {
    *fresh = *a;
    if (!is_read_here(a))
        leave(a);
    if (!is_read_here(a) || !a->base)
        return;
    allocate(fresh);
    for (int64_t j = 0; j < columns(a); j++)
        for (int64_t i = 0; i < rows(a); i++)
            start_element(place(fresh, i, j), place(a, i, j), a);
}

static ALWAYS_INLINE void take_all(view a, view fresh) {
    if (!is_read_here(a) || !a->base)
        return;
    for (int64_t j = 0; j < columns(a); j++)
        for (int64_t i = 0; i < rows(a); i++)
            take_element(place(a, i, j), place(fresh, i, j), a);
    free(fresh->base);
}

void _FortranARandomNumber(const_array, const char *, int);

static void LATE(RandomNumber)(READ(a), const char *file, int at) {
    LOOK_AGAIN(a);
    struct view fresh = *a;
    struct loan lent;
    if (!is_read_here(a)) {
        leave(a);
        _FortranARandomNumber(lend(&lent, a_given), file, at);
        return;
    }
    /* Loops draw one number at a time: no heap for it. */
    _Alignas(16) char scalar[16];
    int is_scalar = __builtin_constant_p(a->rank) && !a->rank;
    if (is_scalar)
        fresh.base = scalar;
    else
        allocate(&fresh);
    _FortranARandomNumber(lend_fresh(&lent, a_given, &fresh), file, at);
    copy_all(a, &fresh, ASSIGN);
    if (!is_scalar)
        free(fresh.base);
}

INLINED void STAND_IN(_FortranARandomNumber)(const_array a, const char *file, int at) {
    __ez_late_RandomNumber(PASS_KIND(a, kind_of_numbers(a)), file, at);
}

/* -- input statements */

struct statement;
/* Procedures that read derived types, besides those that are bound to types. */
struct procedures {
    int64_t count;
};

struct item {
    const char *name;
    const_array array;
};
struct group {
    const char *name;
    int64_t count;
    const struct item *item;
    const struct procedures *read;
};

_Bool _FortranAioInputReal32(struct statement *, float *);
_Bool _FortranAioInputReal64(struct statement *, double *);
_Bool _FortranAioInputComplex32(struct statement *, float *);
_Bool _FortranAioInputComplex64(struct statement *, double *);
_Bool _FortranAioInputDescriptor(struct statement *, const_array);
_Bool _FortranAioInputDerivedType(struct statement *, const_array, const struct procedures *);
_Bool _FortranAioInputNamelist(struct statement *, const struct group *);

/* A number, or `count` parts of one, in memory by themselves. */
#define INPUT(NAME, T, TYPE, COUNT)                                                   \
    INLINED _Bool STAND_IN(_FortranAioInput##NAME)(struct statement *s, T *x) {       \
        T fresh[COUNT];                                                               \
        for (int n = 0; n < COUNT; n++)                                               \
            start_number((char *)fresh, n, TYPE);                                     \
        _Bool goes_on = _FortranAioInput##NAME(s, fresh);                             \
        for (int n = 0; n < COUNT; n++)                                               \
            take_number((char *)x, (const char *)fresh, n, TYPE);                     \
        return goes_on;                                                               \
    }

INPUT(Real32, float, REAL4, 1)
INPUT(Real64, double, REAL8, 1)
INPUT(Complex32, float, REAL4, 2)
INPUT(Complex64, double, REAL8, 2)

static _Bool LATE(Input)(struct statement *s, READ(a), const struct procedures *read) {
    LOOK_AGAIN(a);
    struct view fresh;
    struct loan lent;
    start_all(&fresh, a);
    const_array given = lend_fresh(&lent, a_given, &fresh);
    _Bool goes_on = read ? _FortranAioInputDerivedType(s, given, read) : _FortranAioInputDescriptor(s, given);
    take_all(a, &fresh);
    return goes_on;
}

INLINED _Bool STAND_IN(_FortranAioInputDescriptor)(struct statement *s, const_array a) {
    return __ez_late_Input(s, PASS_KIND(a, kind_of_numbers(a)), 0);
}

INLINED _Bool STAND_IN(_FortranAioInputDerivedType)(struct statement *s, const_array a, const struct procedures *read) {
    if (read->count)
        __ez_primal_only("a procedure that reads a derived type");
    return __ez_late_Input(s, PASS_KIND(a, kind_of_numbers(a)), read);
}

/* -- namelists */

enum { MOST_ITEMS = 64 };
#define EACH_ITEM(DO) EACH_COMPONENT(DO) EIGHT(48, DO) EIGHT(56, DO)

/* Returns a copy of the group, whose items are in fresh memory where it is not null. The runtime makes it. */
const struct group *__ez_lend_group(const struct group *NO_ESCAPE, void *const *NO_ESCAPE fresh, int64_t count);
void __ez_free_group(const struct group *);

/* A descriptor that is no variable of the program is filled just before the statement. */
static ALWAYS_INLINE struct kind kind_of_item(const_array a) {
    return __ez_expected_surely(a) ? kind_of_numbers(a) : kind_of(a);
}

static char *LATE(StartItem)(READ(a)) {
    LOOK_AGAIN(a);
    struct view fresh;
    start_all(&fresh, a);
    return is_read_here(a) ? fresh.base : 0;
}

static void LATE(TakeItem)(READ(a), char *from) {
    LOOK_AGAIN(a);
    struct view fresh = *a;
    lay_out(&fresh);
    fresh.base = from;
    take_all(a, &fresh);
}

/* Items beyond those that are followed: they may be read if they carry no derivatives. */
static ALWAYS_INLINE void leave_items(const struct group *group, int64_t first) {
    for (int64_t k = first; k < group->count; k++)
        __ez_overwritten(group->item[k].array->base);
}

INLINED _Bool STAND_IN(_FortranAioInputNamelist)(struct statement *s, const struct group *group) {
    int64_t count = group->count;
    if (!__builtin_constant_p(count) || group->read->count) {
        leave_items(group, 0);
        return _FortranAioInputNamelist(s, group);
    }
    const_array arrays[MOST_ITEMS];
    struct kind kinds[MOST_ITEMS];
    void *fresh[MOST_ITEMS];
#define DO(k)                                       \
    if (k < count) {                                \
        arrays[k] = group->item[k].array;           \
        kinds[k] = kind_of_item(group->item[k].array); \
    }
    EACH_ITEM(DO)
#undef DO
#define DO(k)       \
    if (k < count) \
        fresh[k] = __ez_late_StartItem(PASS_KIND(arrays[k], kinds[k]));
    EACH_ITEM(DO)
#undef DO
    leave_items(group, MOST_ITEMS);
    const struct group *lent = __ez_lend_group(group, fresh, MOST_ITEMS);
    _Bool goes_on = _FortranAioInputNamelist(s, lent);
    __ez_free_group(lent);
#define DO(k)       \
    if (k < count) \
        __ez_late_TakeItem(PASS_KIND(arrays[k], kinds[k]), fresh[k]);
    EACH_ITEM(DO)
#undef DO
    return goes_on;
}
