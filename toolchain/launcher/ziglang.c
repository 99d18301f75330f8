/* zig holds a whole clang and a whole lld, but neither knows where it is installed. Headers of C libraries are there as
 * files. Their start files and libraries are there as sources: zig compiles them when it needs them, so this program has
 * them made once for each target (enzyme_cc/ziglang/), in a folder of the user's cache. */
#include "ziglang.h"

#include "checksum.h"
#include "command.h"
#include "run.h"
#include "words.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char own_target[] = OWN_ARCHITECTURE "-linux-gnu";

static const char *first_match(const char *pattern) {
    glob_t found;
    const char *path = glob(pattern, 0, NULL, &found) == 0 ? format("%s", found.gl_pathv[0]) : NULL;
    globfree(&found);
    return path;
}

static const char *find_zig(void) {
    const char *path = first_match(format("%s/lib*/python3*/*-packages/ziglang/zig", install_prefix()));
    return path ? realpath(path, NULL) : NULL;
}

static const char *need_zig(void) {
    const char *zig = find_zig();
    if (!zig)
        fail("the Python package ziglang is not installed in %s: pip install \"enzyme-cc[clang]\"", install_prefix());
    return zig;
}

static const char *tool_path(const char *name) { return format("%s/ziglang/%s", own_linker_folder(), name); }

const char *ziglang_tool(const char *name) {
    const char *path = tool_path(name);
    return access(path, X_OK) == 0 && find_zig() ? path : NULL;
}

bool is_ziglang(const char *compiler) { return starts_with(compiler, tool_path("")); }

/* Returns ARCHITECTURE-linux-ABI for a target as clang takes it (aarch64-unknown-linux-gnu), NULL for other systems. */
static const char *zig_target(const char *target) {
    const char *system = strstr(target, "-linux");
    if (!system)
        return NULL;
    const char *abi = system[strlen("-linux")] == '-' ? system + strlen("-linux-") : "gnu";
    int length = (int)strcspn(target, "-");
    return length == 5 && starts_with(target, "arm64") ? format("aarch64-linux-%s", abi)
                                                       : format("%.*s-linux-%s", length, target, abi);
}

/* True if the distribution's headers and libraries for C (or C++) are installed where clang finds them. Programs for
   this machine use them, unless the command names the target. */
static bool machine_has_libraries(enum language language) {
    return access("/usr/include/stdio.h", R_OK) == 0 && first_match("/usr/lib*/gcc/*/*/crtbegin.o") &&
           (language != CXX || first_match("/usr/include/c++/*/vector"));
}

static const char *cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return cache;
    if (!home || *home != '/')
        fail("no folder for the C library that ziglang makes: set XDG_CACHE_HOME or HOME");
    return format("%s/.cache", home);
}

/* The folder of one target's libraries. Another ziglang, or one at another place, has a folder of its own. */
static const char *sysroot_folder(const char *zig, const char *target) {
    struct stat info = {0};
    stat(zig, &info);
    const char *identity = format("%s %lld %lld", zig, (long long)info.st_size, (long long)info.st_mtime);
    uint32_t key = checksum(0, (const unsigned char *)identity, strlen(identity));
    return format("%s/enzyme-cc/sysroots/%08x/%s", cache_folder(), (unsigned)key, target);
}

/* Has the libraries made if they are not there yet. Compiling C++ needs no library: linking does. */
static const char *find_sysroot(const char *zig, const char *target, bool needs_cxx_library) {
    static const char *const start[] = {"-P", "-m", "enzyme_cc.ziglang", NULL};
    const char *folder = sysroot_folder(zig, target);
    const char *part = needs_cxx_library ? "c++" : "c";
    if (access(format("%s/made/%s", folder, part), R_OK) == 0)
        return folder;
    struct words line = {0};
    words_add(&line, find_python());
    words_add_all(&line, start);
    words_add_all(&line, (const char *const[]){zig, target, part, folder, NULL});
    int status = run_command(&line);
    if (status != 0)
        exit(status);
    return folder;
}

/* A C compiler links C++ if the command names a C++ library. */
static bool needs_cxx_library(enum language language, const struct command *command) {
    bool names_it = language == CXX;
    for (size_t i = 0; i < command->passed.count; i++)
        names_it |= strcmp(command->passed.items[i], "-lstdc++") == 0 || strcmp(command->passed.items[i], "-lc++") == 0;
    return names_it && command_links(command);
}

void ziglang_compile(enum language language, const char *const *arguments) {
    const char *zig = need_zig();
    struct words line = {0};
    words_add(&line, zig);
    words_add(&line, "clang");
    if (arguments[0] && starts_with(arguments[0], "-cc1")) {
        words_add_all(&line, arguments);
        become(&line);
    }
    struct command command = read_command(arguments);
    const char *target = zig_target(command.target ? command.target : own_target);
    if (language == CXX)
        words_add(&line, "--driver-mode=g++");
    words_add(&line, "--start-no-unused-arguments");
    words_add(&line, "-resource-dir");
    words_add(&line, format("%.*s/lib", (int)(file_name(zig) - zig - 1), zig));
    if (!command.target)
        words_add(&line, format("--target=%s", own_target));
    if (target && !command.sysroot && (command.target || !machine_has_libraries(language))) {
        const char *folder = find_sysroot(zig, target, needs_cxx_library(language, &command));
        words_add(&line, format("--config=%s/clang.cfg", folder));
    }
    words_add(&line, "--end-no-unused-arguments");
    words_add_all(&line, arguments);
    become(&line);
}

void ziglang_link(const char *const *arguments) {
    struct words line = {0};
    words_add(&line, need_zig());
    words_add(&line, "ld.lld");
    words_add_all(&line, arguments);
    become(&line);
}
