#include "shim/clock/block.h"

#include <stdlib.h>

/* Sizes are powers of two; what is kept unused is bounded. */
enum { SMALLEST = 8, SIZES = 48, KEPT_MOST = 1 << 26 };

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

static uint64_t bytes_of(int size)
{
    return UINT64_C(1) << (SMALLEST + size);
}

struct header *block_new(uint64_t bytes)
{
    uint64_t needed = bytes + sizeof(union front) + sizeof(struct header);
    int size = 0;
    while (bytes_of(size) < needed)
        size++;
    union front *front = unused[size];
    if (front) {
        unused[size] = front->next;
        kept -= bytes_of(size);
    } else {
        front = shim_alloc(bytes_of(size));
        front->size = size;
    }
    return (struct header *)(front + 1);
}

void block_free(struct header *block)
{
    if (!block)
        return;
    union front *front = (union front *)block - 1;
    uint64_t bytes = bytes_of(front->size);
    if (kept + bytes > KEPT_MOST) {
        free(front);
        return;
    }
    kept += bytes;
    front->next = unused[front->size];
    unused[front->size] = front;
}
