#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *program_name = "enzyme-cc";

static void *grown(void *memory, size_t size) {
    void *result = realloc(memory, size);
    if (!result)
        fail("out of memory");
    return result;
}

void words_add(struct words *list, const char *word) {
    if (list->count + 2 > list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->items = grown(list->items, list->capacity * sizeof *list->items);
    }
    list->items[list->count++] = word;
    list->items[list->count] = NULL;
}

void words_add_all(struct words *list, const char *const *more) {
    while (more && *more)
        words_add(list, *more++);
}

char *read_text(const char *path) {
    size_t size;
    return read_bytes(path, &size);
}

char *read_bytes(const char *path, size_t *size) {
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        return NULL;
    }
    char *text = grown(NULL, (size_t)info.st_size + 1);
    ssize_t length = read(file, text, (size_t)info.st_size);
    close(file);
    if (length < 0) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    *size = (size_t)length;
    return text;
}

/* Cuts the next word out of `*text`, in place, without its quotes and backslashes. NULL at the end. */
static char *next_word(char **text) {
    char *from = *text;
    while (isspace((unsigned char)*from))
        from++;
    if (!*from)
        return NULL;
    char *word = from, *to = from, quote = 0;
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (*from == '\\' && from[1])
            *to++ = *++from;
        else if (quote ? *from == quote : *from == '\'' || *from == '"')
            quote = quote ? 0 : *from;
        else
            *to++ = *from;
    }
    *text = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

/* Reads the words of a response file, with quotes as GNU tools have them. False if the file cannot be read. */
static bool read_response_file(struct words *list, const char *path) {
    char *text = read_text(path);
    if (!text)
        return false;
    for (char *word; (word = next_word(&text));)
        words_add(list, word);
    return true;
}

enum { DEEPEST_RESPONSE_FILE = 16 };

/* True where every word was kept. */
static bool sift(const char *const *from, word_reader keeps, void *context, struct words *passed, int depth) {
    bool kept_all = true;
    for (; from && *from; from++) {
        struct words inside = {0}, kept = {0};
        if (**from == '@' && depth < DEEPEST_RESPONSE_FILE && read_response_file(&inside, *from + 1)) {
            bool as_it_is = sift(inside.items, keeps, context, &kept, depth + 1);
            words_add_all(passed, as_it_is ? (const char *const[]){*from, NULL} : kept.items);
            kept_all &= as_it_is;
        } else if (keeps(context, *from)) {
            words_add(passed, *from);
        } else {
            kept_all = false;
        }
    }
    return kept_all;
}

void words_sift(const char *const *from, word_reader keeps, void *context, struct words *passed) {
    sift(from, keeps, context, passed, 0);
}

char *format(const char *pattern, ...) {
    char *text;
    va_list values;
    va_start(values, pattern);
    int length = vasprintf(&text, pattern, values);
    va_end(values);
    if (length < 0)
        fail("out of memory");
    return text;
}

bool starts_with(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void fail(const char *pattern, ...) {
    va_list values;
    va_start(values, pattern);
    fprintf(stderr, "%s: error: ", program_name);
    vfprintf(stderr, pattern, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

static void show_word(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    if (*word && word[strspn(word, plain)] == '\0') {
        fprintf(stderr, " %s", word);
        return;
    }
    fputs(" '", stderr);
    for (; *word; word++)
        *word == '\'' ? fputs("'\\''", stderr) : fputc(*word, stderr);
    fputc('\'', stderr);
}

void show_command(const struct words *command) {
    fprintf(stderr, "%s:", program_name);
    for (size_t i = 0; i < command->count; i++)
        show_word(command->items[i]);
    fputc('\n', stderr);
}

void become(const struct words *command) {
    execv(command->items[0], (char *const *)command->items);
    fail("cannot run %s: %s", command->items[0], strerror(errno));
}
