#include "check/tenures.h"

#include "call/window.h"
#include "check/past.h"

struct tenure {
    rank_t lock; /* the keeper of the lock of the window */
    bool alone, asked, exposed;
    const struct clocked_event *begin, *end; /* `end` NULL: not in this run */
};
typedef VEC(struct tenure) tenures_t;

static void begin_tenure(tenures_t *tenures, const struct clocked_event *begin, struct tenure tenure)
{
    tenure.begin = begin;
    vec_push(tenures, tenure);
}

/* What the rank has begun last and not ended: MPI_Win_post and a lock of one's own window exclude each other. */
static void end_tenure(tenures_t *tenures, rank_t lock, bool exposed, const struct clocked_event *end)
{
    for (size_t i = tenures->n; i-- > 0;) {
        struct tenure *tenure = &tenures->at[i];
        if (tenure->begin->rank != end->rank || tenure->lock != lock || tenure->exposed != exposed || tenure->end)
            continue;
        tenure->end = end;
        return;
    }
}

static void note_lock(tenures_t *tenures, const struct clocked_event *event, const struct op *op)
{
    if (window_op_releases(op))
        end_tenure(tenures, op->peer, false, event);
    else
        begin_tenure(tenures, event, (struct tenure){.lock = op->peer, .asked = true, .alone = op->tag == WINDOW_EXCLUSIVE});
}

static void note_remark(tenures_t *tenures, const struct clocked_event *event, const struct op *op)
{
    switch ((enum window_tenure)op->tenure) {
    case WINDOW_HELD_ALONE:
        begin_tenure(tenures, event, (struct tenure){.lock = op->peer, .alone = true});
        return;
    case WINDOW_HELD_SHARED:
        begin_tenure(tenures, event, (struct tenure){.lock = op->peer});
        return;
    case WINDOW_EXPOSED:
        begin_tenure(tenures, event, (struct tenure){.lock = op->peer, .exposed = true});
        return;
    case WINDOW_LET_GO:
        end_tenure(tenures, op->peer, false, event);
        return;
    case WINDOW_CONCEALED:
        end_tenure(tenures, op->peer, true, event);
        return;
    }
}

static void find_tenures(const struct past *past, int ranks, tenures_t *tenures)
{
    for (size_t i = 0; i < past->event.n; i++) {
        const struct clocked_event *event = &past->event.at[i];
        const struct op *op = past_op(past, event);
        if (event->rank >= ranks)
            return; /* only keepers are left */
        if (op->kind == OP_TENURE)
            note_remark(tenures, event, op);
        else if (op->kind == OP_SEND && op->context == KEEPER_CONTEXT && op->peer >= ranks && keeper_is_lock(ranks, op->peer))
            note_lock(tenures, event, op);
    }
}

/* Whether one must be over before the other begins, by their kinds. */
static bool exclude_each_other(const struct tenure *a, const struct tenure *b)
{
    if (a->lock != b->lock || a->begin->rank == b->begin->rank)
        return false;
    if (a->exposed || b->exposed)
        return true;
    return (a->alone || b->alone) && !(a->asked && b->asked);
}

static bool is_over_before(const struct past *past, const struct tenure *first, const struct tenure *second)
{
    return first->end && past_knows(past, first->end, second->begin);
}

static void add_overlap(const struct past *past, const struct tenure *one, const struct tenure *other, defects_t *defects)
{
    /* First the one that was promised, or that should have waited: the lock of what is exposed. */
    bool swap = one->exposed || (one->asked && !other->exposed);
    const struct tenure *first = swap ? other : one, *second = swap ? one : other;
    struct defect defect = {.kind = KIND_RMA_ASSERT,
                            .sentence = "a lock was taken with MPI_MODE_NOCHECK, but another rank may have or want one that conflicts with it",
                            .advice = "take it without MPI_MODE_NOCHECK, or let the ranks tell each other whose turn it is",
                            .ops = 2,
                            .op = {{first->begin->rank, past_op(past, first->begin)}, {second->begin->rank, past_op(past, second->begin)}}};
    if (second->exposed) {
        defect.kind = KIND_RMA_EPOCH;
        defect.sentence = "a window may be locked while it is exposed by MPI_Win_post";
        defect.advice = "lock it when its owner has returned from MPI_Win_wait, and has told so";
    }
    defect.key = defect_key(&defect);
    vec_push(defects, defect);
}

static void compare_tenures(const struct past *past, const tenures_t *tenures, defects_t *defects)
{
    for (size_t i = 0; i < tenures->n; i++)
        for (size_t k = i + 1; k < tenures->n; k++) {
            const struct tenure *one = &tenures->at[i], *other = &tenures->at[k];
            if (exclude_each_other(one, other) && !is_over_before(past, one, other) && !is_over_before(past, other, one))
                add_overlap(past, one, other, defects);
        }
}

void tenures_add(struct explorer *x, const struct run *run, int ranks, defects_t *defects)
{
    struct past past;
    tenures_t tenures = {0};
    if (!explore_has_tenures(x) || run->less_slack)
        return;
    if (past_begin(&past, x, run, explore_players(x))) {
        find_tenures(&past, ranks, &tenures);
        compare_tenures(&past, &tenures, defects);
    }
    vec_release(&tenures);
    past_release(&past);
}
