#include "check/idle_requests.h"

typedef VEC(const struct op *) waits_t;

/* A request was waited for, or it is started now. */
static void note_wait(waits_t *waits, const struct op *op)
{
    size_t kept = 0;
    for (size_t i = 0; i < waits->n; i++)
        if (waits->at[i]->request != op->request)
            waits->at[kept++] = waits->at[i];
    waits->n = kept;
    if (op->waited)
        vec_push(waits, op);
}

static void find_waits(const struct explorer *x, const struct trail *trail, waits_t *waits)
{
    for (size_t i = 0; i < trail->n; i++) {
        struct history history = explore_history(x, trail->node[i]);
        uint32_t count = i + 1 == trail->n ? trail->posted : history.count;
        const struct op *op = history.ops;
        for (uint32_t k = 0; k < count; k++, op = op_next(op))
            if (op->kind == OP_UNSTARTED)
                note_wait(waits, op);
    }
}

static struct defect idle_request_defect(rank_t rank, const struct op *op)
{
    struct defect defect = {.kind = KIND_REQUEST_STATE,
                            .severity = "warning",
                            .sentence = "a persistent request is waited for that was never started",
                            .advice = "start it with MPI_Start; until then the wait returns at once, and nothing is sent or received",
                            .ops = 1,
                            .op = {{rank, op}}};
    defect.key = defect_key(&defect);
    return defect;
}

void idle_requests_add(struct explorer *x, const struct run *run, int ranks, defects_t *defects)
{
    waits_t waits = {0};
    if (!explore_has_unstarted_requests(x) ||
        (!run->less_slack && run->end != RUN_DEADLOCK && run->end != RUN_LIVELOCK))
        return;
    const struct account *account = explore_account(x, run);
    for (rank_t r = 0; r < ranks; r++) {
        if (explore_history(x, run->node[r]).finished)
            continue;
        vec_clear(&waits);
        find_waits(x, &account->trail[r], &waits);
        for (size_t i = 0; i < waits.n; i++)
            vec_push(defects, idle_request_defect(r, waits.at[i]));
    }
    vec_release(&waits);
}
