#include "base/hash.h"

#include <string.h>

uint64_t hash_bytes(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (; size >= 8; size -= 8, byte += 8) {
        uint64_t word;
        memcpy(&word, byte, 8);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    uint64_t rest = size;
    for (size_t i = 0; i < size; i++)
        rest = rest << 8 | byte[i];
    sum = (sum ^ rest) * UINT64_C(0xd6e8feb86659fd93);
    return sum ^ sum >> 29;
}
