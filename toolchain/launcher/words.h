/* Command lines as growing lists of words, and messages for the user. */
#ifndef ENZYME_WORDS_H
#define ENZYME_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A list of words with NULL at its end: `items` is an argv. Words are never freed: the process soon execs or exits. */
struct words {
    const char **items;
    size_t count, capacity;
};

void words_add(struct words *list, const char *word);
void words_add_all(struct words *list, const char *const *more);

/* Calls `keeps` for every word of `from`, also for those in response files, and adds the words that it keeps to
   `passed`. If it keeps all words of a response file, the file itself is passed on; else its kept words are. */
typedef bool (*word_reader)(void *context, const char *word);
void words_sift(const char *const *from, word_reader keeps, void *context, struct words *passed);

/* sprintf into fresh memory. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* The text of a regular file; NULL if it cannot be read. The caller frees it. */
char *read_text(const char *path);

/* As above, with the number of bytes. */
char *read_bytes(const char *path, size_t *size);

bool starts_with(const char *text, const char *prefix);

/* The part of `path` behind the last slash. */
const char *file_name(const char *path);

/* The name under which this program was started, for messages. */
extern const char *program_name;

/* Prints an error and its remedy, and ends the process with status 1. */
_Noreturn void fail(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* Prints a command to stderr, quoted so that a shell can run it. */
void show_command(const struct words *command);

/* Becomes the command; does not return. */
_Noreturn void become(const struct words *command);

#endif
