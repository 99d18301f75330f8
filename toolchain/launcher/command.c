#include "command.h"

#include "options.h"
#include "own_options.h"

#include <string.h>

struct reader {
    struct command *command;
    const struct option *awaiting; /* the option whose value is the next word */
    bool only_inputs;              /* behind "--" */
};

static void note_value(struct command *command, const struct option *option, const char *value) {
    switch (option->meaning) {
    case OUTPUT: command->output = value; break;
    case LINKER: command->flavour = value; break;
    case LINKER_PATH: command->linker = value; break;
    case TARGET: command->target = value; break;
    case SYSROOT: command->sysroot = value; break;
    default: break;
    }
}

static void note_option(struct command *command, const struct option *option) {
    switch (option->meaning) {
    case OBJECT: command->makes_objects = true; break;
    case NO_OBJECT: command->ends_early = true; break;
    case DRY_RUN: command->dry_run = true; break;
    case LTO: command->lto = true; break;
    case NO_LTO: command->lto = false; break;
    case LINK_INPUT: command->has_link_input = true; break;
    default: break;
    }
}

static const char diagnostics_format[] = "-fdiagnostics-format=";

/* The link tells its errors in the form of the compiler's. Returns false if the compiler does not know the form. */
static bool note_diagnostics(struct command *command, const char *form) {
    bool is_json = strcmp(form, "json") == 0;
    if (is_json || strcmp(form, "sarif") == 0)
        words_add(&command->ours, format("--enzyme-diagnostics=%s", form));
    return !is_json;
}

/* Reads one word. Returns false if the compiler must not see it. */
static bool read_word(void *context, const char *word) {
    struct reader *reader = context;
    struct command *command = reader->command;
    if (reader->awaiting) {
        note_value(command, reader->awaiting, word);
        reader->awaiting = NULL;
        return true;
    }
    if (reader->only_inputs || word[0] != '-' || word[1] == '\0') {
        words_add(&command->inputs, word);
        return true;
    }
    if (is_ours(word)) {
        command->verbose |= strcmp(word, "--enzyme-verbose") == 0;
        command->asks_help |= strcmp(word, "--enzyme-help") == 0;
        words_add(&command->ours, word);
        return false;
    }
    reader->only_inputs = strcmp(word, "--") == 0;
    command->asks_version |= strcmp(word, "--version") == 0;
    if (starts_with(word, diagnostics_format))
        return note_diagnostics(command, word + strlen(diagnostics_format));
    const struct option *option = find_option(word);
    if (!option)
        return true;
    note_option(command, option);
    size_t length = strlen(option->name);
    if (option->form != ALONE && word[length])
        note_value(command, option, word + length);
    else if (option->form == SEPARATE || option->form == EITHER)
        reader->awaiting = option;
    return option->meaning != LINKER_PATH;
}

struct command read_command(const char *const *arguments) {
    struct command command = {0};
    struct reader reader = {.command = &command};
    words_sift(arguments, read_word, &reader, &command.passed);
    return command;
}

bool command_links(const struct command *command) {
    return !command->ends_early && !command->makes_objects && (command->inputs.count || command->has_link_input);
}

const char *default_object(const char *source) {
    const char *name = file_name(source);
    const char *dot = strrchr(name, '.');
    return format("%.*s.o", dot && dot != name ? (int)(dot - name) : (int)strlen(name), name);
}

struct words object_names(const struct command *command) {
    struct words names = {0};
    if (command->output) {
        words_add(&names, command->output);
        return names;
    }
    for (size_t i = 0; i < command->inputs.count; i++)
        words_add(&names, default_object(command->inputs.items[i]));
    return names;
}
