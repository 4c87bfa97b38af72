#include "model/agree.h"

#include "model/guard.h"
#include "sem/agree.h"

static const struct op *find_explored_type(void *explorer, uint64_t signature)
{
    return explore_type(explorer, signature);
}

static struct coll_part coll_part_of(const struct model *model, uint32_t op)
{
    const struct op *part = model->op.at[op].op;
    return (struct coll_part){part, model_position(model, model_context(model, part->context), model_rank(model, op))};
}

bool model_parts_clash(const struct model *model, uint32_t a, uint32_t b)
{
    const struct type_finder types = {find_explored_type, model->explorer};
    if (!same_collective(model->op.at[a].op, model->op.at[b].op) || model_rank(model, a) == model_rank(model, b))
        return false;
    struct coll_part one = coll_part_of(model, a), other = coll_part_of(model, b);
    return agree_parts(&types, &one, &other).fault;
}
