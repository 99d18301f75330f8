/* Numbers in streams of libstdc++ (stand_ins/streams.c): which bytes of which stream were written since the request
 * began. A stream over a file is its file, as in files.c; the text in memory of another one is a file of its own. */
#include "ending.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct stream_position {
    int64_t at, state;
};
struct stream_text {
    char *data;
    uint64_t size;
    char local[16];
};
void *_ZNSo5writeEPKcl(void *stream, const char *from, int64_t size);
void *_ZNSi4readEPcl(void *stream, char *to, int64_t size);
int64_t _ZNKSi6gcountEv(const void *stream);
struct stream_position _ZNSo5tellpEv(void *stream);
struct stream_position _ZNSi5tellgEv(void *stream);
int _ZNSt12__basic_fileIcE2fdEv(void *file);
struct stream_text _ZNKSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv(const void *buffer);
void _ZdlPv(void *);
extern char *_ZTVSt13basic_filebufIcSt11char_traitsIcEE[];
extern char *_ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE[];
extern char *_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE[];

/* libstdc++'s layouts, which its ABI fixes. */
enum { VIRTUAL_BASE = -24, BUFFER_OF_IOS = 232, IN_MEMORY = -1 };
#ifdef __aarch64__
enum { FILE_OF_BUFFER = 112 };
#else
enum { FILE_OF_BUFFER = 104 };
#endif

static char *buffer_of(const char *stream) {
    const char *table = *(char *const *)stream;
    return *(char *const *)(stream + *(const int64_t *)(table + VIRTUAL_BASE) + BUFFER_OF_IOS);
}

/* Returns whether bytes of the stream have places. Other classes of buffers may put them anywhere. */
static int identify_stream(const void *stream, struct extent *found) {
    char *buffer = buffer_of(stream), **class = *(char ***)buffer;
    if (class != _ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE + 2 &&
        class != _ZTVSt13basic_filebufIcSt11char_traitsIcEE + 2)
        return 0;
    if (class == _ZTVSt13basic_filebufIcSt11char_traitsIcEE + 2)
        return identify(_ZNSt12__basic_fileIcE2fdEv(buffer + FILE_OF_BUFFER), found) == SEEKABLE;
    found->device = (uint64_t)IN_MEMORY;
    found->file = (uintptr_t)buffer;
    return 1;
}

/* A text in memory begins anew: another stream may have had the address. */
static void forget_text(const struct extent *written) {
    for (int64_t k = 0; written->device == (uint64_t)IN_MEMORY && written->start == 0 && k < extent_count; k++)
        if (is_same_file(&extents[k], written))
            extents[k].end = extents[k].start;
}

/* Whether the buffer is that of std::cout or std::cerr, which nothing reads back. */
static int is_standard(const void *stream) {
    return *(char ***)buffer_of(stream) == _ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE + 2;
}

static __attribute__((noreturn)) void refuse_stream(void) {
    refuse_file("numbers are written to a stream of which the places are not known", "use a file or a stringstream");
}

void __ez_stream_write(void *stream, const char *from, int64_t size, int64_t unit, int64_t *place) {
    struct extent written = {.unit = unit, .start = _ZNSo5tellpEv(stream).at};
    *place = CONSTANT;
    _ZNSo5writeEPKcl(stream, from, size);
    written.end = _ZNSo5tellpEv(stream).at;
    if (size <= 0 || is_standard(stream))
        return;
    if (!identify_stream(stream, &written))
        refuse_stream();
    if (written.end - written.start != size)
        return;
    take_extents();
    check_thread();
    owner = &this_thread;
    forget_text(&written);
    *place = place_written(written);
    leave_extents();
}

/* Reads as the stream does, and notes what was read for `__ez_stream_part`. Returns the number of bytes. */
int64_t __ez_stream_read(void *stream, char *to, int64_t size, int64_t *start) {
    *start = _ZNSi5tellgEv(stream).at;
    _ZNSi4readEPcl(stream, to, size);
    return _ZNKSi6gcountEv(stream);
}

/* Returns a copy of the text in a stringstream, and its length. */
char *__ez_stream_text(const void *stream, int64_t *size) {
    struct stream_text text = _ZNKSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE3strEv(buffer_of(stream));
    char *copy = malloc(text.size + 1);
    if (!copy)
        end_program();
    memcpy(copy, text.data, text.size + 1);
    *size = (int64_t)text.size;
    if (text.size > 15)
        _ZdlPv(text.data);
    return copy;
}

/* Finds the part number `k` or a later one of what was read at `start` that was written from numbers: where it lies in
 * `read`, its size, and where it is kept. Returns the number of the next part, or a negative number. */
int64_t __ez_stream_part(int64_t k, const void *stream, int64_t start, int64_t size, const char *read, int64_t unit,
                         const char *kept, int64_t *found) {
    struct extent own = {.unit = unit};
    if (!extent_count || !identify_stream(stream, &own))
        return -1;
    for (; k < extent_count; k++) {
        const struct extent *e = &extents[k];
        int64_t from = e->start > start ? e->start : start, end = e->end < start + size ? e->end : start + size;
        if (!is_same_file(e, &own) || from >= end)
            continue;
        check_unit(e, &own);
        int64_t place = e->place + from - e->start;
        if (memcmp(kept + place, read + from - start, (size_t)(end - from)))
            continue; /* written over, by something that carries no derivative */
        if ((from - e->start) % unit || (end - from) % unit)
            refuse_file("a part of a number is read from a stream", "read what was written, in the same pieces");
        found[0] = from - start, found[1] = end - from, found[2] = place;
        return k + 1;
    }
    return -1;
}
