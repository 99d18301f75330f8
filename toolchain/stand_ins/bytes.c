/* Functions of the C library that copy bytes of any kind: units of wchar_t, and bytes up to a given one. A number may be
 * among them. Each becomes a copy of memory. */
#include "stand_in.h"

enum { WIDE = sizeof(wchar_t) };

_Noreturn void __chk_fail(void);

/* -D_FORTIFY_SOURCE makes calls with `room`, the size of the memory that is written to. */
static ALWAYS_INLINE void check_copy(uint64_t count, uint64_t room) {
    if (count > room)
        __chk_fail();
}

static ALWAYS_INLINE char *copy_until(char *to, const char *from, int last, uint64_t size) {
    const char *found = memchr(from, last, size);
    uint64_t copied = found ? (uint64_t)(found - from) + 1 : size;
    memcpy(to, from, copied);
    return found ? to + copied : NULL;
}

INLINED wchar_t *STAND_IN(wmemcpy)(wchar_t *to, const wchar_t *from, uint64_t count) {
    return memcpy(to, from, count * WIDE);
}
INLINED wchar_t *STAND_IN(wmemmove)(wchar_t *to, const wchar_t *from, uint64_t count) {
    return memmove(to, from, count * WIDE);
}
INLINED wchar_t *STAND_IN(wmempcpy)(wchar_t *to, const wchar_t *from, uint64_t count) {
    return (wchar_t *)memcpy(to, from, count * WIDE) + count;
}
INLINED wchar_t *STAND_IN(__wmemcpy_chk)(wchar_t *to, const wchar_t *from, uint64_t count, uint64_t room) {
    check_copy(count, room);
    return memcpy(to, from, count * WIDE);
}
INLINED wchar_t *STAND_IN(__wmemmove_chk)(wchar_t *to, const wchar_t *from, uint64_t count, uint64_t room) {
    check_copy(count, room);
    return memmove(to, from, count * WIDE);
}
INLINED wchar_t *STAND_IN(__wmempcpy_chk)(wchar_t *to, const wchar_t *from, uint64_t count, uint64_t room) {
    check_copy(count, room);
    return (wchar_t *)memcpy(to, from, count * WIDE) + count;
}
INLINED char *STAND_IN(memccpy)(char *to, const char *from, int last, uint64_t size) {
    return copy_until(to, from, last, size);
}
INLINED char *STAND_IN(__memccpy)(char *to, const char *from, int last, uint64_t size) {
    return copy_until(to, from, last, size);
}
INLINED char *STAND_IN(__memccpy_chk)(char *to, const char *from, int last, uint64_t size, uint64_t room) {
    check_copy(size, room);
    return copy_until(to, from, last, size);
}

/* Copies of a text. The link lets differentiated code call these only if a text holds bytes of a number. */
#define BYTES_STAND_IN(NAME) __ez_stand_in_bytes_##NAME

static ALWAYS_INLINE char *copy_string(char *to, const char *from) {
    uint64_t length = strlen(from);
    memcpy(to, from, length + 1);
    return to + length;
}

/* As much of a text as has room, then zeros. Returns the end of the text. */
static ALWAYS_INLINE char *copy_padded(char *to, const char *from, uint64_t size) {
    uint64_t length = strnlen(from, size);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
    return to + length;
}

static ALWAYS_INLINE char *duplicate(const char *from, uint64_t length) {
    char *made = malloc(length + 1);
    memcpy(made, from, length);
    made[length] = 0;
    return made;
}

INLINED char *BYTES_STAND_IN(strcpy)(char *to, const char *from) { return copy_string(to, from), to; }
INLINED char *BYTES_STAND_IN(stpcpy)(char *to, const char *from) { return copy_string(to, from); }
INLINED char *BYTES_STAND_IN(strncpy)(char *to, const char *from, uint64_t size) {
    return copy_padded(to, from, size), to;
}
INLINED char *BYTES_STAND_IN(stpncpy)(char *to, const char *from, uint64_t size) { return copy_padded(to, from, size); }
INLINED char *BYTES_STAND_IN(strcat)(char *to, const char *from) { return copy_string(to + strlen(to), from), to; }
INLINED char *BYTES_STAND_IN(strncat)(char *to, const char *from, uint64_t size) {
    char *end = to + strlen(to);
    uint64_t length = strnlen(from, size);
    memcpy(end, from, length);
    end[length] = 0;
    return to;
}
INLINED char *BYTES_STAND_IN(strdup)(const char *from) { return duplicate(from, strlen(from)); }
INLINED char *BYTES_STAND_IN(__strdup)(const char *from) { return duplicate(from, strlen(from)); }
INLINED char *BYTES_STAND_IN(strndup)(const char *from, uint64_t size) { return duplicate(from, strnlen(from, size)); }
INLINED char *BYTES_STAND_IN(__strndup)(const char *from, uint64_t size) { return duplicate(from, strnlen(from, size)); }

INLINED char *BYTES_STAND_IN(__strcpy_chk)(char *to, const char *from, uint64_t room) {
    check_copy(strlen(from) + 1, room);
    return copy_string(to, from), to;
}
INLINED char *BYTES_STAND_IN(__stpcpy_chk)(char *to, const char *from, uint64_t room) {
    check_copy(strlen(from) + 1, room);
    return copy_string(to, from);
}
INLINED char *BYTES_STAND_IN(__strncpy_chk)(char *to, const char *from, uint64_t size, uint64_t room) {
    check_copy(size, room);
    return copy_padded(to, from, size), to;
}
INLINED char *BYTES_STAND_IN(__stpncpy_chk)(char *to, const char *from, uint64_t size, uint64_t room) {
    check_copy(size, room);
    return copy_padded(to, from, size);
}
