#include "diagnosis/crossing.h"

static const struct op *collective_of(const struct final_state *final, rank_t r)
{
    const struct op *call = final_call(final, r);
    return call && call->kind == OP_COLL ? call : NULL;
}

struct wanted {
    rank_t rank;
    bool found;
};

static void look_for_rank(void *data, const struct sem_need *need)
{
    struct wanted *wanted = data;
    for (int i = 0; i < need->n; i++)
        wanted->found |= need->ranks[i] == wanted->rank;
}

static bool rank_waits_for(const struct final_state *final, rank_t r, rank_t other)
{
    struct wanted wanted = {.rank = other};
    final_needs(final, r, look_for_rank, &wanted);
    return wanted.found;
}

bool crossing_find(const struct final_state *final, rank_t ranks[2])
{
    for (rank_t a = 0; a < final->ranks; a++) {
        const struct op *mine = collective_of(final, a);
        for (rank_t b = a + 1; mine && b < final->ranks; b++) {
            const struct op *theirs = collective_of(final, b);
            if (!theirs || mine->context == theirs->context || !rank_waits_for(final, a, b) ||
                !rank_waits_for(final, b, a))
                continue;
            ranks[0] = a;
            ranks[1] = b;
            return true;
        }
    }
    return false;
}
