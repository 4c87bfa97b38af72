/*
 * handle -- from the real library's handles to what the shim knows of them.
 *
 * A handle is an int in MPICH and a pointer in Open MPI; either way a number.
 * Lookups are the hot path of every call.
 */
#ifndef SHIM_CORE_HANDLE_H
#define SHIM_CORE_HANDLE_H

#include <stddef.h>
#include <stdint.h>

#define HANDLE_KEY(handle) ((uint64_t)(uintptr_t)(handle))

struct handle_map {
    struct handle_slot {
        uint64_t key;
        void *value; /* NULL: free */
    } *slot;
    size_t room, used; /* room is a power of two, or 0 */
};

void *handle_map_get(const struct handle_map *, uint64_t key); /* NULL: not there */
void handle_map_put(struct handle_map *, uint64_t key, void *value);
void handle_map_remove(struct handle_map *, uint64_t key);

#endif
