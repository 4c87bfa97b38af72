#include "report/explored.h"

#include <stdlib.h>
#include <string.h>

#include "call/calls.h"
#include "play/play.h"
#include "report/describe.h"
#include "report/outcome.h"
#include "report/scene.h"

static struct history end_of(const struct explored *e, rank_t r)
{
    return explore_history(e->explorer, e->run->node[r]);
}

static const struct op *last_op(const struct history *history)
{
    const struct op *op = history->ops;
    for (uint32_t i = 1; i < history->count; i++)
        op = op_next(op);
    return history->count ? op : NULL;
}

static const struct account *account(const struct explored *e)
{
    return explore_account(e->explorer, e->run);
}

/* The last operation in a rank's history that is of a kind and fits; NULL: none. */
static const struct op *find_back(const struct explored *e, rank_t r, enum op_kind kind,
                                  bool (*fits)(const struct op *, uint64_t), uint64_t wanted)
{
    const struct trail *trail = &account(e)->trail[r];
    for (size_t n = trail->n; n-- > 0;) {
        struct history history = explore_history(e->explorer, trail->node[n]);
        const struct op *op = history.ops, *found = NULL;
        for (uint32_t i = 0; i < history.count; i++, op = op_next(op))
            if (op->kind == kind && fits(op, wanted))
                found = op;
        if (found)
            return found;
    }
    return NULL;
}

static bool is_context(const struct op *op, uint64_t context)
{
    return op->context == context;
}

static bool is_type(const struct op *op, uint64_t type)
{
    return op->type == type;
}

static enum fate fate(void *data, rank_t r, int *exit_code)
{
    struct history history = end_of(data, r);
    *exit_code = history.code;
    if (history.end == SEGMENT_CALL)
        return FATE_IN_CALL;
    if (history.end != SEGMENT_EXIT)
        return FATE_ELSEWHERE;
    return history.finished || !history.started ? FATE_FINALIZED : FATE_ENDED;
}

static const struct op *call(void *data, rank_t r)
{
    struct history history = end_of(data, r);
    return last_op(&history);
}

static const struct op *posted(void *data, op_id id)
{
    const struct explored *e = data;
    rank_t rank;
    return explore_op(e->explorer, sem_view(e->run->sem, id).user, &rank);
}

static const char *context_name(void *data, context_t context)
{
    const struct explored *e = data;
    const rank_t *member;
    if (!sem_has_context(e->run->sem, context))
        return NULL;
    int n = sem_members(e->run->sem, context, &member);
    for (int i = 0; i < n; i++) {
        const struct op *op = find_back(e, member[i], OP_CONTEXT_NAME, is_context, context);
        if (op)
            return op_tail(op);
    }
    return NULL;
}

static const char *type_name(void *data, rank_t r, uint32_t type)
{
    const struct op *op = find_back(data, r, OP_TYPE, is_type, type);
    return op ? op_tail(op) : NULL;
}

static pid_t asleep(const struct explored *e, rank_t r)
{
    const struct trail *trail = &account(e)->trail[r];
    struct history history = end_of(e, r);
    bool first = trail->n == 1 && history.end != SEGMENT_EXIT; /* kept whatever became of it */
    if (first || history.end == SEGMENT_CALL)
        return drive_process(e->drive, e->run->node[r]);
    return trail->n > 1 ? drive_process(e->drive, trail->node[trail->n - 2]) : 0;
}

/* One asleep in a call of this rank, or else of another: the program is loaded at the same addresses. */
static pid_t process(void *data, rank_t r)
{
    const struct explored *e = data;
    pid_t found = asleep(e, r);
    for (rank_t other = 0; !found && other < e->ranks; other++)
        found = asleep(e, other);
    return found;
}

static struct scene scene_of(struct explored *e)
{
    struct scene scene = {.data = e,
                          .sem = e->run->sem,
                          .ranks = e->ranks,
                          .fate = fate,
                          .call = call,
                          .op = posted,
                          .context_name = context_name,
                          .type_name = type_name,
                          .process = process};
    return scene;
}

static struct outcome outcome_of(struct explored *e)
{
    static const enum outcome_kind kinds[] = {
        [RUN_CLEAN] = OUTCOME_ENDED,     [RUN_DEADLOCK] = OUTCOME_DEADLOCK, [RUN_LIVELOCK] = OUTCOME_LIVELOCK,
        [RUN_ABORT] = OUTCOME_ABORT,     [RUN_ERROR] = OUTCOME_ERROR,       [RUN_REFUSED] = OUTCOME_REFUSED,
        [RUN_CRASH] = OUTCOME_CRASH,     [RUN_HUNG] = OUTCOME_HANG,         [RUN_DIVERGED] = OUTCOME_STOPPED,
        [RUN_MISMATCH] = OUTCOME_MISMATCH,
    };
    const struct run *run = e->run;
    struct outcome outcome = {.kind = kinds[run->end], .rank = run->rank, .other = run->other};
    if (run->rank < 0)
        return outcome;
    struct history history = end_of(e, run->rank);
    const struct op *op = last_op(&history);
    outcome.code = history.code;
    if (!op)
        return outcome;
    outcome.op = *op;
    if (op->kind == OP_ERROR || op->kind == OP_REFUSED)
        outcome.text = strndup(op_tail(op), op_tail_size(op));
    if (op->kind == OP_CRASH)
        for (uint32_t i = 0; i < op->items; i++)
            vec_push(&outcome.stack, ((const uint64_t *)op_tail(op))[i]);
    if (run->end == RUN_MISMATCH)
        outcome.other_op = *call(e, run->other);
    return outcome;
}

