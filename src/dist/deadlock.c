#include "dist/deadlock.h"

#include "base/hash.h"
#include "call/calls.h"
#include "sem/agree.h"
#include "sem/sem.h"

/* A match that a rank has told of. */
struct told {
    op_id recv;
    rank_t source;
    uint64_t op; /* the send, in the tale of its source */
};

/* An operation, as `user` of the semantics counts them. */
struct posted_operation {
    rank_t rank;
    size_t op;
};

struct consistent_cut {
    const struct tale *tale;
    int ranks;
    struct sem *sem;
    VEC(op_id) *id; /* by rank and operation */
    VEC(struct posted_operation) posted;
    VEC(struct told) told; /* and was not made yet */
    op_id *sends;
    uint64_t lot; /* the random number by which it is drawn what the library may have done */
    bool open;    /* there was anything to be drawn */
};

/* ---- posting ---- */

static op_id post_told_recv(struct consistent_cut *cut, rank_t r, const struct op *op, bool last)
{
    bool decided = last && op->peer == RANK_ANY && cut->tale[r].forced >= 0;
    return sem_recv(cut->sem, r, decided ? cut->tale[r].forced : op->peer, op->context, op->tag, 0);
}

/* A matched probe has taken the message it saw; in a job that is received at once (doc/dist.md). */
static op_id post_taken(struct consistent_cut *cut, rank_t r, const struct op *op, const struct tale_op *call)
{
    const struct tale_item *item = call->items ? &cut->tale[r].item.at[call->first_item] : NULL;
    if (!(op->flags & OPF_TAKE) || !item || item->source < 0)
        return OP_ID_NONE;
    return sem_recv(cut->sem, r, item->source, op->context, op->tag, 0);
}

static op_id post_told_coll(struct consistent_cut *cut, rank_t r, const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    return sem_coll(cut->sem, r, op->context, (uint32_t)op->turn, coll->from, coll->until, op_coll_list(coll),
                    coll->listed, (uint32_t)cut->posted.n - 1);
}

static op_id post_told_op(struct consistent_cut *cut, rank_t r, size_t i)
{
    const struct tale *tale = &cut->tale[r];
    const struct op *op = tale_op(tale, i);
    vec_push(&cut->posted, (struct posted_operation){r, i});
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        return sem_send(cut->sem, r, op->peer, op->context, op->tag, send_mode(op->flags), op->bytes, 0);
    case OP_RECV:
        return post_told_recv(cut, r, op, i + 1 == tale->op.n);
    case OP_COLL:
        return post_told_coll(cut, r, op);
    case OP_PROBE:
    case OP_IPROBE:
        return post_taken(cut, r, op, &tale->op.at[i]);
    case OP_DONE:
        return sem_done(cut->sem, r, 0);
    case OP_CANCEL:
    case OP_FREE:
    case OP_TAKEN:
        OP_CASES(OP_LIFE)
        OP_CASES(OP_SETTINGS)
        OP_CASES(OP_REMARKS)
        OP_CASES(OP_COMPLETIONS)
        OP_CASES(OP_CHOICES)
        OP_CASES(OP_SERVICES)
        OP_CASES(OP_ENDS)
        break;
    }
    return OP_ID_NONE;
}

static void declare(struct consistent_cut *cut, rank_t r)
{
    for (size_t i = 0; i < cut->tale[r].op.n; i++) {
        const struct op *op = tale_op(&cut->tale[r], i);
        const struct op_group *group = op_tail(op);
        if (op->kind == OP_CONTEXT &&
            sem_context(cut->sem, op->context, (int)group->first_group, (int)group->members, group->member) < 0)
            continue; /* the search will say so */
    }
}

/* The operation behind a request, before the `end`-th; none: `end`. */
static size_t op_of_request(const struct consistent_cut *cut, rank_t r, uint32_t request, size_t end)
{
    for (size_t i = end; i-- > 0;)
        if (cut->id[r].at[i] && tale_op(&cut->tale[r], i)->request == request)
            return i;
    return end;
}

/* Until what it would cancel is matched, as it was decided. */
static bool waits_in_cancel(const struct tale *tale, size_t op)
{
    return tale->blocked && op + 1 == tale->op.n && tale_op(tale, op)->kind == OP_CANCEL;
}

/* What was completed: receives have met a message, others may have been withdrawn. */
static void note_done(struct consistent_cut *cut, rank_t r)
{
    const struct tale *tale = &cut->tale[r];
    for (size_t i = 0; i < tale->item.n; i++) {
        const struct tale_item *item = &tale->item.at[i];
        op_id id = item->op < cut->id[r].n ? cut->id[r].at[item->op] : OP_ID_NONE;
        if (!id)
            continue;
        if (item->cancelled)
            (void)sem_withdraw(cut->sem, id);
        else if (item->named && sem_view(cut->sem, id).kind == SEM_RECV)
            vec_push(&cut->told, (struct told){.recv = id, .source = item->source, .op = item->sender_op});
    }
}

