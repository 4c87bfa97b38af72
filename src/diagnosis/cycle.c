#include "diagnosis/cycle.h"

#include "base/mem.h"

struct waiting_query {
    const struct final_state *final;
    rank_t found;
};

/* Some rank that the given one waits for and that waits itself; the lowest. */
static void first_waiting(void *arg, const struct sem_need *need)
{
    struct waiting_query *query = arg;
    for (int i = 0; i < need->n; i++)
        if (final_waits(query->final, need->ranks[i]) && (query->found < 0 || need->ranks[i] < query->found))
            query->found = need->ranks[i];
}

static rank_t rank_waited_for(const struct final_state *final, rank_t r)
{
    struct waiting_query query = {final, RANK_NONE};
    final_needs(final, r, first_waiting, &query);
    return query.found;
}

/* From any waiting rank, following who waits for whom ends in a circle, or at one that waits for nobody left. */
void cycle_tell(const struct final_state *final, void (*tell)(void *, const rank_t *, int n), void *data)
{
    int *visit = xcalloc(final->ranks, sizeof *visit);
    VEC(rank_t) circle = {0};
    int walk = 0;
    for (rank_t start = 0; start < final->ranks; start++) {
        if (!final_waits(final, start) || visit[start])
            continue;
        rank_t r = start;
        walk++;
        while (r >= 0 && !visit[r]) {
            visit[r] = walk;
            r = rank_waited_for(final, r);
        }
        if (r < 0 || visit[r] != walk)
            continue;
        vec_clear(&circle);
        rank_t first = r;
        do {
            vec_push(&circle, r);
            r = rank_waited_for(final, r);
        } while (r != first);
        tell(data, circle.at, (int)circle.n);
    }
    vec_release(&circle);
    free(visit);
}
