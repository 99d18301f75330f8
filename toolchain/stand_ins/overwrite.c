/* Functions that write bytes over numbers: they are given fresh memory, and what they wrote is then copied. It is constant.
 * Differentiated code calls these only if the link would be refused without them; files.c has fread and read. */
#include "stand_in.h"

#ifndef FILE_STAND_IN
#define FILE_STAND_IN(NAME) __ez_stand_in_file_##NAME
#endif

int64_t __ez_random_bytes(void *to, uint64_t size, unsigned flags);
int __ez_entropy(void *to, uint64_t size);

static ALWAYS_INLINE void copy_and_free(void *to, void *got, int64_t bytes) {
    if (bytes > 0)
        memcpy(to, got, (size_t)bytes);
    free(got);
}

INLINED int64_t FILE_STAND_IN(getrandom)(void *to, uint64_t size, unsigned flags) {
    char *got = malloc(size + !size);
    int64_t done = __ez_random_bytes(got, size, flags);
    copy_and_free(to, got, done);
    return done;
}

INLINED int FILE_STAND_IN(getentropy)(void *to, uint64_t size) {
    char *got = malloc(size + !size);
    int failed = __ez_entropy(got, size);
    copy_and_free(to, got, failed ? 0 : (int64_t)size);
    return failed;
}
