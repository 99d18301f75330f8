#include "tools.h"

#include "words.h"
#include "ziglang.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef NEWEST_LLVM
#define NEWEST_LLVM 22 /* the newest bitcode that the llvmlite we depend on reads */
#endif
enum { OLDEST_LLVM = 14 };

static bool can_run(const char *path) {
    struct stat info;
    return access(path, X_OK) == 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The path of this program's file, under whatever name or link it was started. */
static const char *own_path(void) {
    static char path[PATH_MAX];
    ssize_t length = *path ? 1 : readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        fail("cannot read /proc/self/exe: is /proc mounted?");
    return path;
}

/* True if the file is this program, also as a copy under another name: the launcher must not start itself. */
static bool is_own_program(const char *path) {
    struct stat own, other;
    if (stat(own_path(), &own) != 0 || stat(path, &other) != 0)
        return false;
    if (own.st_dev == other.st_dev && own.st_ino == other.st_ino)
        return true;
    return strcmp(own_linker(), path) == 0 || strcmp(format("%s/ld", own_linker_folder()), path) == 0;
}

/* Returns the path of `name` on PATH, or NULL. A name with a slash is a path already. */
static const char *on_path(const char *name) {
    if (strchr(name, '/'))
        return can_run(name) ? name : NULL;
    const char *from = getenv("PATH");
    if (!from)
        from = "/usr/local/bin:/usr/bin:/bin";
    for (;;) {
        size_t length = strcspn(from, ":");
        const char *path = length ? format("%.*s/%s", (int)length, from, name) : format("./%s", name);
        if (can_run(path) && !is_own_program(path))
            return path;
        if (!from[length])
            return NULL;
        from += length + 1;
    }
}

static const char *from_environment(const char *variable) {
    const char *wanted = getenv(variable);
    if (!wanted || !*wanted)
        return NULL;
    const char *path = on_path(wanted);
    if (!path)
        fail("%s is set to %s, which is no program that can be run\n  remedy: set it to the path of a program, or unset it",
             variable, wanted);
    return path;
}

#define FROM_PYPI ", or pip install \"enzyme-cc[clang]\""

/* A row for each language: the names of its compiler, and how a user can install it. */
static const struct {
    const char *name, *older_name, *variable, *package, *elsewhere;
} compilers[] = {
    [C] = {"clang", NULL, "ENZYME_CC_CLANG", "clang", FROM_PYPI},
    [CXX] = {"clang++", NULL, "ENZYME_CC_CLANGXX", "clang", FROM_PYPI},
    [FORTRAN] = {"flang", "flang-new", "ENZYME_CC_FLANG", "flang", " (PyPI has clang, but no flang)"},
};

static const char *find_version(const char *name, int version) {
    const char *path = on_path(format("%s-%d", name, version));
    if (path)
        return path;
    path = format("/usr/lib/llvm-%d/bin/%s", version, name);
    return can_run(path) ? path : NULL;
}

const char *search_compiler(enum language language) {
    const char *name = compilers[language].name, *older = compilers[language].older_name;
    const char *path = from_environment(compilers[language].variable);
    for (int version = NEWEST_LLVM; !path && version >= OLDEST_LLVM; version--) {
        path = find_version(name, version);
        if (!path && older)
            path = find_version(older, version);
    }
    if (!path)
        path = on_path(name);
    if (!path && language != FORTRAN)
        path = ziglang_tool(name);
    return path;
}

const char *find_compiler(enum language language) {
    const char *name = compilers[language].name, *path = search_compiler(language);
    if (!path)
        fail("no %s found: install the Debian package %s-%d%s, or set %s to a %s of LLVM %d or older", name,
             compilers[language].package, NEWEST_LLVM, compilers[language].elsewhere, compilers[language].variable, name,
             NEWEST_LLVM);
    return path;
}

const char *find_python(void) {
    const char *path = from_environment("ENZYME_CC_PYTHON");
    if (path)
        return path;
    path = format("%s/bin/python", install_prefix());
    if (!can_run(path))
        path = on_path("python3");
    if (!path)
        fail("no Python found in %s/bin or on PATH: install the Debian package python3, or set ENZYME_CC_PYTHON",
             install_prefix());
    return path;
}

const char *find_linker(const char *wanted) {
    const char *path = wanted ? on_path(wanted) : from_environment("ENZYME_CC_LD");
    if (wanted && !path)
        fail("the linker %s is no program that can be run [EZ0110]\n  remedy: name another one with -fuse-ld=", wanted);
    if (!path)
        path = on_path("ld");
    if (!path)
        path = ziglang_tool("ld.lld");
    if (!path)
        fail("no linker found [EZ0110]\n  remedy: install the Debian package binutils (or lld-%d, and give -fuse-ld=lld), "
             "or set ENZYME_CC_LD",
             NEWEST_LLVM);
    return path;
}

static const char *folder_of(const char *path) {
    const char *name = file_name(path);
    return name == path ? "." : format("%.*s", (int)(name - path - 1), path);
}

const char *find_flavour(const char *flavour, const char *compiler) {
    char real[PATH_MAX];
    if (strchr(flavour, '/'))
        return find_linker(flavour);
    const char *name = strcmp(flavour, "ld") == 0 || !*flavour ? "ld" : format("ld.%s", flavour);
    const char *beside = format("%s/%s", folder_of(realpath(compiler, real) ? real : compiler), name);
    const char *path = can_run(beside) ? beside : on_path(name);
    if (!path)
        fail("invalid linker name in argument '-fuse-ld=%s'", flavour);
    return path;
}

const char *install_prefix(void) {
    const char *folder = folder_of(own_path());
    if (strcmp(file_name(folder), "ziglang") == 0)
        folder = folder_of(folder);
    return strcmp(file_name(folder), "bin") == 0 ? folder_of(folder) : folder_of(folder_of(folder));
}

const char *own_linker(void) { return format("%s/bin/enzyme-ld", install_prefix()); }

const char *own_linker_folder(void) { return format("%s/libexec/enzyme-cc", install_prefix()); }
