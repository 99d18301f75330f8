/* Numbers that are written to a stream of libstdc++ as bytes and read back, or taken out as a string (see files.c). The
 * runtime (runtime/streams.c) finds the places. */
#include "stand_in.h"

struct string {
    char *data;
    uint64_t size;
    union {
        char local[16];
        uint64_t capacity;
    };
};

void __ez_stream_write(void *stream, const void *from, int64_t size, int64_t unit, int64_t *place);
int64_t __ez_stream_read(void *stream, void *to, int64_t size, int64_t *start);
char *__ez_stream_text(const void *stream, int64_t *size);
int64_t __ez_stream_part(int64_t k, const void *stream, int64_t start, int64_t size, const void *read, int64_t unit,
                         const void *kept, int64_t *found);
void *_Znwm(uint64_t size);

/* Hands over the bytes that were read, and then those that were kept of numbers over them: these have the same values. */
static ALWAYS_INLINE void hand_over_parts(char *to, const char *got, int64_t size, const void *stream, int64_t start,
                                          int64_t unit) {
    int64_t found[3], k = 0;
    char *kept = kept_by(unit);
    memcpy(to, got, (size_t)size);
    while ((k = __ez_stream_part(k, stream, start, size, got, unit, kept, found)) > 0)
        memcpy(to + found[0], kept + found[2], (size_t)found[1]);
}

INLINED void *FILE_STAND_IN(_ZNSo5writeEPKcl)(void *stream, const char *from, int64_t size) {
    int64_t place, unit = unit_of((uint64_t)size);
    __ez_stream_write(stream, from, size, unit, &place);
    keep_written(from, size, kept_by(unit), place);
    return stream;
}

INLINED void *FILE_STAND_IN(_ZNSi4readEPcl)(void *stream, char *to, int64_t size) {
    int64_t start;
    char *got = malloc((size_t)size);
    int64_t done = __ez_stream_read(stream, got, size, &start);
    hand_over_parts(to, got, done, stream, start, unit_of((uint64_t)size));
    free(got);
    return stream;
}

static ALWAYS_INLINE void take_text(struct string *to, const void *stream) {
    int64_t size;
    char *got = __ez_stream_text(stream, &size);
    to->data = to->local;
    to->size = (uint64_t)size;
    if (size > 15) {
        to->data = _Znwm((uint64_t)size + 1);
        to->capacity = (uint64_t)size;
    }
    hand_over_parts(to->data, got, size, stream, 0, sizeof(double));
    to->data[size] = 0;
    free(got);
}

#define TAKES_TEXT(NAME) \
    INLINED void NAME(struct string *to, const void *stream) { take_text(to, stream); }
TAKES_TEXT(FILE_STAND_IN(_ZNKSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv))
TAKES_TEXT(FILE_STAND_IN(_ZNKSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv))
TAKES_TEXT(FILE_STAND_IN(_ZNKSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE3strEv))
