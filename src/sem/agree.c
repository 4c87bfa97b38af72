#include "sem/agree.h"

#include "call/calls.h"

/* Somewhere in a signature that is repeated. */
struct signature_cursor {
    const struct signature *s;
    uint32_t run;
    uint64_t left; /* bytes of the run */
};

static struct signature_cursor begin_signature(const struct signature *s)
{
    return (struct signature_cursor){s, 0, s->run[0].size * s->run[0].n};
}

static void advance_in_signature(struct signature_cursor *c, uint64_t bytes)
{
    c->left -= bytes;
    if (c->left)
        return;
    c->run = (c->run + 1) % c->s->runs;
    c->left = c->s->run[c->run].size * c->s->run[c->run].n;
}

static const struct signature_run *run_at_cursor(const struct signature_cursor *c)
{
    return &c->s->run[c->run];
}

static bool fit(const struct signature_cursor *a, const struct signature_cursor *b)
{
    const struct signature_run *x = run_at_cursor(a), *y = run_at_cursor(b);
    if (basic_fits_any(x->basic) || basic_fits_any(y->basic))
        return true;
    return x->basic == y->basic && a->left % x->size == b->left % y->size;
}

static bool is_known_signature(const struct signature *s)
{
    return s->runs != SIGNATURE_LONG && s->runs > 0;
}

/* Of those that are too long to be told, whole ones of one length can be compared. */
static bool agree_sums(const struct signature *a, const struct signature *b, uint64_t bytes)
{
    bool comparable = a->bytes == b->bytes && bytes >= a->bytes && !a->fits_any && !b->fits_any;
    return !comparable || (a->sum == b->sum && a->elements == b->elements);
}

/*
 * Sequences that repeat and agree for as long as both together are long, agree for ever
 * (Fine and Wilf); how many runs that takes is far below the bound.
 */
bool agree_types(const struct signature *a, const struct signature *b, uint64_t bytes)
{
    enum { MOST = 1 << 14 };
    if (!is_known_signature(a) || !is_known_signature(b))
        return agree_sums(a, b, bytes);
    struct signature_cursor x = begin_signature(a), y = begin_signature(b);
    for (int i = 0; i < MOST && bytes; i++) {
        uint64_t step = x.left < y.left ? x.left : y.left;
        if (!fit(&x, &y))
            return false;
        step = step < bytes ? step : bytes;
        advance_in_signature(&x, step);
        advance_in_signature(&y, step);
        bytes -= step;
    }
    return true;
}

static bool same_types(const struct type_finder *finder, uint64_t a, uint64_t b, uint64_t bytes)
{
    struct signature x, y;
    if (a == b || a == 0 || b == 0 || bytes == 0)
        return true;
    const struct op *type_a = finder->find(finder->data, a), *type_b = finder->find(finder->data, b);
    if (!type_a || !type_b || !signature_read(&x, type_a) || !signature_read(&y, type_b))
        return true;
    return agree_types(&x, &y, bytes);
}

static uint64_t fewer_bytes(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

enum message_fault agree_message(const struct type_finder *finder, const struct op *send, const struct op *recv)
{
    if (!same_types(finder, send->signature, recv->signature, fewer_bytes(send->bytes, recv->bytes)))
        return MESSAGE_TYPE;
    return send->bytes > recv->bytes ? MESSAGE_LENGTH : MESSAGE_AGREES;
}

/* ---- collectives ---- */

/* On an intercommunicator not everybody names the root. */
static bool other_root(const struct op *a, const struct op *b)
{
    return a->peer != b->peer && a->peer != RANK_NONE && b->peer != RANK_NONE;
}

/* Which of those that it needs is at this position, for the nth time; -1: none. */
static int64_t needed(const struct op_coll *coll, uint32_t position, uint32_t nth)
{
    const uint32_t *listed = op_coll_list(coll);
    uint32_t range = coll->until > coll->from ? coll->until - coll->from : 0;
    if (position >= coll->from && position < coll->until && nth-- == 0)
        return position - coll->from;
    for (uint32_t i = 0; i < coll->listed; i++)
        if (listed[i] == position && nth-- == 0)
            return range + i;
    return -1;
}

/* The nth slice for a position; none: as many as there are. */
static uint32_t find_slice(const struct op *op, uint32_t position, uint32_t nth)
{
    const struct op_coll *coll = op_tail(op);
    const struct op_slice *slice = op_coll_slices(coll);
    uint32_t i = 0;
    if (op->flags & OPF_ORDERED && nth == 0 && coll->slices > position)
        return position;
    for (; i < coll->slices; i++)
        if ((slice[i].to == SLICE_FOR_ALL || slice[i].to == (int32_t)position) && nth-- == 0)
            break;
    return i;
}

/* What one brings; no slice is an empty one. */
static struct coll_side brought(const struct op *op, uint32_t position, uint32_t nth)
{
    const struct op_coll *coll = op_tail(op);
    uint32_t i = find_slice(op, position, nth);
    bool there = i < coll->slices;
    return (struct coll_side){.brings = true,
                              .bytes = there ? op_coll_slices(coll)[i].bytes : 0,
                              .signature = there && coll->typed ? op_coll_types(coll)[i] : op->signature};
}

/* How often it takes nothing from this position. */
static uint32_t times_idle(const struct op_coll *coll, uint32_t position)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < coll->idle; i++)
        times += op_coll_idle(coll)[i] == position;
    return times;
}

