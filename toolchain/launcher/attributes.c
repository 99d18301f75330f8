/* [[enzyme::inactive]] and [[enzyme_inactive]] become [[clang::enzyme_inactive]], which is a macro for clang's annotation
   (compile.c). A macro cannot do this: in double brackets, clang reads `annotate` only with its own name before it.

   `#pragma enzyme …` becomes a warning: clang ignores unknown pragmas without a word. */
#include "attributes.h"

#include "words.h"

#include <ctype.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Beyond the numbers that a build uses: clang stores its command line, with these numbers, in objects. */
enum { FIRST_FILE = 700 };

static struct words respelled, copies; /* absolute paths of sources, and of what clang reads in their place */

const char *memory_file(const char *text, size_t size) {
    int made = (int)syscall(SYS_memfd_create, "enzyme-cc", MFD_CLOEXEC); /* glibc has it from 2.27 on only */
    int file = fcntl(made, F_DUPFD, FIRST_FILE);
    if (file < 0)
        file = dup(made);
    if (made < 0 || file < 0 || write(file, text, size) != (ssize_t)size)
        fail("no memory for a temporary file");
    close(made);
    return format("/dev/fd/%d", file);
}

static const char *skip_space(const char *at) {
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const char *end_of_word(const char *at) {
    while (in_word(*at))
        at++;
    return at;
}

/* Returns what follows a word and a mark behind it; NULL if the text does not begin with them. */
static const char *behind(const char *at, const char *word, const char *mark) {
    const char *end = end_of_word(at), *next = skip_space(end);
    bool is_same = (size_t)(end - at) == strlen(word) && starts_with(at, word);
    return is_same && starts_with(next, mark) ? skip_space(next + strlen(mark)) : NULL;
}

static const char *end_of_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

struct speller {
    const char *copied; /* what is before has been written */
    FILE *out;
    bool prefixed; /* behind `using enzyme:` */
};

static const char *put(struct speller *s, const char *end, const char *text, const char *next) {
    fwrite(s->copied, 1, (size_t)(end - s->copied), s->out);
    fputs(text, s->out);
    s->copied = next;
    return next;
}

/* Reads the name of one attribute and returns where to go on. */
static const char *respell_name(struct speller *s, const char *at) {
    const char *name = behind(at, "enzyme", "::");
    if (name)
        return end_of_word(put(s, at, "clang::enzyme_", name));
    if (s->prefixed)
        return end_of_word(put(s, at, "clang::enzyme_", at));
    if (starts_with(at, "enzyme_"))
        return end_of_word(put(s, at, "clang::", at));
    return end_of_word(at);
}

/* Reads a list of attributes, behind its opening brackets. Returns where it ends. */
static const char *respell_list(struct speller *s, const char *at) {
    const char *named = behind(at, "using", ""), *first = named ? behind(named, "enzyme", ":") : NULL;
    s->prefixed = first && *first != ':';
    if (s->prefixed)
        at = put(s, at, "", first);
    bool is_name = true;
    for (int depth = 0; *at && depth >= 0;) {
        if (*at == '"') {
            at = end_of_string(at);
        } else if (in_word(*at)) {
            at = is_name && depth == 0 ? respell_name(s, at) : end_of_word(at);
            is_name = false;
        } else {
            depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
            is_name |= *at == ',' && depth == 0;
            at++;
        }
    }
    return at;
}

#define NO_PRAGMA                                                                                                      \
    "#pragma GCC warning \"#pragma enzyme is ignored [EZ0213]; put the attribute enzyme(checkpoint, N) of enzyme.h "    \
    "on a function that does a step of the loop\" //"

static bool begins_line(const char *text, const char *at) {
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

/* Returns what follows the first `#pragma enzyme` from a place in a text on, or NULL; `start` is set to its beginning. */
static const char *find_pragma(const char *text, const char *at, const char **start) {
    for (at = strchr(at, '#'); at; at = strchr(at + 1, '#')) {
        const char *name = begins_line(text, at) ? behind(skip_space(at + 1), "pragma", "") : NULL;
        *start = at;
        if (name && behind(name, "enzyme", ""))
            return end_of_word(name);
    }
    return NULL;
}

static void respell_pragmas(struct speller *s, const char *text) {
    const char *start;
    for (const char *at = find_pragma(text, text, &start); at; at = find_pragma(text, at, &start))
        put(s, start, NO_PRAGMA, at);
}

/* Calls a pass over a text, and returns what it makes of it. */
static char *respelled_by(void (*pass)(struct speller *, const char *), const char *text, bool *changed) {
    char *copy = NULL;
    size_t size;
    struct speller s = {.copied = text, .out = open_memstream(&copy, &size)};
    if (!s.out)
        fail("out of memory");
    pass(&s, text);
    *changed |= s.copied != text;
    put(&s, s.copied + strlen(s.copied), "", NULL);
    fclose(s.out);
    return copy;
}

static void respell_attributes(struct speller *s, const char *text) {
    for (const char *at = strstr(text, "[["); at; at = strstr(at, "[["))
        at = respell_list(s, skip_space(at + 2));
}

static bool is_respelled(const char *path) {
    for (size_t i = 0; i < respelled.count; i++)
        if (strcmp(respelled.items[i], path) == 0)
            return true;
    return false;
}

/* Projects choose endings of their own for objects, say `.fo` for Fortran's: what the file begins with decides. */
static bool is_binary(const char *path) {
    static const char *const starts[] = {"\177ELF", "!<arch>", "!<thin>", "BC\xc0\xde"};
    char start[8] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t count = fread(start, 1, sizeof start - 1, file);
    fclose(file);
    for (size_t i = 0; count && i < sizeof starts / sizeof *starts; i++)
        if (starts_with(start, starts[i]))
            return true;
    return false;
}

bool is_source(const char *path) {
    static const char *const others[] = {".o", ".a", ".so", ".lo", ".os", ".obj", ".bc", ".ll", ".s", ".S"};
    const char *name = file_name(path), *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
        if (strcmp(dot, others[i]) == 0)
            return false;
    return strcmp(path, "-") != 0 && !strstr(name, ".so.") && !is_binary(path);
}

bool respell(const char *path) {
    char *text = is_source(path) ? read_text(path) : NULL;
    if (!text || !strstr(text, "enzyme")) {
        free(text);
        return false;
    }
    bool changed = false;
    char *plain = respelled_by(respell_pragmas, text, &changed);
    char *copy = respelled_by(respell_attributes, plain, &changed);
    const char *absolute = *path == '/' ? format("%s", path) : format("%s/%s", getcwd(NULL, 0), path);
    changed &= !is_respelled(absolute);
    if (changed) {
        words_add(&respelled, absolute);
        words_add(&copies, memory_file(copy, strlen(copy)));
    }
    free(text);
    free(plain);
    free(copy);
    return changed;
}

bool respell_listed(const char *list) {
    char *text = read_text(list);
    bool changed = false;
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        changed |= respell(line);
    free(text);
    return changed;
}

static void put_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

const char *respelled_overlay(void) {
    char *text = NULL;
    size_t size;
    if (!respelled.count)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        fail("out of memory");
    fputs("{\"version\": 0, \"use-external-names\": false, \"roots\": [", out);
    for (size_t i = 0; i < respelled.count; i++) {
        fputs(i ? ", {\"type\": \"file\", \"name\": " : "{\"type\": \"file\", \"name\": ", out);
        put_quoted(out, respelled.items[i]);
        fputs(", \"external-contents\": ", out);
        put_quoted(out, copies.items[i]);
        fputc('}', out);
    }
    fputs("]}\n", out);
    fclose(out);
    return memory_file(text, size);
}
