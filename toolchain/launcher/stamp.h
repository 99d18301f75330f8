/* Renames the bitcode sections of a finished object, in place, so that no other tool takes it for an LTO object. */
#ifndef ENZYME_STAMP_H
#define ENZYME_STAMP_H

/* Leaves anything that is not a little-endian ELF64 relocatable object with embedded bitcode exactly as it is. */
void stamp_object(const char *path);

#endif
