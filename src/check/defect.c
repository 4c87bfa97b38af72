#include "check/defect.h"

#include <string.h>

#include "base/hash.h"

struct map_key defect_key(const struct defect *defect)
{
    struct map_key key = HASH_START;
    hash_stir(&key, hash_bytes(0, defect->kind, strlen(defect->kind)));
    if (defect->severity)
        hash_stir(&key, hash_bytes(0, defect->severity, strlen(defect->severity)));
    for (uint32_t i = 0; i < defect->ops; i++) {
        hash_stir(&key, defect->op[i].op->place);
        hash_stir(&key, defect->op[i].op->call);
    }
    return key;
}

bool defect_op_is_told_first(const struct defect_op *a, const struct defect_op *b)
{
    return a->op->place != b->op->place ? a->op->place < b->op->place : a->rank <= b->rank;
}
