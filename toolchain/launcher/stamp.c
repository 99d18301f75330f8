/* Stamps objects: renames the bitcode sections, and writes a checksum of the bitcode.

   Why rename: some distributions have LLVMgold among bfd's plugins. GNU ar, ranlib and nm let it read every ELF file
   with a section .llvmbc or .llvm.lto. An older LLVMgold (Debian 12 has LLVM 14's) fails on newer bitcode, and these
   tools drop the symbols. So clang's .llvmbc and flang's .llvm.lto become .enzybc, and .llvmcmd becomes .enzycmd.
   All are flagged SHF_EXCLUDE: linkers keep them out of executables. No new name is longer than the old one, so
   nothing moves in the file. After each single write, every tool can still read the object, so a kill between two
   writes does no harm.

   Why a checksum: LLVM may read damaged bitcode as another program. The checksum is in the padding of e_ident in the
   ELF header. A copy of the file keeps it. A tool that writes the object anew (strip, objcopy, ld -r) leaves zeros
   there, which means no checksum. */
#include "stamp.h"

#include "checksum.h"
#include "words.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct object {
    unsigned char *bytes;
    size_t size;
    Elf64_Shdr *sections;
    size_t section_count;
    char *names; /* the section name table, often shared with the symbols' */
    size_t names_size, names_index;
};

static const struct {
    const char *old, *new;
} renamed[] = {{".llvmbc", ".enzybc"}, {".llvmcmd", ".enzycmd"}, {".llvm.lto", ".enzybc"}};
enum { RENAMED = sizeof renamed / sizeof *renamed };
static const char *const bitcode_names[] = {".enzybc", ".llvmbc", ".llvm.lto"};
enum { BITCODE_NAMES = sizeof bitcode_names / sizeof *bitcode_names };

/* In e_ident: a mark, and the checksum of all bitcode sections, in the order of their headers. */
static const unsigned char checksum_mark[] = {'E', 'Z', 1};
enum { MARK_PLACE = EI_NIDENT - 7, CHECKSUM_PLACE = EI_NIDENT - 4 };

static bool is_inside(const struct object *object, uint64_t offset, uint64_t size) {
    return offset <= object->size && size <= object->size - offset;
}

static bool read_header(struct object *object) {
    Elf64_Ehdr *header = (Elf64_Ehdr *)object->bytes;
    if (object->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_type != ET_REL || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 != 0 ||
        !is_inside(object, header->e_shoff, sizeof(Elf64_Shdr)))
        return false;
    object->sections = (Elf64_Shdr *)(object->bytes + header->e_shoff);
    /* in a file with very many sections, section 0 holds both numbers */
    object->section_count = header->e_shnum ? header->e_shnum : object->sections[0].sh_size;
    object->names_index = header->e_shstrndx == SHN_XINDEX ? object->sections[0].sh_link : header->e_shstrndx;
    return object->section_count <= object->size / sizeof(Elf64_Shdr) &&
           is_inside(object, header->e_shoff, object->section_count * sizeof(Elf64_Shdr)) &&
           object->names_index < object->section_count;
}

static bool read_names(struct object *object) {
    const Elf64_Shdr *names = &object->sections[object->names_index];
    if (names->sh_type != SHT_STRTAB || !is_inside(object, names->sh_offset, names->sh_size) || names->sh_size == 0)
        return false;
    object->names = (char *)object->bytes + names->sh_offset;
    object->names_size = names->sh_size;
    return object->names[object->names_size - 1] == '\0';
}

static bool has_name(const struct object *object, const Elf64_Shdr *section, const char *name) {
    return section->sh_name < object->names_size && strcmp(object->names + section->sh_name, name) == 0;
}

/* String tables share tails: a symbol "bc" may be a part of ".llvmbc". Checks the bytes from `start` to before
   `end`. */
static bool symbols_use(const struct object *object, size_t start, size_t end) {
    for (size_t i = 0; i < object->section_count; i++) {
        const Elf64_Shdr *table = &object->sections[i];
        if (table->sh_type != SHT_SYMTAB || table->sh_link != object->names_index ||
            !is_inside(object, table->sh_offset, table->sh_size) || table->sh_offset % 8 != 0)
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(object->bytes + table->sh_offset);
        for (size_t k = 0; k < table->sh_size / sizeof *symbols; k++)
            if (symbols[k].st_name >= start && symbols[k].st_name < end)
                return true;
    }
    return false;
}

