/* Renames the bitcode sections of a finished object, in place, so that no other tool takes it for an LTO object. */
#ifndef ENZYME_STAMP_H
#define ENZYME_STAMP_H

#include <stdbool.h>
#include <stddef.h>

/* Changes only little-endian ELF64 relocatable objects with embedded bitcode. Leaves any other file as it is. */
void stamp_object(const char *path);

/* Puts the contents of a file, behind the end of the object, in the place of flang's bitcode in it. Changes nothing if
   that is not possible. */
void replace_bitcode(const char *object, const char *file);

/* True if our driver has made this object without knowing its name: a compilation that links at once makes temporary
   objects. */
bool was_never_stamped(const void *bytes, size_t size);

#endif
