#include "outcome/final_state.h"

#include "base/mem.h"
#include "call/window.h"

/* Needs on their way to somebody who knows of no keepers. */
struct need_passer {
    const struct final_state *final;
    rank_t waiting;
    void (*tell)(void *, const struct sem_need *);
    void *data;
    VEC(rank_t) ranks;
};

static void add_rank_once(struct need_passer *passer, rank_t r)
{
    for (size_t i = 0; i < passer->ranks.n; i++)
        if (passer->ranks.at[i] == r)
            return;
    vec_push(&passer->ranks, r);
}

/* Whom the keeper of a lock waits for: whoever has it alone, or else anybody, to give it back. */
static void add_ranks_of_lock(struct need_passer *passer, rank_t keeper)
{
    const struct sem *sem = passer->final->sem;
    int n = sem_unmatched(sem, keeper, NULL, 0);
    op_id *ids = xcalloc((size_t)n + 1, sizeof *ids);

    sem_unmatched(sem, keeper, ids, n);
    for (int i = 0; i < n; i++) {
        struct sem_view view = sem_view(sem, ids[i]);

        for (rank_t r = 0; view.kind == SEM_RECV && r < passer->final->ranks; r++)
            if ((view.peer == r || view.peer == RANK_ANY) && r != passer->waiting)
                add_rank_once(passer, r);
    }
    free(ids);
}

/* Memory answers at once, unless what it is asked has to wait for a lock, or for the target's MPI_Win_post. */
static void add_behind_keeper(struct need_passer *passer, rank_t keeper)
{
    const struct final_state *final = passer->final;
    rank_t by = keeper_is_lock(final->ranks, keeper) ? keeper : sem_held_up_by(final->sem, passer->waiting);

    if (by == RANK_NONE)
        add_rank_once(passer, keeper_owner(final->ranks, keeper));
    else if (by < final->ranks)
        add_rank_once(passer, by);
    else
        add_ranks_of_lock(passer, by);
}

/* Nobody waits for who was never started. */
static bool is_unborn(const struct final_state *final, rank_t r)
{
    int code;

    return final->stand(final->data, r, &code) == RANK_UNBORN;
}

static void pass_need(void *data, const struct sem_need *need)
{
    struct need_passer *passer = data;
    struct sem_need passed = *need;
    rank_t *rank = xmemdup(need->ranks, (size_t)need->n, sizeof *rank); /* the semantics is asked in between */

    vec_clear(&passer->ranks);
    for (int i = 0; i < passed.n; i++)
        if (rank[i] < passer->final->ranks && !is_unborn(passer->final, rank[i]))
            add_rank_once(passer, rank[i]);
        else if (rank[i] >= passer->final->ranks)
            add_behind_keeper(passer, rank[i]);
    free(rank);
    passed.n = (int)passer->ranks.n;
    passed.ranks = passer->ranks.at;
    passer->tell(passer->data, &passed);
}

/* Threads of the rank wait for each other, and for no rank (shim/turns.h). */
static bool waits_for_own_threads(const struct final_state *final, rank_t r)
{
    const struct op *call = final_call(final, r);
    return call && call->kind == OP_WAIT && call->flags & OPF_EITHER && !call->items;
}

int final_needs(const struct final_state *final, rank_t r, void (*tell)(void *, const struct sem_need *), void *data)
{
    struct need_passer passer = {.final = final, .waiting = r, .tell = tell, .data = data};
    if (waits_for_own_threads(final, r))
        return AWAIT_ALL;
    int mode = sem_needs(final->sem, r, pass_need, &passer);

    vec_release(&passer.ranks);
    return mode;
}
