/* Fortran's characters, for stand-ins: what these ask of a text, without reading its bytes as integers themselves. The
 * bytes may be those of numbers. */
#include <stdint.h>
#include <string.h>

static int is_blank(const char *text, uint64_t width) {
    static const uint32_t blank = ' ';
    return !memcmp(text, &blank, width);
}

/* Returns the number of bytes of the blanks at the beginning of a text, or at its end, by the bytes of a character. */
uint64_t __ez_blanks(const char *text, uint64_t bytes, uint64_t width, uint64_t at_end) {
    uint64_t found = 0;
    while (found < bytes && is_blank(text + (at_end ? bytes - found - width : found), width))
        found += width;
    return found;
}
