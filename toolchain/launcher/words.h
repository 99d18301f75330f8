/* Command lines as growing lists of words, and what every part needs to speak to the user. */
#ifndef ENZYME_WORDS_H
#define ENZYME_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A list of words, always ended by NULL, so that `items` is an argv. Words are never freed: the process execs or exits.
 */
struct words {
    const char **items;
    size_t count, capacity;
};

void words_add(struct words *list, const char *word);
void words_add_all(struct words *list, const char *const *more);

/* Shows every word of `from`, those in response files too, to `keeps`, and adds the words it keeps to `passed`. A
   response file is passed on as it is, unless words in it are not kept: then its other words take its place. */
typedef bool (*word_reader)(void *context, const char *word);
void words_sift(const char *const *from, word_reader keeps, void *context, struct words *passed);

/* Is it one of the options that no other tool may see? */
bool is_ours(const char *word);

/* sprintf into fresh memory. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

bool starts_with(const char *text, const char *prefix);

/* The part of `path` behind the last slash. */
const char *file_name(const char *path);

/* The name this program was started under, for its messages. */
extern const char *program_name;

/* Says what is wrong and what to do, and ends with status 1. */
_Noreturn void fail(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* Shows a command on stderr, quoted so that a shell takes it back. */
void show_command(const struct words *command);

/* Becomes the command; does not return. */
_Noreturn void become(const struct words *command);

#endif
