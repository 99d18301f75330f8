/* Renames the bitcode sections of a finished object, in place, so that no other tool takes it for an LTO object. */
#ifndef ENZYME_STAMP_H
#define ENZYME_STAMP_H

#include <stdbool.h>
#include <stddef.h>

/* Leaves anything that is not a little-endian ELF64 relocatable object with embedded bitcode exactly as it is. */
void stamp_object(const char *path);

/* Did our driver have this object made without learning its name? So it is with the temporaries of a compilation that
   links at once. */
bool was_never_stamped(const void *bytes, size_t size);

#endif
