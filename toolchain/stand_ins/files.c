/* Numbers that are written to files as bytes and read back: what is read has the derivative of what was written there.
 * The runtime (runtime/files.c) finds the places; `kept_bytes` holds what was written, and is differentiated as any array.
 * Differentiated code calls these only if the link would be refused without them. */
#include "stand_in.h"

#define FILE_STAND_IN(NAME) __ez_stand_in_file_##NAME

/* As in runtime/files.c. */
enum { MOST_BYTES = 1 << 25, MIXED = -2 };

/* `unit` says by which of the arrays the bytes are kept. */
uint64_t __ez_file_write(const void *from, uint64_t size, uint64_t count, void *file, int64_t unit, int64_t *place);
uint64_t __ez_file_read(void *to, uint64_t size, uint64_t count, void *file, int64_t unit, const void *kept, int64_t *place);
int64_t __ez_file_put(int descriptor, const void *from, uint64_t size, int64_t offset, int64_t unit, int64_t *place);
int64_t __ez_file_get(int descriptor, void *to, uint64_t size, int64_t offset, int64_t unit, const void *kept, int64_t *place);
int32_t __ez_file_character(void *file);
char *__ez_file_line(char *to, int32_t size, void *file);
int64_t __ez_file_text(char **line, uint64_t *room, int32_t last, void *file);
int64_t __ez_file_place(const void *kept, int64_t at, int64_t size);

/* Integers of a header are thus kept apart from doubles in most files: copies of arrays that hold one kind cost less. */
static double kept_words[MOST_BYTES / sizeof(double)];
static float kept_halves[MOST_BYTES / sizeof(float)];
static char kept_bytes[MOST_BYTES];

static ALWAYS_INLINE int64_t unit_of(uint64_t size) { return size == 1 ? 1 : size % 8 ? 4 : 8; }
static ALWAYS_INLINE char *kept_by(int64_t unit) {
    return unit == 1 ? kept_bytes : unit == 4 ? (char *)kept_halves : (char *)kept_words;
}

static ALWAYS_INLINE void keep_written(const void *from, int64_t bytes, char *kept, int64_t place) {
    if (place >= 0)
        memcpy(kept + place, from, (size_t)bytes);
}

/* Hands over the bytes that were read, and then those that were kept over them: these have the same values. */
static ALWAYS_INLINE void hand_over(char *to, const char *got, int64_t size, int64_t bytes, char *kept, int64_t place) {
    memcpy(to, got, (size_t)bytes);
    if (place >= 0)
        memcpy(to, kept + place, (size_t)bytes);
    for (int64_t at = 0; place == MIXED && at < bytes; at += size) {
        int64_t from = __ez_file_place(kept, at, size);
        if (from >= 0)
            memcpy(to + at, kept + from, (size_t)size);
    }
}

static ALWAYS_INLINE uint64_t read_stream(void *to, uint64_t size, uint64_t count, void *file) {
    int64_t place, unit = unit_of(size);
    char *got = malloc(size * count), *kept = kept_by(unit);
    uint64_t done = __ez_file_read(got, size, count, file, unit, kept, &place);
    hand_over(to, got, size == 1 ? 8 : (int64_t)size, (int64_t)(done * size), kept, place);
    free(got);
    return done;
}

static ALWAYS_INLINE uint64_t write_stream(const void *from, uint64_t size, uint64_t count, void *file) {
    int64_t place, unit = unit_of(size);
    uint64_t done = __ez_file_write(from, size, count, file, unit, &place);
    keep_written(from, (int64_t)(done * size), kept_by(unit), place);
    return done;
}

static ALWAYS_INLINE int64_t put_bytes(int descriptor, const void *from, uint64_t size, int64_t offset) {
    int64_t place, unit = unit_of(size), done = __ez_file_put(descriptor, from, size, offset, unit, &place);
    keep_written(from, done, kept_by(unit), place);
    return done;
}

static ALWAYS_INLINE int64_t get_bytes(int descriptor, void *to, uint64_t size, int64_t offset) {
    int64_t place, unit = unit_of(size);
    char *got = malloc(size), *kept = kept_by(unit);
    int64_t done = __ez_file_get(descriptor, got, size, offset, unit, kept, &place);
    if (done > 0)
        hand_over(to, got, unit == 4 ? 4 : 8, done, kept, place);
    free(got);
    return done;
}

/* -D_FORTIFY_SOURCE makes calls with `room`, the size of the memory that is read to. */
_Noreturn void __chk_fail(void);
static ALWAYS_INLINE void check_room(uint64_t size, uint64_t count, uint64_t room) {
    if (count && size > room / count)
        __chk_fail();
}