static void put_set(FILE *out, const struct op *call, uint64_t set)
{
    const char *joint = " ";
    if (!(call->flags & (OPF_ANY | OPF_SOME)) || set == UINT64_MAX) {
        fputs("says yes\n", out);
        return;
    }
    fputs("returns of its requests, counted from 0,", out);
    for (int i = 0; i < 64; i++)
        if (set >> i & 1) {
            fprintf(out, "%s%d", joint, i);
            joint = ", ";
        }
    fputc('\n', out);
}

static void put_decision(struct explored *e, const struct scene *scene, const struct decision *d)
{
    char text[512];
    const struct op *op = explore_nth_op(e->explorer, &account(e)->trail[d->rank], d->op);
    struct trace_place place = {0};
    fputs("  rank ", e->out);
    fprintf(e->out, "%-4d ", d->rank);
    describe_op(e->out, scene, d->rank, op);
    symbols_place(e->symbols, process(e, d->rank), op->place, &place);
    fprintf(e->out, "  at %s\n            ", trace_place_format(&place, text, sizeof text));
    switch (d->kind) {
    case DECIDED_MATCH:
        fprintf(e->out, "takes the message of rank %d\n", d->source);
        break;
    case DECIDED_SEEN:
        fprintf(e->out, "sees the message of rank %d\n", d->source);
        break;
    case DECIDED_SOME:
        put_set(e->out, op, d->set);
        break;
    case DECIDED_CANCEL:
        fputs("cancels in time\n", e->out);
        break;
    case DECIDED_NO:
        fputs("says no\n", e->out);
        break;
    }
}

static void put_decisions(struct explored *e, const struct scene *scene)
{
    enum { SHOWN = 12 };
    size_t n = account(e)->decisions;
    if (n == 0)
        return;
    fputs("  in the run in which\n", e->out);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        put_decision(e, scene, &account(e)->decision[i]);
    if (n > SHOWN)
        fprintf(e->out, "  and %zu decisions more\n", n - SHOWN);
}

static void stir(uint64_t *sum, uint64_t value)
{
    *sum = (*sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *sum ^= *sum >> 32;
}

/* The last operation of a rank that hangs is its stack; this is the one before. */
static const struct op *call_before_hang(const struct explored *e, rank_t r)
{
    const struct trail *trail = &account(e)->trail[r];
    struct history history = end_of(e, r);
    if (history.count == 1 && trail->n > 1)
        history = explore_history(e->explorer, trail->node[trail->n - 2]);
    else
        history.count--;
    return last_op(&history);
}

/* Where a rank ended: the place of its last call. */
static uint64_t place_of_end(const struct explored *e, rank_t r)
{
    struct history history = end_of(e, r);
    const struct op *op = history.end == SEGMENT_HUNG ? call_before_hang(e, r) : last_op(&history);
    return history.end != SEGMENT_EXIT && op ? op->place : 0;
}

/* What makes two runs the same finding: how they end, and the places where ranks are. */
static uint64_t signature(struct explored *e)
{
    uint64_t sum = e->run->end + 1;
    stir(&sum, (uint32_t)e->run->rank);
    for (rank_t r = 0; r < e->ranks; r++) {
        bool matters = e->run->rank < 0 || e->run->rank == r;
        stir(&sum, matters ? end_of(e, r).end : 0);
        stir(&sum, matters ? place_of_end(e, r) : 0);
    }
    return sum;
}

static bool is_new(struct findings *findings, struct map_key key)
{
    uint32_t known;
    if (map_get(&findings->seen, key, &known))
        return false;
    map_put(&findings->seen, key, ++findings->count);
    return true;
}

/* A run in which every rank has ended can still have gone wrong. */
static bool put_bad_exit(struct explored *e)
{
    bool bad = false;
    for (rank_t r = 0; r < e->ranks && !bad; r++) {
        int code;
        enum fate how = fate(e, r, &code);
        bad = how == FATE_ENDED || code != 0;
        if (!bad || !is_new(e->findings, map_key2(r + 1, (uint64_t)code << 8 | how)))
            continue;
        if (how == FATE_ENDED)
            fprintf(e->out, "tourney: rank %d ended without MPI_Finalize, exit code %d\n", r, code);
        else
            fprintf(e->out, "tourney: rank %d ended with exit code %d\n", r, code);
        struct scene scene = scene_of(e);
        put_decisions(e, &scene);
    }
    return bad;
}

static void put_run(struct explored *e)
{
    if (!is_new(e->findings, map_key(signature(e))))
        return;
    struct scene scene = scene_of(e);
    struct outcome outcome = outcome_of(e);
    if (e->run->end == RUN_DIVERGED)
        fprintf(e->out, "tourney: rank %d does not do the same when it is run again: nothing can be said of it\n",
                outcome.code);
    else
        report_outcome(e->out, &scene, &outcome, e->symbols);
    put_decisions(e, &scene);
    outcome_release(&outcome);
}

enum visit explored_visit(void *data, const struct run *run)
{
    struct explored *e = data;
    e->run = run;
    for (rank_t r = 0; r < e->ranks && !e->is_mpi; r++)
        e->is_mpi = end_of(e, r).started;
    bool bad = run->end == RUN_CLEAN ? put_bad_exit(e) : (put_run(e), true);
    e->bad_runs += bad;
    e->refused = e->refused || run->end == RUN_REFUSED;
    e->run = NULL;
    fflush(e->out);
    return bad && e->stop_first ? VISIT_STOP : bad ? VISIT_BAD : VISIT_GOOD;
}

void findings_release(struct findings *findings)
{
    map_release(&findings->seen);
}