/* What one takes from the one that it needs as number `at`. */
static struct coll_side taken(const struct op_coll *coll, int64_t at)
{
    return (struct coll_side){.takes = true,
                              .bytes = op_coll_takes(coll)[coll->takes == 1 ? 0 : at],
                              .signature = coll->typed ? op_coll_types(coll)[coll->slices + at] : coll->taken};
}

static void compare_sides(const struct type_finder *finder, struct coll_unlike *unlike, struct coll_side a,
                          struct coll_side b)
{
    if (!same_types(finder, a.signature, b.signature, fewer_bytes(a.bytes, b.bytes)))
        unlike->fault = COLL_TYPE;
    else if (a.bytes != b.bytes)
        unlike->fault = COLL_COUNT;
    unlike->side[0] = a;
    unlike->side[1] = b;
}

/* What one brings for the other, who takes it; `from` is the side of the one that brings. */
static void compare_flow(const struct type_finder *finder, struct coll_unlike *unlike, const struct coll_part *part[2],
                         int from)
{
    const struct coll_part *source = part[from], *target = part[1 - from];
    const struct op_coll *coll = op_tail(target->op);
    int64_t at;
    for (uint32_t nth = 0; coll->takes && !unlike->fault && (at = needed(coll, source->position, nth)) >= 0; nth++) {
        struct coll_side side[2];
        side[from] = brought(source->op, target->position, nth);
        side[1 - from] = taken(coll, at);
        compare_sides(finder, unlike, side[0], side[1]);
    }
    for (uint32_t nth = times_idle(coll, source->position); nth-- > 0 && !unlike->fault;) {
        struct coll_side side[2];
        side[from] = brought(source->op, target->position, nth);
        side[1 - from] = (struct coll_side){.takes = true};
        compare_sides(finder, unlike, side[0], side[1]);
    }
}

/* All vectors that are combined are alike. */
static void compare_vectors(const struct type_finder *finder, struct coll_unlike *unlike, const struct op *a,
                            const struct op *b)
{
    const struct op_coll *x = op_tail(a), *y = op_tail(b);
    struct coll_side left = {true, true, a->bytes, a->signature, x->reduction};
    struct coll_side right = {true, true, b->bytes, b->signature, y->reduction};
    if (x->slices && y->slices)
        compare_sides(finder, unlike, left, right);
    if (x->reduction != y->reduction)
        *unlike = (struct coll_unlike){COLL_OPERATOR, {left, right}};
}

/* Calls that meet on an intercommunicator which they make: of those who start ranks and who are started; of who accepts and connects. */
static int meeting_of_calls(uint16_t call)
{
    static const struct {
        enum call call;
        int meeting;
    } calls[] = {{CALL_Comm_spawn, 1}, {CALL_Comm_spawn_multiple, 1}, {CALL_Init, 1},
                 {CALL_Init_thread, 1}, {CALL_Comm_accept, 2},         {CALL_Comm_connect, 2}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].call == call)
            return calls[i].meeting;
    return 0;
}

bool agree_calls(uint16_t a, uint16_t b)
{
    return a == b || (meeting_of_calls(a) && meeting_of_calls(a) == meeting_of_calls(b));
}

struct coll_unlike agree_parts(const struct type_finder *finder, const struct coll_part *a, const struct coll_part *b)
{
    const struct op_coll *x = op_tail(a->op), *y = op_tail(b->op);
    const struct coll_part *part[2] = {a, b};
    struct coll_unlike unlike = {0};
    if (!agree_calls(a->op->call, b->op->call)) {
        unlike.fault = COLL_ORDER;
    } else if (other_root(a->op, b->op)) {
        unlike.fault = COLL_ROOT;
    } else if (x->reduction || y->reduction) {
        compare_vectors(finder, &unlike, a->op, b->op);
    } else {
        compare_flow(finder, &unlike, part, 0);
        compare_flow(finder, &unlike, part, 1);
    }
    return unlike;
}
