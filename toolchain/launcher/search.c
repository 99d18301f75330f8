/* Searches the inputs of a link for requests, and libraries along the search path.
 *
 * enzyme_cc/link/inputs/library_search.py searches libraries too. It serves links that differentiate, and must find the
 * file that the native linker finds. This search serves every link: it spares those without requests the start of Python,
 * and a file too many does no harm. */
#include "search.h"

#include "stamp.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char wanted[] = "__enzyme_";
enum { WANTED = sizeof wanted - 1, DEEPEST = 8, LARGEST_SCRIPT = 1 << 20 };

struct content {
    const char *bytes;
    size_t size;
};

/* Names of files and libraries that were searched before: compilers name libgcc and libc several times. */
static struct words seen;

static bool is_new(const char *path) {
    for (size_t i = 0; i < seen.count; i++)
        if (strcmp(seen.items[i], path) == 0)
            return false;
    words_add(&seen, format("%s", path));
    return true;
}

static bool map_file(const char *path, struct content *content) {
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    void *bytes = MAP_FAILED;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED)
        return false;
    *content = (struct content){bytes, (size_t)info.st_size};
    return true;
}

static bool begins(const struct content *content, const char *magic, size_t length) {
    return content->size >= length && memcmp(content->bytes, magic, length) == 0;
}

static bool is_shared_library(const struct content *content) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)content->bytes; /* e_type lies at the same place in ELF32 */
    return begins(content, ELFMAG, SELFMAG) && content->size >= sizeof *header && header->e_type != ET_REL;
}

/* Searches for the rarest of the letters: memchr is several times faster than memmem, and archives hold megabytes. */
static bool mentions(const struct content *content) {
    const size_t before = (size_t)(strchr(wanted, 'z') - wanted), behind = WANTED - before;
    if (content->size < WANTED)
        return false;
    const char *at = content->bytes + before, *end = content->bytes + content->size;
    while (end - at >= (ptrdiff_t)behind && (at = memchr(at, 'z', (size_t)(end - at) - behind + 1))) {
        if (memcmp(at - before, wanted, WANTED) == 0)
            return true;
        at++;
    }
    return false;
}

static bool file_mentions(const struct library_search *search, const char *path, int depth);

/* ar's member header: 60 bytes of text. */
struct member {
    char name[16], date[12], owner[6], group[6], mode[8], size[10], end[2];
};

/* `name` as seen from the folder of `archive`. */
static const char *beside(const char *archive, const char *name, size_t length) {
    size_t folder = (size_t)(file_name(archive) - archive);
    return *name == '/' ? format("%.*s", (int)length, name)
                        : format("%.*s%.*s", (int)folder, archive, (int)length, name);
}

/* A thin archive holds headers and a table "//" of the members' names, each with "/\n" at its end. */
static bool thin_archive_mentions(const struct library_search *search, const char *path, const struct content *content,
                                  int depth) {
    struct content table = {NULL, 0};
    size_t at = 8;
    while (at + sizeof(struct member) <= content->size) {
        const struct member *member = (const struct member *)(content->bytes + at);
        size_t size = strtoull(format("%.10s", member->size), NULL, 10);
        bool holds_data = member->name[0] == '/' && !(member->name[1] >= '0' && member->name[1] <= '9');
        at += sizeof *member;
        if (holds_data) {
            if (size > content->size - at)
                return false;
            if (member->name[1] == '/')
                table = (struct content){content->bytes + at, size};
            at += size + size % 2;
            continue;
        }
        const char *name = member->name;
        size_t left = sizeof member->name;
        if (*name == '/') {
            size_t offset = strtoull(format("%.15s", name + 1), NULL, 10);
            if (offset >= table.size)
                return false;
            name = table.bytes + offset;
            left = table.size - offset;
        }
        const char *end = memmem(name, left, *member->name == '/' ? "/\n" : "/", *member->name == '/' ? 2 : 1);
        if (end && file_mentions(search, beside(path, name, (size_t)(end - name)), depth + 1))
            return true;
    }
    return false;
}

