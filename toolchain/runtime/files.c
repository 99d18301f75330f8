/* Numbers in files (stand_ins/files.c): which bytes of which file were written since the request began, and where they
 * are kept. */
#include "ending.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As in stand_ins/files.c. */
enum { MOST_BYTES = 1 << 25, CONSTANT = -1, MIXED = -2 };

/* Bytes of a file that were written, and where they are kept. A pipe has one without bytes. */
struct extent {
    uint64_t device, file;
    int64_t start, end, place, unit;
};
static struct extent *extents;
static int64_t extent_count, extent_room, bytes_kept;
static int is_lost; /* something was written to a socket, or to a stream that is no file */
static struct extent last_read;
static const char *last_bytes;
static atomic_flag is_taken = ATOMIC_FLAG_INIT;
static _Thread_local char this_thread;
static char *owner; /* the thread that has written */

static __attribute__((noreturn, cold)) void refuse_file(const char *what, const char *remedy) {
    fprintf(stderr, "enzyme-cc: error: %s [EZ0304]\n  reason: numbers that are written to a file and read back are followed "
                    "by their places in the file\n  remedy: %s\n", what, remedy);
    end_program();
}

static void take_extents(void) {
    while (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire)) {}
}
static void leave_extents(void) { atomic_flag_clear_explicit(&is_taken, memory_order_release); }

/* A request begins: what was written before it carries no derivative of it. */
void __ez_file_begin(void) {
    take_extents();
    if (!owner || owner == &this_thread) {
        extent_count = bytes_kept = is_lost = 0;
        owner = NULL;
    }
    leave_extents();
}

__attribute__((destructor)) static void forget_extents(void) {
    free(extents);
    extents = NULL;
    extent_count = extent_room = 0;
}

static void check_thread(void) {
    if (owner && owner != &this_thread)
        refuse_file("several threads write and read numbers in files", "let one thread do it");
}

static void check_unit(const struct extent *a, const struct extent *b) {
    if (a->unit != b->unit)
        refuse_file("numbers in a file are accessed in elements of another size than they were written in",
                    "give fwrite and fread, or write and read, the same size of an element");
}

static void add_extent(struct extent added) {
    if (extent_count == extent_room) {
        extent_room = 2 * extent_room + 16;
        extents = realloc(extents, (size_t)extent_room * sizeof *extents);
        if (!extents)
            end_program();
    }
    extents[extent_count++] = added;
}

static int is_same_file(const struct extent *a, const struct extent *b) {
    return a->device == b->device && a->file == b->file;
}

/* Finds a place for bytes that were written. What was kept of them before is forgotten. */
static int64_t place_written(struct extent written) {
    int64_t bytes = written.end - written.start;
    struct extent *before = NULL;
    for (int64_t k = 0; k < extent_count; k++) {
        struct extent *e = &extents[k];
        if (!is_same_file(e, &written) || e->end < written.start || written.end <= e->start)
            continue;
        if (e->end > written.start)
            check_unit(e, &written);
        if (e->start <= written.start && written.end <= e->end)
            return e->place + written.start - e->start;
        if (e->end == written.start && e->unit == written.unit && e->place + e->end - e->start == bytes_kept)
            before = e;
        else if (e->start < written.start && e->end > written.start)
            e->end = written.start;
        else if (e->start >= written.start && e->start < written.end) {
            int64_t over = (e->end < written.end ? e->end : written.end) - e->start;
            e->start += over;
            e->place += over;
        }
    }
    written.place = before ? bytes_kept : (bytes_kept + 15) & -16;
    bytes_kept = written.place + bytes;
    if (bytes_kept > MOST_BYTES)
        refuse_file("too many numbers are written to files", "write less than 32 MB for each derivative");
    if (before)
        before->end = written.end;
    else
        add_extent(written);
    return written.place;
}

/* Finds where the bytes are kept that were read; CONSTANT if none of them was written, MIXED if some were. */
static int64_t place_read(const struct extent *read, const char *bytes, const char *kept) {
    int64_t place = CONSTANT;
    for (int64_t k = 0; k < extent_count; k++) {
        const struct extent *e = &extents[k];
        if (!is_same_file(e, read) || e->end <= read->start || read->end <= e->start)
            continue;
        check_thread();
        check_unit(e, read);
        if (read->start < e->start || e->end < read->end)
            return MIXED;
        place = e->place + read->start - e->start;
        if (place % e->unit || (read->end < e->end && (place + read->end - read->start) % e->unit))
            refuse_file("a part of a number is read from a file", "read what was written, in the same pieces");
        if (memcmp(kept + place, bytes, (size_t)(read->end - read->start)))
            refuse_file("a number is read from a file that other code has changed",
                        "write it by fwrite, write or pwrite in differentiated code");
    }
    return place;
}

enum kind { SEEKABLE, PIPE, DEVICE, OTHER };

static enum kind identify(int descriptor, struct extent *found) {
    struct statx status;
    if (descriptor < 0 || statx(descriptor, "", AT_EMPTY_PATH, STATX_TYPE | STATX_INO, &status))
        return OTHER;
    found->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
    found->file = status.stx_ino;
    int type = status.stx_mode & S_IFMT;
    return type == S_IFREG ? SEEKABLE : type == S_IFIFO ? PIPE : type == S_IFCHR ? DEVICE : OTHER;
}

