/* Functions of which only the address is known: their numbers for dispatching functions, and the message for a pointer
 * to an unknown function. */
#include "ending.h"
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* names.c */
static void print_names(const char *text);

/* The functions that calls through pointers may reach, null at the end. Made with the derivatives. */
extern const void *const __ez_functions[] __attribute__((weak));

/* Is defined if a profile of calls said which functions these are. */
extern const char __ez_used_calls[] __attribute__((weak));

/* A hash table of these, with linear probing: numbers by address. At most half of it is used. */
struct numbers {
    size_t mask;
    struct number {
        const void *function;
        int32_t number;
    } slots[];
};

static _Atomic(struct numbers *) numbers;

__attribute__((destructor)) static void free_numbers(void) {
    free(__c11_atomic_exchange(&numbers, 0, __ATOMIC_ACQ_REL));
}

static size_t first_slot(const struct numbers *n, const void *function) {
    return ((uintptr_t)function >> 4) * 0x9E3779B97F4A7C15u >> 20 & n->mask;
}

static struct numbers *make_numbers(void) {
    size_t count = 0, size = 16;
    while (__ez_functions[count])
        count++;
    while (size < 2 * count)
        size *= 2;
    struct numbers *made = calloc(1, sizeof *made + size * sizeof *made->slots);
    if (!made) {
        fputs("enzyme-cc: error: out of memory for the table of functions\n", stderr);
        end_program();
    }
    made->mask = size - 1;
    for (size_t k = 0; k < count; k++) {
        size_t slot = first_slot(made, __ez_functions[k]);
        while (made->slots[slot].function)
            slot = (slot + 1) & made->mask;
        made->slots[slot] = (struct number){__ez_functions[k], (int32_t)k};
    }
    struct numbers *other = 0;
    if (__c11_atomic_compare_exchange_strong(&numbers, &other, made, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return other;
}

/* Returns the number of a function in the table, -1 if it is not in the table. */
int32_t __ez_function_number(const void *function) {
    struct numbers *n = __c11_atomic_load(&numbers, __ATOMIC_ACQUIRE);
    if (!n)
        n = make_numbers();
    for (size_t slot = first_slot(n, function); n->slots[slot].function; slot = (slot + 1) & n->mask)
        if (n->slots[slot].function == function)
            return n->slots[slot].number;
    return -1;
}

/* As in <dlfcn.h>, which declares it for GNU programs only. */
struct place {
    const char *file;
    const char *base;
    const char *symbol;
    void *address;
};
extern int dladdr(const void *address, struct place *place) __attribute__((weak));
/* The linker defines it: where this object's file is mapped. */
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

/* Returns a part of a file, which the caller frees; null if it cannot be read. */
static void *read_part(FILE *file, uint64_t offset, uint64_t size) {
    void *bytes = malloc(size);
    if (bytes && !fseek(file, (long)offset, SEEK_SET) && fread(bytes, size, 1, file))
        return bytes;
    free(bytes);
    return 0;
}

/* The names of a function and, if the function is local, of its source file; else empty. */
struct names {
    char function[1024];
    char source[256];
};

/* Copies the names of the function with a value from a table of symbols. Returns whether there is one. */
static int names_in_table(FILE *file, const Elf64_Shdr *table, const Elf64_Shdr *strings, uint64_t value,
                          struct names *found_names) {
    Elf64_Sym *symbols = read_part(file, table->sh_offset, table->sh_size);
    char *names = read_part(file, strings->sh_offset, strings->sh_size);
    const char *source = "";
    int found = 0;
    for (size_t k = 0; symbols && names && !found && k < table->sh_size / sizeof *symbols; k++) {
        if (symbols[k].st_name >= strings->sh_size)
            continue;
        const char *name = names + symbols[k].st_name; /* the table ends with a zero */
        if (ELF64_ST_TYPE(symbols[k].st_info) == STT_FILE)
            source = name; /* of the local symbols that follow */
        if (symbols[k].st_value == value && ELF64_ST_TYPE(symbols[k].st_info) == STT_FUNC) {
            int is_local = ELF64_ST_BIND(symbols[k].st_info) == STB_LOCAL;
            snprintf(found_names->function, sizeof found_names->function, "%s", name);
            snprintf(found_names->source, sizeof found_names->source, "%s", is_local ? source : "");
            found = 1;
        }
    }
    free(symbols);
    free(names);
    return found;
}

/* Copies the names of the function at an address, also if it is not exported. Returns whether there is one. */
static int names_in_file(const struct place *place, const char *function, struct names *names) {
    FILE *file = fopen(place->file, "rb");
    Elf64_Ehdr header = {0};
    Elf64_Shdr *sections = 0;
    if (!file)
        return 0;
    if (fread(&header, sizeof header, 1, file) && header.e_shentsize == sizeof *sections)
        sections = read_part(file, header.e_shoff, header.e_shnum * sizeof *sections);
    uint64_t value = (uint64_t)(function - (header.e_type == ET_DYN ? place->base : 0));
    int found = 0;
    for (size_t k = 0; sections && !found && k < header.e_shnum; k++)
        if (sections[k].sh_type == SHT_SYMTAB && sections[k].sh_link < header.e_shnum)
            found = names_in_table(file, &sections[k], &sections[sections[k].sh_link], value, names);
    free(sections);
    fclose(file);
    return found;
}

/* Prints what is known of a function of which only the address is known: its names or its offset, and its object. */
static void print_function(const struct place *place, const void *function, struct names *names) {
    if (place->symbol && place->address == function)
        snprintf(names->function, sizeof names->function, "%s", place->symbol);
    else if (place->file)
        names_in_file(place, function, names);
    print_names(names->function);
    if (*names->source)
        fprintf(stderr, " (%s) of %s", names->source, place->file);
    else if (*names->function)
        fprintf(stderr, " of %s", place->file);
    else if (place->file)
        fprintf(stderr, "the function at offset 0x%zx of %s", (size_t)((const char *)function - place->base),
                place->file);
    else
        fprintf(stderr, "the function at address %p", function);
}

static void print_calls(const char *calls) {
    if (!*calls)
        return;
    fputs("  called by: ", stderr);
    print_names(calls);
    fputs("\n", stderr);
}

/* A derivative reached a function pointer that no known function matches, or, with `is_direct`, calls a function that is
 * weak or that the link left out. `type` is the type of the call, `calls` tells where the call is, or may be. */
__attribute__((noreturn, cold)) void __ez_unknown_function(const char *type, const void *function, int64_t is_direct,
                                                           const char *calls) {
    static const char here = 0;
    struct names names = {0};
    struct place place = {0}, own = {0};
    if (!function && is_direct) {
        fputs("enzyme-cc: error: differentiated code calls a weak function that nothing defines [EZ0305]\n", stderr);
        print_calls(calls);
        fputs("  reason: its address is null\n"
              "  remedy: compare it with null before the call, as the program must do without derivatives, too\n",
              stderr);
        end_program();
    }
    if (!function) {
        fputs("enzyme-cc: error: differentiated code calls through a null pointer [EZ0305]\n", stderr);
        print_calls(calls);
        fprintf(stderr,
                "  reason: no function of type %s was put into the pointer\n"
                "  remedy: call only through pointers that are set\n",
                type);
        end_program();
    }
    if (!dladdr || !dladdr(&here, &own)) /* the program is linked statically */
        place = own = (struct place){.file = "/proc/self/exe", .base = __ehdr_start};
    else
        dladdr(function, &place);
    fputs("enzyme-cc: error: differentiated code calls ", stderr);
    print_function(&place, function, &names);
    fprintf(stderr, "%s, and its derivative is unknown [EZ0305]\n", is_direct ? "" : " through a pointer");
    print_calls(calls);
    const char *candidate = *names.source ? names.source : *names.function ? names.function : "NAME";
    if (place.base != own.base)
        fputs("  reason: the function is in another object than the derivatives, which was not part of their link\n"
              "  remedy: link the file that defines it into this program, as an object or in a static library, compiled "
              "with enzyme-cc; or register a derivative of the function\n",
              stderr);
    else if (is_direct)
        fprintf(stderr,
                "  reason: the link left it out and warned of that (EZ0311), or the file that defines it was not compiled "
                "with enzyme-cc\n"
                "  remedy: link with --enzyme-candidate=%s; or compile the file with enzyme-cc, or register a "
                "derivative of the function\n",
                candidate);
    else if (__ez_used_calls)
        fprintf(stderr,
                "  reason: the profile of calls (--enzyme-use-calls) does not have it, or the function is not of the "
                "call's type, %s\n"
                "  remedy: make the profile again by a program that is linked with --enzyme-profile-calls, and that makes "
                "this call; or add the line %s%s%s to it\n",
                type, names.source, *names.source ? ":" : "", *names.function ? names.function : "NAME");
    else
        fprintf(stderr,
                "  reason: the file that defines it was not compiled with enzyme-cc, or the function is not of the "
                "call's type, %s, or it was put into the pointer as a member of another struct type, or the link left "
                "it out and warned of that (EZ0311)\n"
                "  remedy: compile the file with enzyme-cc, or register a derivative of the function; call it by a "
                "pointer of its own type; if structs are used as structs of other types, let these begin alike; if it "
                "was left out, link with --enzyme-candidate=%s\n",
                type, candidate);
    end_program();
}

/* A shared library has other code than when the program was linked. */
__attribute__((noreturn, cold)) void __ez_other_library(const char *name) {
    fprintf(stderr,
            "enzyme-cc: error: %s is not the library that this program was linked with [EZ0118]\n"
            "  reason: the derivatives in this program were made of the code that the library had then\n"
            "  remedy: link the program again, or give it that library (LD_LIBRARY_PATH, rpath)\n",
            name);
    end_program();
}

/* A derivative reached, through a function pointer or under a condition, a function that cannot be differentiated.
 * `fault` and `reason` are those of the error that a certain call would give. */
__attribute__((noreturn, cold)) void __ez_not_differentiable(const char *name, const char *fault, const char *reason) {
    fputs("enzyme-cc: error: differentiated code calls ", stderr);
    print_names(name);
    fputs(", which cannot be differentiated [EZ0310]\n  reason: ", stderr);
    print_names(fault);
    if (*reason) {
        fputs("\n          ", stderr);
        print_names(reason);
    }
    fputs("\n  remedy: remove what the reason names, or register a derivative of the function\n", stderr);
    end_program();
}

extern const char code_begin[] __asm__("__executable_start") __attribute__((weak, visibility("hidden")));
extern const char code_end[] __asm__("etext") __attribute__((weak, visibility("hidden")));

/* __enzyme_virtualreverse of an address that is known only now: it may be that of a table of virtual functions. */
void __ez_refuse_function(const void *address) {
    const char *place = address;
    if (place < code_begin || place >= code_end)
        return;
    fprintf(stderr, "enzyme-cc: error: __enzyme_virtualreverse is given a function that is not known at link time [EZ0204]\n"
                    "  reason: its halves must be made at link time\n"
                    "  remedy: name the function in the request, or a pointer that is loaded from a constant\n");
    end_program();
}