static int draw_lot(struct consistent_cut *cut, int n)
{
    cut->open = cut->open || n > 1;
    cut->lot = hash_bytes(0, &cut->lot, sizeof cut->lot);
    return (int)(cut->lot % (uint64_t)n);
}

static bool has_completed(const struct tale *tale, size_t op)
{
    for (size_t i = 0; i < tale->item.n; i++)
        if (tale->item.at[i].op == op)
            return true;
    return false;
}

/* Of what was cancelled, and has not been heard of since: it may have been in time. */
static void draw_cancels(struct consistent_cut *cut, rank_t r)
{
    const struct tale *tale = &cut->tale[r];
    for (size_t i = 0; i < tale->op.n; i++) {
        if (tale_op(tale, i)->kind != OP_CANCEL || waits_in_cancel(tale, i))
            continue;
        size_t op = op_of_request(cut, r, tale_op(tale, i)->request, i);
        if (op < i && !has_completed(tale, op) && draw_lot(cut, 2))
            (void)sem_withdraw(cut->sem, cut->id[r].at[op]);
    }
}

/* ---- matching ---- */

static op_id send_of(const struct consistent_cut *cut, const struct told *told)
{
    bool known = told->source >= 0 && told->source < cut->ranks && told->op < cut->id[told->source].n;
    return known ? cut->id[told->source].at[told->op] : OP_ID_NONE;
}

static bool recv_may_take(struct consistent_cut *cut, op_id recv, op_id send)
{
    int n = sem_choices(cut->sem, recv, cut->sends);
    for (int i = 0; i < n; i++)
        if (cut->sends[i] == send)
            return true;
    return false;
}

static void match_forced(struct consistent_cut *cut)
{
    struct match match;
    while (sem_next_forced(cut->sem, &match))
        ;
}

/* Makes what was told and can be made now; whether there was anything. */
static bool match_told(struct consistent_cut *cut)
{
    bool any = false;
    for (size_t i = 0; i < cut->told.n;) {
        struct told told = cut->told.at[i];
        op_id send = send_of(cut, &told);
        bool open = send && !sem_view(cut->sem, told.recv).matched && !sem_view(cut->sem, send).matched;
        if (open && !recv_may_take(cut, told.recv, send)) {
            i++;
            continue;
        }
        if (open)
            sem_match(cut->sem, send, told.recv);
        match_forced(cut);
        cut->told.at[i] = vec_pop(&cut->told);
        any = any || open;
    }
    return any;
}

static bool is_told_match(const struct consistent_cut *cut, op_id id)
{
    for (size_t i = 0; i < cut->told.n; i++)
        if (cut->told.at[i].recv == id || send_of(cut, &cut->told.at[i]) == id)
            return true;
    return false;
}

/* One receive from any source of which nobody has heard takes a message of which nobody has: the library may have done so. */
static bool match_open(struct consistent_cut *cut)
{
    enum { ROOM = 64 };
    op_id recvs[ROOM];
    for (rank_t r = 0; r < cut->ranks; r++) {
        int n = sem_open_wildcards(cut->sem, r, recvs, ROOM);
        for (int i = 0; i < n && i < ROOM; i++) {
            int sends = is_told_match(cut, recvs[i]) ? 0 : sem_choices(cut->sem, recvs[i], cut->sends), kept = 0;
            for (int k = 0; k < sends; k++)
                if (!is_told_match(cut, cut->sends[k]))
                    cut->sends[kept++] = cut->sends[k];
            if (!kept)
                continue;
            sem_match(cut->sem, cut->sends[draw_lot(cut, kept)], recvs[i]);
            match_forced(cut);
            return true;
        }
    }
    return false;
}

/* ---- who goes on ---- */

static const struct op *no_type(void *data, uint64_t signature)
{
    (void)data, (void)signature;
    return NULL;
}

static struct coll_part part_at(const struct consistent_cut *cut, op_id id, int position)
{
    struct posted_operation posted = cut->posted.at[sem_view(cut->sem, id).user];
    return (struct coll_part){tale_op(&cut->tale[posted.rank], posted.op), (uint32_t)position};
}

/* Members that are in different collectives wait for each other for ever. */
static bool agrees(const struct consistent_cut *cut, op_id coll)
{
    const struct type_finder types = {no_type, NULL};
    const rank_t *member;
    struct sem_view view = sem_view(cut->sem, coll);
    struct coll_part mine = part_at(cut, coll, sem_position(cut->sem, view.context, view.owner));
    int members = sem_members(cut->sem, view.context, &member);
    for (int i = 0; i < members; i++) {
        op_id part = sem_coll_part(cut->sem, coll, i);
        struct coll_part other = part ? part_at(cut, part, i) : mine;
        if (agree_parts(&types, &mine, &other).fault)
            return false;
    }
    return true;
}

static bool op_holds_in_cut(const struct consistent_cut *cut, op_id id)
{
    struct sem_view view = sem_view(cut->sem, id);
    return view.complete && (view.kind != SEM_COLL || agrees(cut, id));
}

