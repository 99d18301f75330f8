/* Numbers in texts, for --enzyme-follow-text (stand_ins/text.c): where a text has which number. */
#include "ending.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in stand_ins/text.c. */
enum { MOST_PLACES = 1024, MOST_CONVERSIONS = 64 };
struct conversions {
    int64_t count;
    int64_t place[MOST_CONVERSIONS];
    unsigned char kind[MOST_CONVERSIONS];
};
struct text_places {
    uint64_t place[MOST_PLACES];
    int64_t value[MOST_PLACES]; /* the bits of the number that is read there */
    int64_t count;
};

static __attribute__((noreturn, cold)) void refuse_text(const char *what, const char *remedy) {
    fprintf(stderr, "enzyme-cc: error: %s [EZ0304]\n  reason: with --enzyme-follow-text, a number that is read has the "
                    "derivative of what was written there\n  remedy: %s\n", what, remedy);
    end_program();
}

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t\n\v\f\r"); }

static int64_t value_bits(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void add_conversion(struct conversions *found, int kind, int64_t place) {
    if (found->count == MOST_CONVERSIONS)
        refuse_text("a format has too many conversions", "print the numbers by several calls");
    found->kind[found->count] = (unsigned char)kind;
    found->place[found->count++] = place;
}

/* Returns the length of the text that the first bytes of a format make. */
static int64_t length_of(const char *format, size_t bytes, va_list list) {
    char *prefix = malloc(bytes + 1);
    va_list copy;
    if (!prefix)
        end_program();
    memcpy(prefix, format, bytes);
    prefix[bytes] = 0;
    va_copy(copy, list);
    int64_t length = vsnprintf(NULL, 0, prefix, copy);
    va_end(copy);
    free(prefix);
    return length;
}

/* Prints as vsnprintf, and lists the arguments that the format takes: integers and pointers (i), double (d), and long
 * double (l), these with their places in the text. */
int __ez_text_print(char *to, uint64_t size, const char *format, va_list list, struct conversions *found) {
    found->count = 0;
    for (const char *p = format; *p; p++) {
        const char *start = p;
        int is_long = 0;
        if (*p != '%')
            continue;
        for (p++; *p && strchr("0123456789.-+ #'*hlLqjzt$", *p); p++) {
            if (*p == '$')
                refuse_text("a format chooses its arguments by numbers", "print the arguments in their order");
            if (*p == '*')
                add_conversion(found, 'i', -1);
            is_long |= *p == 'L';
        }
        if (!*p)
            break;
        if (strchr("fFeEgGaA", *p)) {
            int64_t place = length_of(format, (size_t)(start - format), list);
            add_conversion(found, is_long ? 'l' : 'd', place >= 0 && (uint64_t)place + 1 < size ? place : -1);
        } else if (*p != '%' && *p != 'm')
            add_conversion(found, 'i', -1);
    }
    return vsnprintf(to, size, format, list);
}

double __ez_text_number(const char *text, char **end) { return strtod(text, end); }
float __ez_text_float(const char *text, char **end) { return strtof(text, end); }
double __ez_text_constant(double x) { return x; }

/* Finds a number for the place at which a text has a number now; -1 if that is not finite. */
void __ez_text_wrote(struct text_places *places, const char *place, int64_t *number) {
    place = skip_blanks(place);
    double value = strtod(place, NULL);
    int64_t k = 0;
    while (k < places->count && places->place[k] != (uintptr_t)place)
        k++;
    *number = k;
    if (k == MOST_PLACES)
        refuse_text("numbers are written at too many places", "write them in the same buffer, one after the other");
    places->place[k] = (uintptr_t)place;
    places->value[k] = value_bits(value);
    places->count += k == places->count;
    if (value - value != 0) { /* infinite, or NaN */
        places->place[k] = 0;
        *number = -1;
    }
}

/* Finds the number that was written at the place of a text from which a number was read; -1 if none was, or if the text
 * has changed since then. Ends the program if that number was written elsewhere: then the text was moved. */
void __ez_text_read(struct text_places *places, const char *text, double value, int64_t *number) {
    uintptr_t place = (uintptr_t)skip_blanks(text);
    int64_t elsewhere = -1;
    *number = -1;
    for (int64_t k = 0; k < places->count; k++) {
        int is_equal = places->value[k] == value_bits(value);
        if (places->place[k] == place && is_equal)
            *number = k;
        else if (places->place[k] == place)
            places->place[k] = 0;
        else if (places->place[k] && is_equal)
            elsewhere = k;
    }
    if (*number < 0 && elsewhere >= 0)
        refuse_text("a number is read that was written at another place", "read it where it was written, from the same "
                                                                          "memory");
}
