/* Attributes in double brackets that Enzyme's plug-in for clang knows, and pragmas that nothing knows. */
#ifndef ENZYME_CC_ATTRIBUTES_H
#define ENZYME_CC_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

/* False for standard input, and for files that a compiler does not parse. */
bool is_source(const char *path);

/* Reads a source. If it has such attributes, the overlay gives clang a copy with the spelling that clang reads. Returns
   true if so, and if the file was not in the overlay before. */
bool respell(const char *path);

/* The same for each file of a list, one to a line. */
bool respell_listed(const char *list);

/* An empty file in memory, which lasts as long as this process and its children. Returns its path. */
const char *memory_file(const char *text, size_t size);

/* Returns the path of the overlay, for clang's -ivfsoverlay; NULL if there is none. */
const char *respelled_overlay(void);

#endif
