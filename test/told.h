/* told -- the file in which a rank of a job tells what it does (call/causal.h), written by tests. */
#ifndef TEST_TOLD_H
#define TEST_TOLD_H

#include <string.h>

#include "base/mem.h"
#include "call/causal.h"

typedef VEC(char) file_t;

static inline void *put(file_t *file, enum causal_record_kind kind, size_t size)
{
    size = op_round(size);
    vec_reserve(file, size);
    struct causal_record *record = (struct causal_record *)(file->at + file->n);
    memset(record, 0, size);
    *record = (struct causal_record){(uint32_t)size, kind};
    file->n += size;
    return record;
}

#endif
