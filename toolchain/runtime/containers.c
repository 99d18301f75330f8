/* Containers whose shadow has less memory: enzyme_cc/autodiff/emit/shadow_access/fitting.py. */
#include <stddef.h>
#include <stdint.h>

static void refuse(const char *message);

/* A load may see the container in the middle of a change, with an end that is none of the block. */
static __attribute__((noinline, cold)) void refuse_outgrown(const char *begin, const char *end, const char *block_end,
                                                            const char *shadow, const char *room, const char *message) {
    if (begin <= end && end <= block_end && shadow <= room && begin != shadow)
        refuse(message);
}

/* Ends the program if there are more bytes from begin to end than from the shadow to the end of its room.
 * `block_end`: where the container has the end of its block. `may_be_null`: a member that is not used has no shadow. */
__attribute__((always_inline)) void __ez_refuse_outgrown(const char *begin, const char *end, char *const *block_end,
                                                         const char *shadow, const char *room, uint64_t may_be_null,
                                                         const char *message) {
    if (__builtin_expect((size_t)(end - begin) > (size_t)(room - shadow), 0) && (shadow || !may_be_null))
        refuse_outgrown(begin, end, *block_end, shadow, room, message);
}
