#include "link.h"

#include "again.h"
#include "own_options.h"
#include "search.h"
#include "tools.h"
#include "words.h"

#include <string.h>

static const char native_option[] = "--enzyme-native-linker=";

struct line {
    struct words passed; /* what the native linker is given */
    struct words ours;   /* our other options, for the Python stage */
    struct words words;  /* every word, those in response files too */
    const char *native;  /* --enzyme-native-linker=, or NULL */
    bool has_settings;   /* options that only the Python stage reads */
    bool verbose;
};

static bool read_word(void *context, const char *word) {
    struct line *line = context;
    if (!is_ours(word)) {
        words_add(&line->words, word);
        return true;
    }
    bool is_verbose = strcmp(word, "--enzyme-verbose") == 0;
    line->verbose |= is_verbose;
    if (starts_with(word, native_option)) {
        line->native = word + strlen(native_option);
    } else {
        line->has_settings |= !is_verbose;
        words_add(&line->ours, word);
    }
    return false;
}

/* Returns the value of an option, as in `-Lvalue`, `-L value`, `--long=value` or `--long value`; NULL for another. */
static const char *value_of(const char *const *at, char letter, const char *long_name) {
    const char *word = *at;
    if (word[0] == '-' && word[1] == letter)
        return word[2] ? word + 2 : at[1];
    if (!starts_with(word, long_name))
        return NULL;
    word += strlen(long_name);
    return *word == '=' ? word + 1 : *word ? NULL : at[1];
}

/* Options that ld takes with one dash or two. */
static bool is_option(const char *word, const char *const *names) {
    if (*word++ != '-')
        return false;
    word += *word == '-';
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return true;
    return false;
}

static const char *const static_names[] = {"Bstatic", "static", "dn", "non_shared", NULL};
static const char *const dynamic_names[] = {"Bdynamic", "dy", "call_shared", NULL};
static const char *const push_names[] = {"push-state", NULL};
static const char *const pop_names[] = {"pop-state", NULL};
static const char *const shared_names[] = {"shared", "Bshareable", NULL};
static const char *const relocatable_names[] = {"r", "i", "relocatable", "Ur", NULL};

/* Where GNU ld looks when no -L is left. */
static const char *const usual_folders[] = {"=/usr/local/lib/" OWN_ARCHITECTURE "-linux-gnu",
                                            "=/lib/" OWN_ARCHITECTURE "-linux-gnu",
                                            "=/usr/lib/" OWN_ARCHITECTURE "-linux-gnu",
                                            "=/usr/local/lib64",
                                            "=/lib64",
                                            "=/usr/lib64",
                                            "=/usr/local/lib",
                                            "=/lib",
                                            "=/usr/lib",
                                            NULL};

/* -L and --sysroot are about all inputs, also about those before them. */
static struct library_search read_search(const struct line *line) {
    struct library_search search = {0};
    for (size_t i = 0; i < line->words.count; i++) {
        const char *folder = value_of(&line->words.items[i], 'L', "--library-path");
        const char *word = line->words.items[i];
        if (folder)
            words_add(&search.folders, folder);
        else if (starts_with(word, "--sysroot="))
            search.sysroot = word + strlen("--sysroot=");
        else if (is_option(word, shared_names))
            search.for_library = true;
    }
    words_add_all(&search.folders, usual_folders);
    return search;
}

/* Takes every word that names a file for an input. A value of an option may be among them: that does no harm here. */
static bool word_mentions_enzyme(const struct library_search *search, const char *const *at) {
    const char *library = value_of(at, 'l', "--library");
    if (library)
        return library_mentions_enzyme(search, library);
    return **at != '-' && input_mentions_enzyme(search, *at);
}

/* Looks into all inputs, also after the first one with a request: they may have to be stamped. The Python stage knows
   which options there are. So it reads them where no input has a request, too, and refuses an unknown one. */
static bool needs_python(const struct line *line) {
    enum { DEEPEST_STATE = 64 };
    struct library_search search = read_search(line);
    bool saved[DEEPEST_STATE], asks = line->has_settings, is_relocatable = false;
    size_t depth = 0;
    for (size_t i = 0; i < line->words.count; i++) {
        const char *const *at = &line->words.items[i];
        if (is_option(*at, static_names))
            search.static_only = true;
        else if (is_option(*at, dynamic_names))
            search.static_only = false;
        else if (is_option(*at, push_names) && depth < DEEPEST_STATE)
            saved[depth++] = search.static_only;
        else if (is_option(*at, pop_names) && depth > 0)
            search.static_only = saved[--depth];
        else if (is_option(*at, relocatable_names))
            is_relocatable = true; /* the bitcode goes into the output, for the final link */
        else
            asks |= word_mentions_enzyme(&search, at);
    }
    return (asks || met_bitcode()) && !is_relocatable; /* a shared library carries its units */
}

static struct words native_line(const char *native, const struct line *line) {
    struct words command = {0};
    words_add(&command, native);
    words_add_all(&command, line->passed.items);
    return command;
}

/* What the Python stage is told. */
static struct words settings_line(const char *native, const struct line *line) {
    struct words command = {0};
    const char *clang = search_compiler(C);
    words_add(&command, format("%s%s", native_option, native));
    if (clang)
        words_add(&command, format("--enzyme-clang=%s", clang)); /* its LLVM works faster than llvmlite's */
    words_add_all(&command, line->ours.items);
    words_add_all(&command, line->passed.items);
    return command;
}

/* -P: Python must not import a folder of the user that has the name of one of our modules. */
static struct words python_line(const struct words *settings) {
    static const char *const start[] = {"-P", "-m", "enzyme_cc.link", NULL};
    struct words command = {0};
    words_add(&command, find_python());
    words_add_all(&command, start);
    words_add_all(&command, settings->items);
    return command;
}

void link_program(const char *const *arguments) {
    struct line line = {0};
    words_sift(arguments, read_word, &line, &line.passed);
    const char *native = find_linker(line.native);
    struct words settings = settings_line(native, &line);
    if (!line.verbose)
        link_again(&settings);
    struct words command = needs_python(&line) ? python_line(&settings) : native_line(native, &line);
    if (line.verbose)
        show_command(&command);
    become(&command);
}
