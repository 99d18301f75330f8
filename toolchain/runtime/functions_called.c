/* The profile of --enzyme-profile-calls: which functions calls through pointers reach while a request runs. When the
 * program ends, their names are written to the file that ENZYME_CALLS_FILE names, or to enzyme-calls.txt. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The functions with bitcode, each with its name in the profile; null at the end. Made by the link. */
struct ez_named_function {
    const void *function;
    const char *name;
};
extern const struct ez_named_function __ez_named_functions[] __attribute__((weak));

/* The functions that were noted: a hash table with linear probing, at most half of it used. */
static const void **ez_noted;
static size_t ez_noted_size, ez_noted_count;
static char ez_noting;           /* a lock */
static int64_t ez_open_requests; /* requests that run now, in all threads */

static size_t ez_noted_slot(const void *const *slots, size_t size, const void *function) {
    size_t slot = ((uintptr_t)function >> 4) * 0x9E3779B97F4A7C15u >> 20 & (size - 1);
    while (slots[slot] && slots[slot] != function)
        slot = (slot + 1) & (size - 1);
    return slot;
}

static int ez_grow_noted(void) {
    size_t size = ez_noted_size ? 2 * ez_noted_size : 64;
    const void **slots = calloc(size, sizeof *slots);
    if (!slots)
        return 0;
    for (size_t k = 0; k < ez_noted_size; k++)
        if (ez_noted[k])
            slots[ez_noted_slot(slots, size, ez_noted[k])] = ez_noted[k];
    free(ez_noted);
    ez_noted = slots;
    ez_noted_size = size;
    return 1;
}

/* Notes that a call reaches a function. */
void __ez_note_call(const void *function) {
    if (!function || !__atomic_load_n(&ez_open_requests, __ATOMIC_RELAXED))
        return;
    while (__atomic_test_and_set(&ez_noting, __ATOMIC_ACQUIRE))
        ;
    if (2 * ez_noted_count < ez_noted_size || ez_grow_noted()) {
        size_t slot = ez_noted_slot(ez_noted, ez_noted_size, function);
        ez_noted_count += !ez_noted[slot];
        ez_noted[slot] = function;
    }
    __atomic_clear(&ez_noting, __ATOMIC_RELEASE);
}

static const char *ez_name_in_link(const void *function) {
    for (const struct ez_named_function *f = __ez_named_functions; f && f->function; f++)
        if (f->function == function)
            return f->name;
    return NULL;
}

static int ez_compare_lines(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Returns the line of a function in the profile, which the caller frees. One without bitcode has its object. What is
 * known of it beside is in functions.c, which is a part of the same module. */
static char *ez_line_of(const void *function) {
    const char *name = ez_name_in_link(function);
    struct place place = {0};
    struct names names = {0};
    char *line = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&line, &size);
    if (!file)
        return NULL;
    if (!name && (!dladdr || !dladdr(function, &place))) /* the program is linked statically */
        place = (struct place){.file = "/proc/self/exe", .base = __ehdr_start};
    const char *object = place.file && strrchr(place.file, '/') ? strrchr(place.file, '/') + 1 : place.file;
    if (name)
        fputs(name, file);
    else if (place.symbol && place.address == function)
        fprintf(file, "%s of %s", place.symbol, object);
    else if (names_in_file(&place, function, &names))
        fprintf(file, "%s of %s", names.function, object);
    else
        fprintf(file, "# the function at offset 0x%zx of %s", (size_t)((const char *)function - place.base), object);
    fclose(file);
    return line;
}

/* Opens the file for the profile. In its name, %p stands for the number of the process. */
static FILE *ez_open_calls(char *name, size_t size) {
    const char *wanted = getenv("ENZYME_CALLS_FILE");
    if (!wanted || !*wanted)
        wanted = "enzyme-calls.txt";
    const char *number = strstr(wanted, "%p");
    if (number)
        snprintf(name, size, "%.*s%d%s", (int)(number - wanted), wanted, getpid(), number + 2);
    else
        snprintf(name, size, "%s", wanted);
    return fopen(name, "w");
}

static void ez_write_calls(void) {
    char name[4096];
    char **lines = calloc(ez_noted_count + 1, sizeof *lines);
    size_t count = 0;
    FILE *file = ez_open_calls(name, sizeof name);
    for (size_t k = 0; lines && k < ez_noted_size; k++)
        if (ez_noted[k] && (lines[count] = ez_line_of(ez_noted[k])))
            count++;
    if (file && lines) {
        qsort(lines, count, sizeof *lines, ez_compare_lines);
        fputs("# Functions that calls through pointers reach in derivatives: for --enzyme-use-calls\n", file);
        for (size_t k = 0; k < count; k++)
            fprintf(file, "%s\n", lines[k]);
    }
    if (!file || ferror(file) | fclose(file))
        fprintf(stderr, "enzyme-cc: warning: cannot write the profile of calls to %s\n", name);
    else
        fprintf(stderr, "enzyme-cc: note: %zu functions are written to %s; derivatives were zero in this run\n", count,
                name);
    for (size_t k = 0; lines && k < count; k++)
        free(lines[k]);
    free(lines);
}

/* A request begins to run its function. */
void __ez_begin_noting(void) {
    static char has_begun;
    __atomic_fetch_add(&ez_open_requests, 1, __ATOMIC_RELAXED);
    if (!__atomic_test_and_set(&has_begun, __ATOMIC_RELAXED))
        atexit(ez_write_calls);
}

/* It has ended. */
void __ez_end_noting(void) { __atomic_fetch_sub(&ez_open_requests, 1, __ATOMIC_RELAXED); }
