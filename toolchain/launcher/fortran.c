/* flang's bitcode comes after LLVM's passes. Behind `x == 2`, they put 2 in the place of x, and the derivative by x is
   lost. So flang prints the module as it was before, in the same run, into a file. If numbers are compared for equality
   in it, its bitcode takes the place of the bitcode in the object. The native code stays as it is. */
#include "fortran.h"

#include "attributes.h"
#include "run.h"
#include "stamp.h"
#include "tools.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* LLVM's options; at -O0, the pass does not run, and the module is not changed before it is embedded. */
static const char *const prints_module[] = {
    "-mllvm", "-print-before=annotation2metadata", "-mllvm", "-print-module-scope", NULL,
};
static struct words made; /* temporary folders and files, in the order in which they were made */

void remove_temporary(void) {
    while (made.count)
        remove(made.items[--made.count]);
}

static const char *temporary_folder(void) {
    const char *parent = getenv("TMPDIR");
    char *folder = format("%s/enzyme-fc-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        fail("cannot make the folder %s", folder);
    words_add(&made, folder);
    before_signal = remove_temporary;
    return folder;
}

static const char *temporary_file(const char *folder, const char *name) {
    const char *path = format("%s/%s", folder, name);
    words_add(&made, path);
    return path;
}

/* A comparison of numbers in LLVM's text: pieces of the text. */
struct comparison {
    const char *predicate, *left, *right, *end;
};

static bool is_flag(const char *at) {
    static const char *const flags[] = {"fast ", "nnan ", "ninf ", "nsz ", "arcp ", "contract ", "afn ", "reassoc "};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (starts_with(at, flags[i]))
            return true;
    return false;
}

/* `at`: behind "fcmp " in a line "%5 = fcmp contract oeq double %4, 2.000000e+00, !dbg !8" */
static bool read_comparison(const char *at, struct comparison *found) {
    while (is_flag(at))
        at = strchr(at, ' ') + 1;
    const char *type = strchr(at, ' '), *left = type ? strchr(type + 1, ' ') : NULL;
    const char *comma = left ? strchr(left, ',') : NULL;
    if (!comma)
        return false;
    *found = (struct comparison){at, left + 1, comma + 2, comma + 2 + strcspn(comma + 2, ",\n")};
    return true;
}

static bool is_zero(const char *operand) {
    return starts_with(operand, "0.000000e+00") || starts_with(operand, "-0.000000e+00");
}

/* True for a comparison that tells x <= 2 from x > 2 (`above`), or x < 2 from x >= 2 (not `above`). */
static bool orders(const struct comparison *c, bool above) {
    bool is_strict = c->predicate[2] == 't', is_less = c->predicate[1] == 'l';
    return (c->predicate[1] == 'l' || c->predicate[1] == 'g') && *c->right != '%' && is_strict == (is_less != above);
}

/* True if another comparison with the same constant makes a test of equality of this one. */
static bool has_partner(const char *text, const struct comparison *first) {
    struct comparison other;
    for (const char *at = strstr(text, " = fcmp "); at; at = strstr(at + 1, " = fcmp "))
        if (read_comparison(at + 8, &other) && orders(&other, false) &&
            strncmp(other.right, first->right, (size_t)(first->end - first->right)) == 0)
            return true;
    return false;
}

/* Zero has two signs, so LLVM puts it in the place of nothing. */
static bool compares_for_equality(const char *text) {
    struct comparison found;
    for (const char *at = strstr(text, " = fcmp "); at; at = strstr(at + 1, " = fcmp ")) {
        if (!read_comparison(at + 8, &found) || is_zero(found.left) || is_zero(found.right))
            continue;
        bool is_equality = strncmp(found.predicate + 1, "eq", 2) == 0 || strncmp(found.predicate + 1, "ne", 2) == 0;
        if (is_equality || (orders(&found, true) && has_partner(text, &found)))
            return true;
    }
    return false;
}

/* The one file that LLVM has printed into the folder, or NULL. */
static const char *printed_file(const char *folder) {
    const char *found = NULL;
    DIR *list = opendir(folder);
    for (struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list))
        if (strstr(entry->d_name, "-before.ll"))
            found = temporary_file(folder, entry->d_name);
    if (list)
        closedir(list);
    return found;
}