static int64_t wrote(int descriptor, int64_t start, int64_t bytes, int64_t unit) {
    struct extent written = {.unit = unit};
    enum kind kind = identify(descriptor, &written);
    int64_t place = CONSTANT;
    if (bytes <= 0 || kind == DEVICE)
        return CONSTANT;
    take_extents();
    check_thread();
    owner = &this_thread;
    if (kind == SEEKABLE) {
        written.start = start;
        written.end = start + bytes;
        place = place_written(written);
    } else if (kind == PIPE)
        add_extent(written);
    else
        is_lost = 1;
    leave_extents();
    return place;
}

static int64_t was_read(int descriptor, int64_t start, int64_t bytes, int64_t unit, const char *to, const char *kept) {
    struct extent read = {.unit = unit};
    enum kind kind = identify(descriptor, &read);
    if (bytes <= 0 || kind == DEVICE)
        return CONSTANT;
    take_extents();
    int is_fed = kind == OTHER && is_lost;
    for (int64_t k = 0; kind == PIPE && k < extent_count; k++)
        is_fed |= is_same_file(&extents[k], &read);
    if (is_fed)
        refuse_file("numbers are written to a pipe, a socket or a stream without a file, and read back",
                    "use a file that has a name or is made by tmpfile or memfd_create");
    read.start = start;
    read.end = start + bytes;
    int64_t place = kind == SEEKABLE ? place_read(&read, to, kept) : CONSTANT;
    last_read = read;
    last_bytes = to;
    leave_extents();
    return place;
}

/* Returns where an element of what was read last is kept. */
int64_t __ez_file_place(const char *kept, int64_t at, int64_t size) {
    struct extent part = last_read;
    take_extents();
    part.start += at;
    if (part.start + size < part.end)
        part.end = part.start + size;
    int64_t place = place_read(&part, last_bytes + at, kept);
    if (place == MIXED)
        refuse_file("a number is read of which only a part was written", "read what was written, in the same pieces");
    leave_extents();
    return place;
}

/* Ends the program if bytes that were written from numbers lie between the place and where the stream is now. */
static void refuse_read(FILE *file, int64_t start) {
    struct extent read = {.start = start, .end = ftello(file)};
    enum kind kind = identify(fileno(file), &read);
    int is_number = kind == OTHER && is_lost;
    take_extents();
    for (int64_t k = 0; k < extent_count; k++)
        if (is_same_file(&extents[k], &read))
            is_number |= kind == PIPE || (extents[k].end > read.start && read.end > extents[k].start);
    leave_extents();
    if (is_number)
        refuse_file("bytes of a number are read from a file as characters",
                    "read them by fread or read, in the elements in which they were written");
}

static int has_numbers(void) { return extent_count || is_lost; }

int __ez_file_character(FILE *file) {
    if (!has_numbers())
        return fgetc(file);
    int64_t start = ftello(file);
    int got = fgetc(file);
    refuse_read(file, start);
    return got;
}

char *__ez_file_line(char *to, int size, FILE *file) {
    int64_t start = has_numbers() ? ftello(file) : 0;
    char *got = fgets(to, size, file);
    if (has_numbers())
        refuse_read(file, start);
    return got;
}

int64_t __ez_file_text(char **line, size_t *room, int last, FILE *file) {
    int64_t start = has_numbers() ? ftello(file) : 0;
    int64_t got = getdelim(line, room, last, file);
    if (has_numbers())
        refuse_read(file, start);
    return got;
}

uint64_t __ez_file_write(const char *from, uint64_t size, uint64_t count, void *file, int64_t unit, int64_t *place) {
    uint64_t done = fwrite(from, size, count, file);
    int64_t bytes = (int64_t)(done * size);
    *place = wrote(fileno(file), ftello(file) - bytes, bytes, unit);
    return done;
}

/* Reads to memory for `size * count` bytes. */
uint64_t __ez_file_read(char *to, uint64_t size, uint64_t count, void *file, int64_t unit, const char *kept, int64_t *place) {
    int64_t before = ftello(file);
    uint64_t done = fread(to, size, count, file);
    *place = was_read(fileno(file), before, (int64_t)(done * size), unit, to, kept);
    return done;
}

/* As write if the offset is negative, as pwrite if not. */
int64_t __ez_file_put(int descriptor, const char *from, uint64_t size, int64_t offset, int64_t unit, int64_t *place) {
    int64_t done = offset < 0 ? write(descriptor, from, size) : pwrite(descriptor, from, size, offset);
    if (offset < 0)
        offset = lseek(descriptor, 0, SEEK_CUR) - done;
    else if (fcntl(descriptor, F_GETFL) & O_APPEND)
        offset = lseek(descriptor, 0, SEEK_END) - done;
    *place = wrote(descriptor, offset, done, unit);
    return done;
}

/* As read if the offset is negative, as pread if not. */
int64_t __ez_file_get(int descriptor, char *to, uint64_t size, int64_t offset, int64_t unit, const char *kept, int64_t *place) {
    int64_t done = offset < 0 ? read(descriptor, to, size) : pread(descriptor, to, size, offset);
    *place = was_read(descriptor, offset < 0 ? lseek(descriptor, 0, SEEK_CUR) - done : offset, done, unit, to, kept);
    return done;
}
