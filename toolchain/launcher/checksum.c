/* CRC-32 (ISO 3309, polynomial 0x04C11DB7 with its bits reversed), a byte at a time from a table made at first use. */
#include "checksum.h"

static uint32_t table[256];

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++)
            rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
        table[byte] = rest;
    }
}

uint32_t checksum(uint32_t before, const unsigned char *bytes, size_t size) {
    if (!table[1])
        fill_table();
    uint32_t rest = ~before;
    for (size_t i = 0; i < size; i++)
        rest = table[(rest ^ bytes[i]) & 0xFF] ^ rest >> 8;
    return ~rest;
}
