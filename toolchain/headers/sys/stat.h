/* The C library as far as shipped bitcode needs it: the same declarations for all targets. See ../../CMakeLists.txt.
 * statx alone: `struct stat` differs between them. */
#pragma once
#include <stdint.h>

enum { STATX_TYPE = 1, STATX_INO = 0x100, S_IFMT = 0170000, S_IFIFO = 0010000, S_IFCHR = 0020000, S_IFREG = 0100000 };
struct statx {
    uint32_t stx_mask, stx_blksize;
    uint64_t stx_attributes;
    uint32_t stx_nlink, stx_uid, stx_gid;
    uint16_t stx_mode, unused;
    uint64_t stx_ino, stx_size, stx_blocks, stx_attributes_mask, times[8];
    uint32_t stx_rdev_major, stx_rdev_minor, stx_dev_major, stx_dev_minor;
    uint64_t spare[14];
};
__attribute__((nothrow)) int statx(int, const char *restrict, int, unsigned, struct statx *restrict);
