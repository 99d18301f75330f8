/* Transformations of arrays: RESHAPE, TRANSPOSE, SPREAD, PACK, UNPACK, CSHIFT, EOSHIFT. Each makes a new array. */
#include "fortran.h"

static ALWAYS_INLINE int64_t integer_of(view a, int64_t n) { return integer_at(element(a, n), a->bytes); }

static void LATE(Reshape)(CHANGED(result), READ(source), READ(shape), READ(pad), READ(order)) {
    VIEW(result);
    VIEW(source);
    VIEW(shape);
    VIEW_OPTIONAL(pad);
    VIEW_OPTIONAL(order);
#define EXTENT(k)         \
    if (k < result->rank) \
        set_extent(result, k, integer_of(shape, k));
    DIMENSIONS(EXTENT)
#undef EXTENT
    allocate(result);
    int64_t given = elements(source), wanted = elements(result), done = 0;
    if (is_storage(source->type) && is_block(source) && !(order && order->base)) {
        done = given < wanted ? given : wanted;
        copy_elements(result->base, source->bytes, source->base, source->bytes, done, source);
    }
    for (int64_t n = done; n < wanted; n++) {
        int64_t offset = 0, left = n;
#define STEP(k)                                                                 \
    if (k < result->rank) {                                                     \
        int along = order && order->base ? (int)integer_of(order, k) - 1 : k;   \
        offset += left % result->dim[along].extent * result->dim[along].stride; \
        left /= result->dim[along].extent;                                      \
    }
        DIMENSIONS(STEP)
#undef STEP
        const char *from = n < given ? element(source, n) : element(pad, (n - given) % elements(pad));
        copy_element((char *)result->base + offset, from, source);
    }
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranAReshape)(struct array *result, const_array source, const_array shape, const_array pad,
                                        const_array order, const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, shape->dim[0].extent, source,
         __ez_late_Reshape(PASS(result), PASS(source), PASS(shape), PASS_OPTIONAL(pad), PASS_OPTIONAL(order)));
}

static void LATE(Transpose)(CHANGED(result), READ(matrix)) {
    VIEW(result);
    VIEW(matrix);
    set_extent(result, 0, matrix->dim[1].extent);
    set_extent(result, 1, matrix->dim[0].extent);
    allocate(result);
    for (int64_t j = 0; j < columns(matrix); j++)
        for (int64_t i = 0; i < rows(matrix); i++)
            copy_element(place(result, j, i), place(matrix, i, j), matrix);
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranATranspose)(struct array *result, const_array matrix, const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, 2, matrix, __ez_late_Transpose(PASS(result), PASS(matrix)));
}

static void LATE(Spread)(CHANGED(result), READ(source), int along, int64_t copies) {
    VIEW(result);
    VIEW(source);
#define EXTENT(k)         \
    if (k < result->rank) \
        set_extent(result, k, k == along ? copies : source->dim[k < along ? k : k - 1].extent);
    DIMENSIONS(EXTENT)
#undef EXTENT
    allocate(result);
    for (int64_t n = 0; n < elements(source); n++)
        for (int64_t i = 0; i < result->dim[along].extent; i++)
            copy_element(line(result, along, n) + i * result->dim[along].stride, element(source, n), source);
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranASpread)(struct array *result, const_array source, int dim, int64_t copies,
                                       const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, source->rank + 1, source, __ez_late_Spread(PASS(result), PASS(source), dim - 1, copies));
}

static ALWAYS_INLINE int64_t count_selected(view mask, view source) {
    if (!mask->rank)
        return integer_of(mask, 0) ? elements(source) : 0;
    int64_t count = 0;
    for (int64_t n = 0; n < elements(mask); n++)
        count += integer_of(mask, n) != 0;
    return count;
}

/* Packs storage by runs of selected elements, so that numbers that take several are moved as a whole. Returns the number
 * of elements. */
static ALWAYS_INLINE int64_t pack_runs(view result, view source, view mask) {
    int64_t done = 0, count = elements(source);
    for (int64_t n = 0, run; n < count; n += run + 1) {
        for (run = 0; n + run < count && integer_of(mask, mask->rank ? n + run : 0);)
            run++;
        copy_elements(place(result, done, 0), source->bytes, element(source, n), source->bytes, run, source);
        done += run;
    }
    return done;
}

static void LATE(Pack)(CHANGED(result), READ(source), READ(mask), READ(vector)) {
    VIEW(result);
    VIEW(source);
    VIEW(mask);
    VIEW_OPTIONAL(vector);
    int has_vector = vector && vector->base;
    set_extent(result, 0, has_vector ? rows(vector) : count_selected(mask, source));
    allocate(result);
    int is_run = is_storage(source->type) && is_block(source);
    int64_t done = is_run ? pack_runs(result, source, mask) : 0;
    for (int64_t n = 0; !is_run && n < elements(source); n++)
        if (integer_of(mask, mask->rank ? n : 0))
            copy_element(place(result, done++, 0), element(source, n), source);
    for (; has_vector && done < rows(vector); done++)
        copy_element(place(result, done, 0), place(vector, done, 0), source);
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranAPack)(struct array *result, const_array source, const_array mask, const_array vector,
                                     const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, 1, source, __ez_late_Pack(PASS(result), PASS(source), PASS(mask), PASS_OPTIONAL(vector)));
}

