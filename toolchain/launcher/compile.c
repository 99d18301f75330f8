#include "compile.h"

#include "attributes.h"
#include "command.h"
#include "fortran.h"
#include "own_options.h"
#include "run.h"
#include "stamp.h"
#include "words.h"
#include "ziglang.h"

#include <string.h>

/* clang embeds the unoptimised module (with TBAA) beside fully optimised native code, in one run of the front end. */
static const char *const clang_embeds[] = {"-Xclang", "-fembed-bitcode=all", "-Xclang", "-disable-O0-optnone", NULL};

/* flang cannot embed bitcode. These options of its front end, which its driver does not know, make a fat ThinLTO
   object: the module stands beside the usual native code, and flang links as usual. The module is simplified, but
   not vectorised or unrolled, as that of full LTO would be. */
static const char *const flang_embeds[] = {"-Xflang", "-flto=thin", "-Xflang", "-ffat-lto-objects", NULL};

/* Attributes that Enzyme's plug-in for clang knows. As macros they become annotations with the same name, which reach
   the bitcode. enzyme_nofree and enzyme_nocache are not among them, because they are also names of markers. */
#define ANNOTATION(name) "-D" name "=annotate(\"" name "\")"
#define NO_LOOP_ATTRIBUTE(name)                                                                                        \
    "-D" name "(...)=_Pragma(\"GCC error \\\"" name " is not supported [EZ0213]; let the loop call a function with the " \
    "attribute enzyme(checkpoint, N) of enzyme.h for each step\\\"\")"
static const char *const clang_attributes[] = {
    ANNOTATION("enzyme_inactive"),
    ANNOTATION("enzyme_inactive_noblock"),
    ANNOTATION("enzyme_shouldrecompute"),
    ANNOTATION("enzyme_mustcache"),
    ANNOTATION("enzyme_preserve_primal"),
    ANNOTATION("enzyme_elementwise_read"),
    ANNOTATION("enzyme_notypeanalysis"),
    ANNOTATION("enzyme_sparse_accumulate"),
    "-Denzyme_function_like(...)=annotate(\"enzyme_function_like\",__VA_ARGS__)",
    "-Denzyme_shadow(...)=annotate(\"enzyme_shadow\",&__VA_ARGS__)",
    NO_LOOP_ATTRIBUTE("enzyme_checkpoint"),
    NO_LOOP_ATTRIBUTE("enzyme_checkpointing_enable"),
    NULL,
};

static bool embeds(const struct command *command) {
    return !command->ends_early && !command->lto && command->inputs.count;
}

/* enzyme-ld gets its settings as linker options: some build systems do not pass environment variables. */
static void add_linker(struct words *line, const struct command *command, enum language language) {
    const char *compiler = line->items[0], *native = NULL;
    if (language == FORTRAN)
        words_add(line, format("-B%s", own_linker_folder()));
    else
        words_add(line, format("--ld-path=%s", own_linker()));
    if (command->linker)
        native = find_linker(command->linker);
    else if (command->flavour)
        native = find_flavour(command->flavour, compiler);
    else if (is_ziglang(compiler))
        native = ziglang_tool("ld.lld");
    if (native) {
        words_add(line, "-Xlinker");
        words_add(line, format("--enzyme-native-linker=%s", native));
    }
    for (size_t i = 0; i < command->ours.count; i++) {
        words_add(line, "-Xlinker");
        words_add(line, command->ours.items[i]);
    }
}

/* flang only takes a -fuse-ld=PROGRAM on its PATH, and the last such option would replace our linker. Its diagnostics
   have one form. */
static bool flang_takes(const char *word) {
    return !starts_with(word, "-fuse-ld=") && !starts_with(word, "-fdiagnostics-format=");
}

static void add_passed(struct words *line, const struct command *command, enum language language) {
    for (size_t i = 0; i < command->passed.count; i++)
        if (language != FORTRAN || flang_takes(command->passed.items[i]))
            words_add(line, command->passed.items[i]);
}

static bool parses(const struct command *command, enum language language) {
    bool has_source = false;
    for (size_t i = 0; i < command->inputs.count; i++)
        has_source |= is_source(command->inputs.items[i]);
    return language != FORTRAN && !command->ends_early && !command->dry_run && has_source;
}

/* `included` is the file where clang lists the headers that it reads, or NULL. */
static struct words compiler_line(const struct command *command, enum language language, const char *included) {
    struct words line = {0};
    bool is_clang = language != FORTRAN;
    const char *overlay = respelled_overlay();
    words_add(&line, find_compiler(language));
    if (is_clang)
        words_add(&line, "--start-no-unused-arguments");
    if (embeds(command))
        words_add_all(&line, is_clang ? clang_embeds : flang_embeds);
    if (is_clang) {
        words_add(&line, "-idirafter");
        words_add(&line, format("%s/include", install_prefix()));
        words_add_all(&line, clang_attributes);
    }
    if (included)
        words_add_all(&line, (const char *const[]){"-Xclang", "-header-include-file", "-Xclang", included, NULL});
    if (overlay)
        words_add_all(&line, (const char *const[]){"-ivfsoverlay", overlay, NULL});
    if (command_links(command))
        add_linker(&line, command, language);
    if (is_clang)
        words_add(&line, "--end-no-unused-arguments");
    add_passed(&line, command, language);
    return line;
}

/* Compiles each source of a Fortran command by itself, and then links. */
static int compile_apart(struct command *command) {
    struct words front = {0}, linked = {0};
    words_add(&front, find_compiler(FORTRAN));
    words_add_all(&front, flang_embeds);
    int status = compile_fortran_sources(&front, command, &linked);
    if (status == 0 && command_links(command)) {
        command->passed = linked;
        struct words line = compiler_line(command, FORTRAN, NULL);
        if (command->verbose)
            show_command(&line);
        status = run_command(&line);
    }
    remove_temporary();
    return status;
}

int compile(enum language language, const char *const *arguments) {
    struct command command = read_command(arguments);
    struct words line = {0};
    if (arguments[0] && (starts_with(arguments[0], "-cc1") || starts_with(arguments[0], "-fc1"))) {
        words_add(&line, find_compiler(language)); /* the front end itself knows none of our options */
        words_add_all(&line, arguments);
        become(&line);
    }
    if (command.asks_help)
        show_help();
    refuse_unknown(&command.ours);
    if (language == FORTRAN && embeds(&command) && !command.dry_run && compiles_apart(&command))
        return compile_apart(&command);
    const char *included = NULL;
    if (parses(&command, language)) {
        included = memory_file("", 0);
        for (size_t i = 0; i < command.inputs.count; i++)
            respell(command.inputs.items[i]);
    }
    line = compiler_line(&command, language, included);
    if (command.verbose)
        show_command(&line);
    if (!included && !command.asks_version && (!command.makes_objects || !embeds(&command) || command.dry_run))
        become(&line);
    int status = run_command(&line);
    if (command.asks_version && status == 0)
        show_version();
    if (included && respell_listed(included)) {
        line = compiler_line(&command, language, included);
        status = run_command(&line);
    }
    if (!command.makes_objects || !embeds(&command))
        return status;
    struct words objects = object_names(&command);
    for (size_t i = 0; i < objects.count; i++)
        stamp_object(objects.items[i]);
    return status;
}
