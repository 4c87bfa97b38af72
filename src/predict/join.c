#include "predict/join.h"

#include <stdlib.h>

static struct map_key join_key(const struct collective_call *part, uint32_t from, uint32_t until)
{
    return map_key2((uint64_t)part->comm << 32 | part->turn, (uint64_t)from << 32 | until);
}

static void add_join_member(struct joins *joins, const struct program *p, const struct collective_call *part,
                            uint32_t position, struct join *join)
{
    uint32_t other = program_part(p, part, position);
    if (other == UINT32_MAX) {
        join->never = true;
        return;
    }
    if (p->part.at[other].after == HALT_START)
        return;
    vec_push(&joins->halt, p->part.at[other].after);
    join->halts++;
}

static int32_t join_of(struct joins *joins, const struct program *p, const struct collective_call *part, uint32_t from,
                       uint32_t until)
{
    struct join join = {.base = -1, .first = (uint32_t)joins->halt.n};
    uint32_t known;
    if (from >= until)
        return -1;
    if (map_get(&joins->join_of, join_key(part, from, until), &known))
        return (int32_t)known;
    if (map_get(&joins->join_of, join_key(part, from, until - 1), &known)) {
        join.base = (int32_t)known;
        join.never = joins->join.at[known].never;
        add_join_member(joins, p, part, until - 1, &join);
    } else {
        for (uint32_t i = from; i < until; i++)
            add_join_member(joins, p, part, i, &join);
    }
    map_put(&joins->join_of, join_key(part, from, until), (uint32_t)joins->join.n);
    vec_push(&joins->join, join);
    return (int32_t)joins->join.n - 1;
}

/* With a list of positions in addition: a join for this part alone. */
static int32_t listed_join(struct joins *joins, const struct program *p, const struct collective_call *part,
                           int32_t base)
{
    struct join join = {.base = base, .first = (uint32_t)joins->halt.n};
    if (part->listed == 0)
        return base;
    join.never = base >= 0 && joins->join.at[base].never;
    for (uint32_t i = 0; i < part->listed; i++)
        add_join_member(joins, p, part, p->listed.at[part->first + i], &join);
    vec_push(&joins->join, join);
    return (int32_t)joins->join.n - 1;
}

/* Whether a member has ended and never called it. */
static bool is_given_up(const struct program *p, const struct collective_call *part)
{
    const struct traced_communicator *comm = &p->comm.at[part->comm];
    for (uint32_t i = 0; i < comm->members; i++)
        if (program_part(p, part, i) == UINT32_MAX && p->execution->rank[comm->member[i]].ended)
            return true;
    return false;
}

void joins_init(struct joins *joins, const struct program *p)
{
    *joins = (struct joins){0};
    for (size_t i = 0; i < p->part.n; i++) {
        const struct collective_call *part = &p->part.at[i];
        int32_t flow = join_of(joins, p, part, part->from, part->until);
        vec_push(&joins->flow, listed_join(joins, p, part, flow));
        int32_t full = join_of(joins, p, part, 0, p->comm.at[part->comm].members);
        bool given_up = joins->join.at[full].never && is_given_up(p, part);
        vec_push(&joins->full, given_up ? vec_last(&joins->flow) : full);
    }
}

void joins_release(struct joins *joins)
{
    vec_release(&joins->join);
    vec_release(&joins->halt);
    vec_release(&joins->flow);
    vec_release(&joins->full);
    map_release(&joins->join_of);
}

bool joins_over(const struct joins *joins, int32_t id, const bool *passed)
{
    for (; id >= 0; id = joins->join.at[id].base) {
        const struct join *join = &joins->join.at[id];
        if (join->never)
            return false;
        for (uint32_t i = 0; i < join->halts; i++)
            if (!passed[joins->halt.at[join->first + i]])
                return false;
    }
    return true;
}
