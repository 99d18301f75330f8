#include "own_options.h"

#include "own_names.h"
#include "tools.h"

#include <stdio.h>
#include <string.h>

#ifndef ENZYME_VERSION
#define ENZYME_VERSION "of no version"
#endif

static const char *const warning_forms[] = {"-Wno-error=", "-Werror=", "-Wno-", "-W", NULL};

/* -Wenzyme-… and its forms -Wno-, -Werror=, -Wno-error=: warnings of the link. Returns what stands behind the form. */
static const char *warning_named(const char *word) {
    for (const char *const *form = warning_forms; *form; form++)
        if (starts_with(word, *form) && starts_with(word + strlen(*form), "enzyme"))
            return word + strlen(*form);
    return NULL;
}

bool is_ours(const char *word) {
    return starts_with(word, "--enzyme-") || warning_named(word) || (starts_with(word, "-Rpass") && strstr(word, "enzyme"));
}

/* `length` characters of `word` are one of the names. */
static bool is_among(const char *const *names, const char *word, size_t length) {
    for (; *names; names++)
        if (strlen(*names) == length && strncmp(*names, word, length) == 0)
            return true;
    return false;
}

static bool is_known(const char *word) {
    const char *warning = warning_named(word);
    if (warning)
        return is_among(own_warnings, warning, strlen(warning));
    return starts_with(word, "-Rpass") || is_among(own_names, word, strcspn(word, "="));
}

/* Python has the texts of all options. */
static _Noreturn void become_python(const char *word) {
    struct words command = {0};
    const char *const line[] = {find_python(), "-P", "-m", "enzyme_cc.link.command", program_name, word, NULL};
    words_add_all(&command, line);
    become(&command);
}

void refuse_unknown(const struct words *ours) {
    for (size_t i = 0; i < ours->count; i++)
        if (!is_known(ours->items[i]))
            become_python(ours->items[i]);
}

void show_help(void) { become_python("--enzyme-help"); }

void show_version(void) { printf("enzyme-cc version " ENZYME_VERSION "\n"); }
