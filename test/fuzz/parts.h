/*
 * parts -- several inputs in one: the lengths of all but the last, uint32_t each, then one after the other.
 */
#ifndef TEST_FUZZ_PARTS_H
#define TEST_FUZZ_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct part {
    const uint8_t *bytes;
    size_t size;
};

/* Of what is too short, the last are empty. */
static inline void parts_cut(struct part *part, int parts, const uint8_t *bytes, size_t size)
{
    const uint8_t *lengths = bytes;
    size_t known = (size_t)(parts - 1) * sizeof(uint32_t);
    if (size < known)
        known = size;
    bytes += known;
    size -= known;
    for (int i = 0; i < parts; i++) {
        uint32_t length = UINT32_MAX;
        if (i + 1 < parts)
            length = 0;
        if ((size_t)(i + 1) * sizeof length <= known)
            memcpy(&length, lengths + (size_t)i * sizeof length, sizeof length);
        part[i] = (struct part){bytes, length < size ? length : size};
        bytes += part[i].size;
        size -= part[i].size;
    }
}

#endif