INLINED uint64_t FILE_STAND_IN(fwrite)(const void *from, uint64_t size, uint64_t count, void *file) {
    return write_stream(from, size, count, file);
}
INLINED uint64_t FILE_STAND_IN(fwrite_unlocked)(const void *from, uint64_t size, uint64_t count, void *file) {
    return write_stream(from, size, count, file);
}
INLINED uint64_t FILE_STAND_IN(fread)(void *to, uint64_t size, uint64_t count, void *file) {
    return read_stream(to, size, count, file);
}
INLINED uint64_t FILE_STAND_IN(fread_unlocked)(void *to, uint64_t size, uint64_t count, void *file) {
    return read_stream(to, size, count, file);
}
INLINED uint64_t FILE_STAND_IN(__fread_chk)(void *to, uint64_t room, uint64_t size, uint64_t count, void *file) {
    check_room(size, count, room);
    return read_stream(to, size, count, file);
}
INLINED uint64_t FILE_STAND_IN(__fread_unlocked_chk)(void *to, uint64_t room, uint64_t size, uint64_t count, void *file) {
    check_room(size, count, room);
    return read_stream(to, size, count, file);
}
INLINED int64_t FILE_STAND_IN(write)(int descriptor, const void *from, uint64_t size) {
    return put_bytes(descriptor, from, size, -1);
}
INLINED int64_t FILE_STAND_IN(pwrite)(int descriptor, const void *from, uint64_t size, int64_t offset) {
    return put_bytes(descriptor, from, size, offset);
}
INLINED int64_t FILE_STAND_IN(pwrite64)(int descriptor, const void *from, uint64_t size, int64_t offset) {
    return put_bytes(descriptor, from, size, offset);
}
INLINED int64_t FILE_STAND_IN(read)(int descriptor, void *to, uint64_t size) { return get_bytes(descriptor, to, size, -1); }
INLINED int64_t FILE_STAND_IN(pread)(int descriptor, void *to, uint64_t size, int64_t offset) {
    return get_bytes(descriptor, to, size, offset);
}
INLINED int64_t FILE_STAND_IN(pread64)(int descriptor, void *to, uint64_t size, int64_t offset) {
    return get_bytes(descriptor, to, size, offset);
}
INLINED int64_t FILE_STAND_IN(__read_chk)(int descriptor, void *to, uint64_t size, uint64_t room) {
    check_room(size, 1, room);
    return get_bytes(descriptor, to, size, -1);
}
INLINED int64_t FILE_STAND_IN(__pread_chk)(int descriptor, void *to, uint64_t size, int64_t offset, uint64_t room) {
    check_room(size, 1, room);
    return get_bytes(descriptor, to, size, offset);
}
INLINED int64_t FILE_STAND_IN(__pread64_chk)(int descriptor, void *to, uint64_t size, int64_t offset, uint64_t room) {
    check_room(size, 1, room);
    return get_bytes(descriptor, to, size, offset);
}

/* Several parts of memory, one by one, as long as they are full. For LLVM, a struct of the program is another type. */
struct part {
    void *start;
    uint64_t size;
};
static ALWAYS_INLINE int64_t for_each(const struct part *parts, int32_t count, int descriptor, int64_t is_read) {
    int64_t all = 0, done = 0;
    struct part part = {0};
    for (int32_t i = 0; i < count && done == (int64_t)part.size; i++) {
        memcpy(&part, &parts[i], sizeof part);
        done = is_read ? get_bytes(descriptor, part.start, part.size, -1) : put_bytes(descriptor, part.start, part.size, -1);
        all += done > 0 ? done : 0;
    }
    return all ? all : done;
}
INLINED int64_t FILE_STAND_IN(readv)(int descriptor, const struct part *parts, int32_t count) {
    return for_each(parts, count, descriptor, 1);
}
INLINED int64_t FILE_STAND_IN(writev)(int descriptor, const struct part *parts, int32_t count) {
    return for_each(parts, count, descriptor, 0);
}

/* Characters and lines carry no derivatives: these end the program if they are bytes of numbers. */
INLINED int32_t FILE_STAND_IN(fgetc)(void *file) { return __ez_file_character(file); }
INLINED int32_t FILE_STAND_IN(getc)(void *file) { return __ez_file_character(file); }
INLINED int32_t FILE_STAND_IN(_IO_getc)(void *file) { return __ez_file_character(file); }
INLINED int32_t FILE_STAND_IN(fgetc_unlocked)(void *file) { return __ez_file_character(file); }
INLINED int32_t FILE_STAND_IN(getc_unlocked)(void *file) { return __ez_file_character(file); }
INLINED char *FILE_STAND_IN(fgets)(char *to, int32_t size, void *file) { return __ez_file_line(to, size, file); }
INLINED char *FILE_STAND_IN(fgets_unlocked)(char *to, int32_t size, void *file) { return __ez_file_line(to, size, file); }
INLINED char *FILE_STAND_IN(__fgets_chk)(char *to, uint64_t room, int32_t size, void *file) {
    check_room((uint64_t)size, 1, room);
    return __ez_file_line(to, size, file);
}
INLINED int64_t FILE_STAND_IN(getline)(char **line, uint64_t *room, void *file) {
    return __ez_file_text(line, room, '\n', file);
}
INLINED int64_t FILE_STAND_IN(getdelim)(char **line, uint64_t *room, int32_t last, void *file) {
    return __ez_file_text(line, room, last, file);
}
INLINED int64_t FILE_STAND_IN(__getdelim)(char **line, uint64_t *room, int32_t last, void *file) {
    return __ez_file_text(line, room, last, file);
}
