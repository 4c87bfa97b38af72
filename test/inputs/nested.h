/*
 * nested -- a file whose contents lead through three conditions, each behind the one before.
 *
 * A header names its kind and a version, and what follows is a count: as a file of a mesh may have it.
 */
#ifndef NESTED_H
#define NESTED_H

#include <stdint.h>
#include <string.h>

struct nested {
    uint32_t kind, version;
    uint64_t cells;
};

/* How many of its conditions the file meets. */
static int nested_depth(const unsigned char *file, size_t bytes)
{
    struct nested head = {0};
    memcpy(&head, file, bytes < sizeof head ? bytes : sizeof head);
    if (head.kind != 0x4d455348)
        return 0;
    if (head.version < 70000 || head.version > 70008)
        return 1;
    if (head.cells != 0x0123456789abcdef)
        return 2;
    return 3;
}

#endif
