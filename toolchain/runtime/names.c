/* Prints names of functions in messages at run time, as C++ and Fortran spell them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C++ library has it; programs in C and Fortran need not. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status) __attribute__((weak));

static int is_capital_letter(char c) { return c >= 'A' && c <= 'Z'; }
static int is_name_part(char c) {
    return is_capital_letter(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* flang: _QMmodulePprocedure, _QMmoduleFhostPinner, _QPprocedure; the letters before the names are capitals. */
static int print_fortran(const char *name, size_t length) {
    if (length < 4 || name[0] != '_' || name[1] != 'Q' || !strchr("MPFE", name[2]))
        return 0;
    for (size_t k = 2; k < length; k++)
        if (!is_capital_letter(name[k]))
            fwrite(&name[k], 1, 1, stderr);
        else if (k > 2)
            fputs("::", stderr);
    return 1;
}

static int print_cxx(const char *name, size_t length) {
    char plain[1024];
    int status = 1;
    if (length < 3 || name[0] != '_' || name[1] != 'Z' || length >= sizeof plain || !__cxa_demangle)
        return 0;
    memcpy(plain, name, length);
    plain[length] = 0;
    char *found = __cxa_demangle(plain, 0, 0, &status);
    if (found)
        fputs(found, stderr);
    free(found);
    return found != 0;
}

/* Prints a text to stderr in which mangled names are those of the source. */
static void print_names(const char *text) {
    while (*text) {
        size_t length = 0;
        while (is_name_part(text[length]))
            length++;
        if (length == 0)
            fwrite(&text[length++], 1, 1, stderr);
        else if (!print_cxx(text, length) && !print_fortran(text, length))
            fwrite(text, 1, length, stderr);
        text += length;
    }
}
