#include "shim/clock/block.h"

#include <stdlib.h>

/* There are four sizes between one power of two and the next; what is kept unused is bounded. */
enum { SMALLEST = 256, SIZES = 160, KEPT_MOST = 1 << 26 };

/* Stands in front of the header, so that the payload is aligned like memory of malloc. */
union front {
    struct {
        union front *next; /* of the unused */
        int size;
    };
    char fill[64];
};

static union front *unused[SIZES];
static uint64_t kept;

static uint64_t bytes_of_size_class(int size)
{
    return (uint64_t)(4 + size % 4) << (size / 4) << 6;
}

/* The first that has as many bytes. */
static int size_for(uint64_t bytes)
{
    if (bytes <= SMALLEST)
        return 0;
    int log = 63 - __builtin_clzll(bytes - 1);
    return 4 * (log - 8) + (int)((bytes - 1) >> (log - 2)) - 3;
}

struct header *block_new(uint64_t bytes)
{
    int size = size_for(bytes + sizeof(union front) + sizeof(struct header));
    union front *front = unused[size];
    if (front) {
        unused[size] = front->next;
        kept -= bytes_of_size_class(size);
    } else {
        front = shim_alloc(bytes_of_size_class(size));
        front->size = size;
    }
    return (struct header *)(front + 1);
}

void block_free(struct header *block)
{
    if (!block)
        return;
    union front *front = (union front *)block - 1;
    uint64_t bytes = bytes_of_size_class(front->size);
    if (kept + bytes > KEPT_MOST) {
        free(front);
        return;
    }
    kept += bytes;
    front->next = unused[front->size];
    unused[front->size] = front;
}
