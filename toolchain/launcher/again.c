/* A Python interpreter takes longer to start than many a link. So the Python stage leaves a record of a link that it has
   done (enzyme_cc/link/native/repeated_links.py), which this file reads: strings that end in NUL.

       the key: the folder, variables of the environment, and the words for the Python stage, each behind a byte 31
       the folder of the cache's entry, whose file `use` is locked as long as the linker runs
       what the link printed
       the number of files and folders that the link depends on; then each, and its inode, size and times
       the words of the final link */
#include "again.h"

#include "checksum.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The same list is in repeated_links.py. */
static const char *const variables[] = {
    "ENZYME_CC_PYTHON", "ENZYME_CC_CLANG", "ENZYME_CC_CACHE", "ENZYME_CC_LINK_CACHE", "CPATH",
    "LIBRARY_PATH",     "LD_LIBRARY_PATH", "LD_RUN_PATH",     "PYTHONPATH",           "PYTHONHOME",
};

static const char *or_empty(const char *text) { return text ? text : ""; }

static char *key_of(const struct words *settings) {
    char *folder = getcwd(NULL, 0), *key = format("%s", or_empty(folder));
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        key = format("%s\037%s", key, or_empty(getenv(variables[k])));
    for (size_t k = 0; k < settings->count; k++)
        key = format("%s\037%s", key, settings->items[k]);
    return key;
}

/* As in enzyme_cc/cache/entries.py. */
static char *cache_folder(void) {
    const char *chosen = or_empty(getenv("ENZYME_CC_CACHE")), *base = or_empty(getenv("XDG_CACHE_HOME"));
    if (*chosen)
        return format("%s/links", chosen);
    return *base ? format("%s/enzyme-cc/links", base) : format("%s/.cache/enzyme-cc/links", or_empty(getenv("HOME")));
}

static bool is_as_it_was(const char *path, const char *told) {
    struct stat now;
    if (stat(path, &now) != 0)
        return *told == '\0';
    char text[128];
    snprintf(text, sizeof text, "%llu %lld %lld%09ld %lld%09ld", (unsigned long long)now.st_ino, (long long)now.st_size,
             (long long)now.st_mtim.tv_sec, now.st_mtim.tv_nsec, (long long)now.st_ctim.tv_sec, now.st_ctim.tv_nsec);
    return strcmp(text, told) == 0;
}

static const char *next(const char **at, const char *end) {
    const char *found = *at;
    *at = found < end ? found + strlen(found) + 1 : end;
    return found < end ? found : "";
}

void link_again(const struct words *settings) {
    char *key = key_of(settings);
    size_t size = 0, length = strlen(key);
    char *path = format("%s/%08x.again", cache_folder(), checksum(0, (const unsigned char *)key, length));
    const char *at = read_bytes(path, &size), *end = at + size;
    if (!at || strcmp(next(&at, end), key) != 0)
        return;
    const char *entry = next(&at, end), *said = next(&at, end);
    for (long files = atol(next(&at, end)); files > 0; files--) {
        const char *file = next(&at, end);
        if (!is_as_it_was(file, next(&at, end)))
            return;
    }
    struct words linker = {0};
    while (at < end)
        words_add(&linker, next(&at, end));
    int use = open(format("%s/use", entry), O_RDWR); /* the linker holds it */
    if (!linker.count || use < 0 || flock(use, LOCK_SH) != 0 || access(format("%s/link", entry), R_OK) != 0)
        return;
    utimensat(AT_FDCWD, entry, NULL, 0);
    fputs(said, stderr);
    fflush(stderr);
    become(&linker);
}
