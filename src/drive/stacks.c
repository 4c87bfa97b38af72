#include "drive/stacks.h"

#include "base/hash.h"

uint32_t stacks_add(struct stacks *stacks, const uint64_t *address, uint32_t depth)
{
    struct map_key key = map_key2(depth, hash_bytes(0, address, depth * sizeof *address));
    uint32_t number;
    if (!depth || map_get(&stacks->number, key, &number))
        return depth ? number : 0;
    vec_push(&stacks->at, ((struct stack){xmemdup(address, depth, sizeof *address), depth}));
    map_put(&stacks->number, key, (uint32_t)stacks->at.n);
    return (uint32_t)stacks->at.n;
}

void stacks_release(struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->at.n; i++)
        free(stacks->at.at[i].address);
    vec_release(&stacks->at);
    map_release(&stacks->number);
}