static const char *in_folder(const struct library_search *search, const char *folder, const char *name) {
    bool from_sysroot = *folder == '=' || starts_with(folder, "$SYSROOT");
    if (from_sysroot)
        folder += *folder == '=' ? 1 : strlen("$SYSROOT");
    return format("%s%s/%s", from_sysroot && search->sysroot ? search->sysroot : "", folder, name);
}

/* The first folder that has `name` in it. */
static const char *find_file(const struct library_search *search, const char *name) {
    if (access(name, R_OK) == 0)
        return name;
    for (size_t i = 0; *name != '/' && i < search->folders.count; i++) {
        const char *path = in_folder(search, search->folders.items[i], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static const char *find_library(const struct library_search *search, const char *name) {
    if (*name == ':')
        return find_file(search, name + 1);
    for (size_t i = 0; i < search->folders.count; i++) {
        const char *shared = in_folder(search, search->folders.items[i], format("lib%s.so", name));
        const char *archive = in_folder(search, search->folders.items[i], format("lib%s.a", name));
        if (!search->static_only && access(shared, R_OK) == 0)
            return shared;
        if (access(archive, R_OK) == 0)
            return archive;
    }
    return NULL;
}

/* Replaces comments by spaces, in place: their words are no file names. */
static void blank_comments(char *text) {
    for (char *start = text; (start = strstr(start, "/*"));) {
        char *end = strstr(start + 2, "*/");
        size_t length = end ? (size_t)(end + 2 - start) : strlen(start);
        memset(start, ' ', length);
        start += length;
    }
}

/* Takes every word of a linker script that names a file for an input. INPUT and GROUP are not parsed. */
static bool script_mentions(const struct library_search *search, const struct content *content, int depth) {
    static const char between[] = " \t\r\n(),;{}\"";
    char *text = format("%.*s", (int)content->size, content->bytes), *rest = NULL;
    blank_comments(text);
    for (char *word = strtok_r(text, between, &rest); word; word = strtok_r(NULL, between, &rest)) {
        const char *path = starts_with(word, "-l") ? find_library(search, word + 2) : find_file(search, word);
        if (path && file_mentions(search, path, depth + 1))
            return true;
    }
    return false;
}

static bool content_mentions(const struct library_search *search, const char *path, const struct content *content,
                             int depth) {
    if (is_shared_library(content))
        return false;
    if (begins(content, "!<thin>\n", 8))
        return thin_archive_mentions(search, path, content, depth);
    if (mentions(content))
        return true;
    bool is_text = content->size < LARGEST_SCRIPT && !memchr(content->bytes, '\0', content->size);
    return is_text && script_mentions(search, content, depth);
}

static bool has_met_bitcode;

bool met_bitcode(void) {
    return has_met_bitcode;
}

static void look_for_bitcode(const struct content *content) {
    static const char section[] = ".enzybc";
    if (!has_met_bitcode && !is_shared_library(content))
        has_met_bitcode = memmem(content->bytes, content->size, section, sizeof section) != NULL;
}

static bool file_mentions(const struct library_search *search, const char *path, int depth) {
    struct content content;
    if (depth > DEEPEST || !is_new(path) || !map_file(path, &content))
        return false;
    if (depth == 0 && was_never_stamped(content.bytes, content.size))
        stamp_object(path);
    if (search->for_library)
        look_for_bitcode(&content);
    bool result = content_mentions(search, path, &content, depth);
    munmap((void *)content.bytes, content.size);
    return result;
}

bool input_mentions_enzyme(const struct library_search *search, const char *path) {
    return file_mentions(search, path, 0);
}

bool library_mentions_enzyme(const struct library_search *search, const char *name) {
    if (!is_new(format("-l%s %s", name, search->static_only ? "static" : "dynamic")))
        return false;
    const char *path = find_library(search, name);
    return path && file_mentions(search, path, 0);
}
