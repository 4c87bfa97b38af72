#include "check/lost_messages.h"

#include "call/window.h"

#include "check/finalization.h"

static struct defect lost_message_defect(rank_t sender, const struct op *op, bool pending)
{
    bool harmful = pending || op->flags & OPF_SYNCHRONOUS;
    struct defect defect = {.kind = KIND_LOST_MESSAGE,
                            .severity = harmful ? "error" : "warning",
                            .sentence = "a message was sent and never received",
                            .advice = "receive it before MPI_Finalize, or do not send it",
                            .ops = 1,
                            .op = {{sender, op}}};
    defect.key = defect_key(&defect);
    return defect;
}

static void add_those_to(const struct explorer *x, const struct run *run, rank_t to, defects_t *defects)
{
    int n = sem_unmatched(run->sem, to, NULL, 0);
    op_id *ids = n ? xcalloc((size_t)n, sizeof *ids) : NULL;
    if (n)
        sem_unmatched(run->sem, to, ids, n);
    for (int i = 0; i < n; i++) {
        struct sem_view view = sem_view(run->sem, ids[i]);
        rank_t sender;
        if (view.kind != SEM_SEND || view.context == KEEPER_CONTEXT)
            continue; /* of what goes on at windows others tell */
        const struct op *op = explore_op(x, view.user, &sender);
        vec_push(defects, lost_message_defect(sender, op, !view.retired));
    }
    free(ids);
}

void lost_messages_add(const struct explorer *x, const struct run *run, int ranks, defects_t *defects)
{
    if (!finalization_is_complete(x, run, ranks))
        return;
    for (rank_t r = 0; r < ranks; r++)
        add_those_to(x, run, r, defects);
}
