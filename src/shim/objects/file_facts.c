#include "shim/objects/file_facts.h"

#include <stdlib.h>
#include <string.h>

/* The library takes the name of a file system, before a colon, for no part of it. */
const char *file_whole_path(const char *name, char room[PATH_MAX])
{
    const char *colon = strchr(name, ':'), *slash = strchr(name, '/');
    const char *plain = colon && (!slash || colon < slash) ? colon + 1 : name;
    const char *whole = realpath(plain, room);
    return whole ? whole : plain;
}

uint32_t file_written_sum(const void *buf, MPI_Count count, const struct type *type)
{
    uint64_t bytes = type_bytes(type, count), sum = bytes;
    char *data = shim_alloc(bytes);
    type_pack(buf, count, type, data);
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, data + i, bytes - i < sizeof word ? bytes - i : sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    free(data);
    return (uint32_t)(sum ^ sum >> 32) | 1;
}
