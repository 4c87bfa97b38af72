#include "report/crossed.h"

static const struct op *collective_of(const struct scene *scene, rank_t r)
{
    const struct op *call = scene_call(scene, r);
    return call && call->kind == OP_COLL ? call : NULL;
}

struct wanted {
    rank_t rank;
    bool found;
};

static void look(void *data, const struct sem_need *need)
{
    struct wanted *wanted = data;
    for (int i = 0; i < need->n; i++)
        wanted->found |= need->ranks[i] == wanted->rank;
}

static bool waits_for(const struct scene *scene, rank_t r, rank_t other)
{
    struct wanted wanted = {.rank = other};
    sem_needs(scene->sem, r, look, &wanted);
    return wanted.found;
}

bool crossed_find(const struct scene *scene, rank_t ranks[2])
{
    for (rank_t a = 0; a < scene->ranks; a++) {
        const struct op *mine = collective_of(scene, a);
        for (rank_t b = a + 1; mine && b < scene->ranks; b++) {
            const struct op *theirs = collective_of(scene, b);
            if (!theirs || mine->context == theirs->context || !waits_for(scene, a, b) || !waits_for(scene, b, a))
                continue;
            ranks[0] = a;
            ranks[1] = b;
            return true;
        }
    }
    return false;
}