/* True if only this section uses the name, so that it can be changed. */
static bool owns_name(const struct object *object, const Elf64_Shdr *section, const char *old, const char *new) {
    size_t start = section->sh_name, end = start + strlen(old);
    while (strlen(new) == strlen(old) && end > start && old[end - start - 1] == new[end - start - 1])
        end--; /* an unchanged tail may be shared */
    if (start > 0 && object->names[start - 1] != '\0')
        return false; /* the tail of a longer name */
    for (size_t i = 0; i < object->section_count; i++) {
        size_t name = object->sections[i].sh_name;
        if (name >= start && name < end && !has_name(object, &object->sections[i], old))
            return false;
    }
    return !symbols_use(object, start, end);
}

static void rename_sections(struct object *object, const char *old, const char *new) {
    for (size_t i = 1; i < object->section_count; i++) {
        Elf64_Shdr *section = &object->sections[i];
        bool is_old = has_name(object, section, old);
        if (is_old && owns_name(object, section, old, new))
            memcpy(object->names + section->sh_name, new, strlen(new) + 1);
        if (is_old || has_name(object, section, new)) {
            section->sh_flags |= SHF_EXCLUDE;
            section->sh_type = SHT_PROGBITS; /* .llvm.lto has a type of its own */
        }
    }
}

static bool holds_bitcode(const struct object *object, const Elf64_Shdr *section) {
    for (size_t i = 0; i < BITCODE_NAMES; i++)
        if (has_name(object, section, bitcode_names[i]))
            return section->sh_type != SHT_NOBITS && is_inside(object, section->sh_offset, section->sh_size);
    return false;
}

static void write_checksum(struct object *object) {
    uint32_t sum = 0;
    bool has_bitcode = false;
    for (size_t i = 1; i < object->section_count; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        if (!holds_bitcode(object, section))
            continue;
        has_bitcode = true;
        sum = checksum(sum, object->bytes + section->sh_offset, section->sh_size);
    }
    if (!has_bitcode)
        return;
    for (int i = 0; i < 4; i++)
        object->bytes[CHECKSUM_PLACE + i] = sum >> 8 * i & 0xFF;
    memcpy(object->bytes + MARK_PLACE, checksum_mark, sizeof checksum_mark);
}

bool was_never_stamped(const void *bytes, size_t size) {
    static const char trace[] = "-disable-O0-optnone"; /* which only our driver adds */
    struct object object = {.bytes = (unsigned char *)bytes, .size = size};
    if (!read_header(&object) || !read_names(&object))
        return false;
    for (size_t i = 1; i < object.section_count; i++) {
        const Elf64_Shdr *section = &object.sections[i];
        if (has_name(&object, section, ".llvmcmd") && is_inside(&object, section->sh_offset, section->sh_size) &&
            memmem(object.bytes + section->sh_offset, section->sh_size, trace, sizeof trace - 1))
            return true;
    }
    return false;
}

static void stamp_bytes(unsigned char *bytes, size_t size) {
    struct object object = {.bytes = bytes, .size = size};
    if (!read_header(&object) || !read_names(&object))
        return;
    for (size_t i = 0; i < RENAMED; i++)
        rename_sections(&object, renamed[i].old, renamed[i].new);
    write_checksum(&object);
}

void stamp_object(const char *path) {
    struct stat info;
    int file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    size_t size = (size_t)info.st_size;
    void *bytes = size ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED)
        return;
    stamp_bytes(bytes, size);
    munmap(bytes, size);
}

/* The section with flang's bitcode, in an object that is not stamped yet, or NULL. */
static Elf64_Shdr *flang_section(struct object *object) {
    if (read_header(object) && read_names(object))
        for (size_t i = 1; i < object->section_count; i++)
            if (has_name(object, &object->sections[i], ".llvm.lto") && holds_bitcode(object, &object->sections[i]))
                return &object->sections[i];
    return NULL;
}

void replace_bitcode(const char *path, const char *file) {
    size_t size, added;
    char *bytes = read_bytes(path, &size), *bitcode = read_bytes(file, &added);
    struct object object = {.bytes = (unsigned char *)bytes, .size = size};
    Elf64_Shdr *section = bytes && bitcode ? flang_section(&object) : NULL;
    FILE *out = section ? fopen(path, "r+b") : NULL;
    if (!out)
        return;
    bool is_written = fseek(out, 0, SEEK_END) == 0 && fwrite(bitcode, 1, added, out) == added && fflush(out) == 0;
    section->sh_offset = size;
    section->sh_size = added;
    if (is_written && fseek(out, (char *)section - bytes, SEEK_SET) == 0)
        fwrite(section, sizeof *section, 1, out);
    fclose(out);
}