static bool completes_in_cut(const struct consistent_cut *cut, rank_t r, uint32_t request)
{
    size_t n = cut->id[r].n, op = op_of_request(cut, r, request, n);
    return op == n || op_holds_in_cut(cut, cut->id[r].at[op]);
}

static bool list_holds(const struct consistent_cut *cut, rank_t r, const struct op *op)
{
    const uint32_t *list = op_tail(op);
    uint32_t complete = 0;
    for (uint32_t i = 0; i < op->items; i++)
        complete += completes_in_cut(cut, r, list[i]);
    return op->flags & (OPF_ANY | OPF_SOME) ? complete > 0 || op->items == 0 : complete == op->items;
}

/* Whether the call can return, or be told yes. */
static bool call_holds(const struct consistent_cut *cut, rank_t r, size_t i)
{
    const struct tale *tale = &cut->tale[r];
    const struct op *op = tale_op(tale, i);
    if (op_completes(op))
        return list_holds(cut, r, op);
    if (op_probes(op))
        return sem_probe(cut->sem, r, tale->forced >= 0 ? tale->forced : op->peer, op->context, op->tag, cut->sends) >
               0;
    return !cut->id[r].at[i] || op_holds_in_cut(cut, cut->id[r].at[i]);
}

/*
 * What the ledgers do not tell: the two leaders of MPI_Intercomm_create meet inside the library.  When its own side has come, a
 * rank still waits for the other one, which may be on its way.
 */
static bool waits_for_other_side(const struct tale *tale)
{
    const struct op *op = tale->op.n ? tale_op(tale, tale->op.n - 1) : NULL;
    return op && op->kind == OP_COLL && op->call == CALL_Intercomm_create && !vec_last(&tale->op).answered;
}

enum job_standing { OVER, GOES_ON, MAY_GO_ON, STANDS };

static enum job_standing standing_of(const struct consistent_cut *cut, rank_t r)
{
    const struct tale *tale = &cut->tale[r];
    const struct told_segment *segment = tale->segment.n ? &vec_last(&tale->segment) : NULL;
    if (!segment || (segment->whole && segment->end != SEGMENT_CALL))
        return OVER;
    if (tale->op.n && waits_in_cancel(tale, tale->op.n - 1))
        return completes_in_cut(cut, r, tale_op(tale, tale->op.n - 1)->request) ? GOES_ON : STANDS;
    if (!segment->whole || vec_last(&tale->op).answered)
        return GOES_ON;
    size_t round = tale->round ? tale->round : 1;
    for (size_t i = tale->op.n - round; i < tale->op.n; i++)
        if (call_holds(cut, r, i))
            return waits_for_other_side(tale) ? MAY_GO_ON : GOES_ON;
    return STANDS;
}

/* One way in which it can stand; `open`: there may be others; `doubtful`: even so it may move. */
static bool stands_so(const struct tale *tale, int ranks, uint64_t lot, bool *open, bool *doubtful)
{
    struct consistent_cut cut = {.tale = tale, .ranks = ranks, .sem = sem_new(ranks, SLACK_TIGHT), .lot = lot};
    bool stands = false, moves = false;
    cut.id = xcalloc((size_t)ranks, sizeof *cut.id);
    cut.sends = xcalloc((size_t)ranks, sizeof *cut.sends);
    for (rank_t r = 0; r < ranks; r++)
        declare(&cut, r);
    for (rank_t r = 0; r < ranks; r++)
        for (size_t i = 0; i < tale[r].op.n; i++)
            vec_push(&cut.id[r], post_told_op(&cut, r, i));
    for (rank_t r = 0; r < ranks; r++)
        note_done(&cut, r);
    for (rank_t r = 0; r < ranks; r++)
        draw_cancels(&cut, r);
    match_forced(&cut);
    while (match_told(&cut) || match_open(&cut))
        ;
    for (rank_t r = 0; r < ranks && !moves; r++) {
        enum job_standing standing = standing_of(&cut, r);
        moves = standing == GOES_ON;
        stands = stands || standing == STANDS || standing == MAY_GO_ON;
        *doubtful = *doubtful || standing == MAY_GO_ON;
    }
    for (rank_t r = 0; r < ranks; r++)
        vec_release(&cut.id[r]);
    free(cut.id);
    free(cut.sends);
    vec_release(&cut.told);
    vec_release(&cut.posted);
    sem_free(cut.sem);
    *open = cut.open;
    return stands && !moves;
}

enum job_verdict deadlock_verdict(const struct tale *tale, int ranks)
{
    enum { LOTS = 24 };
    bool open = true, doubtful = false;
    int stands = 0, n = 0;
    for (; open && n < LOTS; n++)
        stands += stands_so(tale, ranks, (uint64_t)n, &open, &doubtful);
    return stands == n && !doubtful ? IS_STUCK : stands ? MAY_BE_STUCK : MOVES;
}
