/* The checksum that a stamped object keeps of its bitcode, so that enzyme-ld can tell damage from code. */
#ifndef ENZYME_CHECKSUM_H
#define ENZYME_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC-32 as zlib computes it. `before` is the checksum of the bytes before these, 0 at first. */
uint32_t checksum(uint32_t before, const unsigned char *bytes, size_t size);

#endif