/* Replaces the bitcode of an object if the module that was printed has comparisons for equality. */
static void replace_module(const char *folder, const char *object) {
    const char *printed = printed_file(folder);
    char *text = printed ? read_text(printed) : NULL;
    if (!text || !compares_for_equality(text))
        return;
    const char *bitcode = temporary_file(folder, "module.bc");
    struct words line = {0};
    words_add(&line, find_compiler(FORTRAN));
    words_add_all(&line, (const char *const[]){"-fc1", "-emit-llvm-bc", "-O0", "-w", printed, "-o", bitcode, NULL});
    if (run_command(&line) == 0)
        replace_bitcode(object, bitcode);
    free(text);
}

static int compile_fortran(const struct words *line, const char *object) {
    const char *folder = temporary_folder();
    struct words all = {0};
    for (size_t i = 0; i < line->count; i++)
        words_add(&all, line->items[i]);
    words_add_all(&all, prints_module);
    words_add_all(&all, (const char *const[]){"-mllvm", format("-ir-dump-directory=%s", folder), NULL});
    int status = run_command(&all);
    if (status == 0)
        replace_module(folder, object);
    stamp_object(object);
    return status;
}

static bool has_word(const struct words *list, const char *word) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], word) == 0)
            return true;
    return false;
}

/* The endings that flang compiles. */
static bool is_fortran(const char *path) {
    static const char *const endings[] = {"f", "for", "fpp", "f90", "f95", "f03", "f08"};
    const char *dot = strrchr(file_name(path), '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot + 1, endings[i]) == 0)
            return is_source(path);
    return false;
}

bool compiles_apart(const struct command *command) {
    size_t sources = 0;
    for (size_t i = 0; i < command->inputs.count; i++) {
        const char *input = command->inputs.items[i];
        if (is_source(input) && !(is_fortran(input) && has_word(&command->passed, input)))
            return false;
        sources += is_fortran(input);
    }
    bool have_one_name = command->makes_objects && command->output;
    return sources && !(have_one_name && sources > 1) && !has_word(&command->passed, "--");
}

/* The words of `passed` without its sources and without -o and its value. */
static void add_options(struct words *line, const struct command *command) {
    const struct words *passed = &command->passed;
    for (size_t i = 0; i < passed->count; i++) {
        const char *word = passed->items[i];
        bool is_output = command->output && starts_with(word, "-o") && strcmp(word + 2, command->output) == 0;
        if (strcmp(word, "-o") == 0)
            i++;
        else if (!is_output && !has_word(&command->inputs, word))
            words_add(line, word);
    }
}

/* The object of a source: where flang makes it with -c; else a temporary one. */
static const char *object_of(const struct command *command, const char *source) {
    if (command->makes_objects && command->output)
        return command->output;
    const char *name = default_object(source);
    return command->makes_objects ? name : temporary_file(temporary_folder(), name);
}

int compile_fortran_sources(const struct words *line, const struct command *command, struct words *linked) {
    for (size_t i = 0; i < command->passed.count; i++) {
        const char *word = command->passed.items[i];
        if (!has_word(&command->inputs, word) || !is_fortran(word)) {
            words_add(linked, word);
            continue;
        }
        struct words one = {0};
        const char *object = object_of(command, word);
        words_add_all(&one, line->items);
        add_options(&one, command);
        words_add_all(&one, (const char *const[]){"-Qunused-arguments", "-c", word, "-o", object, NULL});
        int status = compile_fortran(&one, object);
        if (status)
            return status;
        words_add(linked, object);
    }
    return 0;
}