static void LATE(Unpack)(CHANGED(result), READ(vector), READ(mask), READ(field)) {
    VIEW(result);
    VIEW(vector);
    VIEW(mask);
    VIEW(field);
#define EXTENT(k)         \
    if (k < result->rank) \
        set_extent(result, k, mask->dim[k].extent);
    DIMENSIONS(EXTENT)
#undef EXTENT
    allocate(result);
    int64_t taken = 0;
    for (int64_t n = 0; n < elements(mask); n++) {
        const char *from = integer_of(mask, n) ? place(vector, taken++, 0) : element(field, field->rank ? n : 0);
        copy_element((char *)result->base + n * result->bytes, from, vector);
    }
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranAUnpack)(struct array *result, const_array vector, const_array mask, const_array field,
                                       const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, mask->rank, vector, __ez_late_Unpack(PASS(result), PASS(vector), PASS(mask), PASS(field)));
}

static ALWAYS_INLINE void make_like(struct view *result, view a) {
#define EXTENT(k)    \
    if (k < a->rank) \
        set_extent(result, k, a->dim[k].extent);
    DIMENSIONS(EXTENT)
#undef EXTENT
    allocate(result);
}

/* Rotates line number j by `shift`, from the one array to the other. */
static ALWAYS_INLINE void turn_line(view result, view a, int along, int64_t j, int64_t shift) {
    int64_t extent = a->dim[along].extent, from_stride = a->dim[along].stride, to_stride = result->dim[along].stride;
    if (!extent)
        return;
    int64_t first = shift % extent < 0 ? shift % extent + extent : shift % extent, rest = extent - first;
    const char *from = line(a, along, j);
    char *to = line(result, along, j);
    copy_elements(to, to_stride, from + first * from_stride, from_stride, rest, a);
    copy_elements(to + rest * to_stride, to_stride, from, from_stride, first, a);
}

static void LATE(Cshift)(CHANGED(result), READ(a), READ(shift), int along) {
    VIEW(result);
    VIEW(a);
    VIEW(shift);
    make_like(result, a);
    for (int64_t j = 0; j < lines(a, along); j++)
        turn_line(result, a, along, j, integer_of(shift, shift->rank ? j : 0));
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranACshift)(struct array *result, const_array a, const_array shift, int dim,
                                       const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, a->rank, a, __ez_late_Cshift(PASS(result), PASS(a), PASS(shift), dim - 1));
}

static void LATE(CshiftVector)(CHANGED(result), READ(a), int64_t shift) {
    VIEW(result);
    VIEW(a);
    make_like(result, a);
    turn_line(result, a, 0, 0, shift);
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranACshiftVector)(struct array *result, const_array a, int64_t shift, const char *file,
                                             int at) {
    (void)file, (void)at;
    MAKE(result, 1, a, __ez_late_CshiftVector(PASS(result), PASS(a), shift));
}

/* Blanks in texts, zero elsewhere. */
static ALWAYS_INLINE void fill_without_boundary(char *to, view a) {
    if (is_text(a->type))
        fill_with_blanks(to, a->bytes, a->type);
    else
        memset(to, 0, a->bytes);
}

/* `fill` is shifted in; what an absent one stands for otherwise. */
static ALWAYS_INLINE void shift_line(view result, view a, int along, int64_t j, int64_t shift, const char *fill) {
    int64_t extent = a->dim[along].extent, from_stride = a->dim[along].stride, to_stride = result->dim[along].stride;
    int64_t first = shift < 0 ? -shift : 0, end = shift > 0 ? extent - shift : extent;
    char *to = line(result, along, j);
    copy_elements(to + first * to_stride, to_stride, line(a, along, j) + (first + shift) * from_stride, from_stride,
                  end - first, a);
    for (int64_t i = 0; i < extent; i++) {
        if (i >= first && i < end)
            continue;
        if (fill)
            copy_element(to + i * to_stride, fill, a);
        else
            fill_without_boundary(to + i * to_stride, a);
    }
}

static void LATE(Eoshift)(CHANGED(result), READ(a), READ(shift), READ(boundary), int along) {
    VIEW(result);
    VIEW(a);
    VIEW(shift);
    VIEW_OPTIONAL(boundary);
    int has_boundary = boundary && boundary->base;
    make_like(result, a);
    for (int64_t j = 0; j < lines(a, along); j++)
        shift_line(result, a, along, j, integer_of(shift, shift->rank ? j : 0),
                   has_boundary ? element(boundary, boundary->rank ? j : 0) : 0);
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranAEoshift)(struct array *result, const_array a, const_array shift, const_array boundary,
                                        int dim, const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, a->rank, a, __ez_late_Eoshift(PASS(result), PASS(a), PASS(shift), PASS_OPTIONAL(boundary), dim - 1));
}

static void LATE(EoshiftVector)(CHANGED(result), READ(a), int64_t shift, READ(boundary)) {
    VIEW(result);
    VIEW(a);
    VIEW_OPTIONAL(boundary);
    make_like(result, a);
    shift_line(result, a, 0, 0, shift, boundary ? boundary->base : 0);
    GIVE_BACK(result);
}

INLINED void STAND_IN(_FortranAEoshiftVector)(struct array *result, const_array a, int64_t shift, const_array boundary,
                                              const char *file, int at) {
    (void)file, (void)at;
    MAKE(result, 1, a, __ez_late_EoshiftVector(PASS(result), PASS(a), shift, PASS_OPTIONAL(boundary)));
}
