#include "diagnosis/run_view.h"

#include <inttypes.h>
#include <string.h>

#include "call/dynamic.h"
#include "call/operators.h"
#include "drive/drive.h"
#include "explore/explore.h"
#include "words/text.h"

struct history run_view_history(const struct run_view *view, node_id node)
{
    return explore_history(view->explorer, node);
}

const struct op *run_view_nth_op(const struct run_view *view, const struct trail *trail, uint32_t number)
{
    return explore_nth_op(view->explorer, trail, number);
}

static struct history history_at_end(const struct run_view *view, rank_t r)
{
    return run_view_history(view, view->run->node[r]);
}

const struct account *run_view_account(struct run_view *view)
{
    if (!view->account)
        view->account = explore_account(view->explorer, view->run);
    return view->account;
}

const struct op *run_view_last_op(const struct run_view *view, rank_t r)
{
    if (view->run->call[r])
        return view->run->call[r];
    struct history history = history_at_end(view, r);
    const struct op *op = history.ops;
    for (uint32_t i = 1; i < history.count; i++)
        op = op_next(op);
    return history.count ? op : NULL;
}

int64_t run_view_last_number(struct run_view *view, rank_t r)
{
    const struct trail *trail = &run_view_account(view)->trail[r];
    int64_t count = trail->posted;
    for (size_t i = 0; i + 1 < trail->n; i++)
        count += explore_history(view->explorer, trail->node[i]).count;
    return count - 1;
}

int64_t run_view_number(struct run_view *view, rank_t r, const struct op *wanted)
{
    const struct trail *trail = &run_view_account(view)->trail[r];
    int64_t number = 0, found = -1;
    for (size_t n = 0; n < trail->n; n++) {
        struct history history = explore_history(view->explorer, trail->node[n]);
        const struct op *op = history.ops;
        uint32_t count = n + 1 == trail->n ? trail->posted : history.count;
        for (uint32_t i = 0; i < count; i++, number++, op = op_next(op))
            if (op == wanted)
                found = number;
    }
    return found;
}

bool run_view_is_unborn(const struct run_view *view, rank_t r)
{
    const struct op *last = run_view_last_op(view, r);
    return last && op_awaits_birth(last);
}

static enum rank_stand stand_in_run(void *data, rank_t r, int *exit_code)
{
    const struct run_view *view = data;
    struct history history = history_at_end(view, r);
    *exit_code = history.code;
    if (view->run->call[r])
        return RANK_IN_CALL;
    if (run_view_is_unborn(view, r))
        return RANK_UNBORN;
    if (history.end != SEGMENT_EXIT)
        return RANK_COMPUTING;
    return history.finished || !history.started ? RANK_FINALIZED : RANK_EXITED;
}

static const struct op *call_in_run(void *data, rank_t r)
{
    return run_view_last_op(data, r);
}

static const struct op *op_in_run(void *data, op_id id)
{
    const struct run_view *view = data;
    rank_t rank;
    return explore_op(view->explorer, sem_view(view->run->sem, id).user, &rank);
}

static const char *context_name_in_run(void *data, context_t context)
{
    struct run_view *view = data;
    const struct op *op = NULL;
    run_view_account(view);
    for (rank_t r = 0; r < view->ranks && !op; r++)
        op = explore_naming(view->explorer, r, OP_CONTEXT_NAME, context);
    return op ? op_tail(op) : NULL;
}

static const char *type_name_in_run(void *data, rank_t r, uint32_t type)
{
    struct run_view *view = data;
    run_view_account(view);
    const struct op *op = explore_naming(view->explorer, r, OP_TYPE, type);
    return op ? op_tail(op) : NULL;
}

/* The first node at which it has a process; one that is started by others waits for that at first. */
static node_id first_node_of_process(struct run_view *view, rank_t r)
{
    const struct trail *trail = &run_view_account(view)->trail[r];
    return trail->node[trail->n > 1 && run_view_program(view, r) ? 1 : 0];
}

uint64_t run_view_program(struct run_view *view, rank_t r)
{
    const struct trail *trail = &run_view_account(view)->trail[r];
    const struct op *first = explore_history(view->explorer, trail->node[0]).ops;
    return first && op_awaits_birth(first) ? (uint64_t)r + 1 : 0;
}

static pid_t asleep(struct run_view *view, rank_t r)
{
    const struct trail *trail = &run_view_account(view)->trail[r];
    enum segment_end end = explore_history(view->explorer, trail->node[trail->n - 1]).end;
    bool first = trail->n == 1 && end != SEGMENT_EXIT; /* kept whatever became of it */
    if (first || end == SEGMENT_CALL)
        return drive_process(view->drive, trail->node[trail->n - 1]);
    return trail->n > 1 ? drive_process(view->drive, trail->node[trail->n - 2]) : 0;
}

/*
 * One asleep in a call of this rank, or else of another: the program is loaded at
 * the same addresses.  Or one that was used before and is known still.
 */
static pid_t process_in_run(void *data, rank_t r)
{
    struct run_view *view = data;
    if (!view->drive)
        return view->process;
    pid_t found = asleep(view, r);
    if (run_view_program(view, r))
        return found;
    for (rank_t other = 0; !found && other < view->ranks && !run_view_program(view, other); other++)
        found = asleep(view, other);
    view->process = found ? found : view->process;
    return view->process;
}

/* A rank sleeps in its first call as long as the search goes on: to ask it costs nothing. */
static pid_t at_hand(void *data, rank_t r)
{
    struct run_view *view = data;
    return view->drive ? drive_sleeper(view->drive, first_node_of_process(view, r)) : 0;
}

static bool has_chosen_in_run(void *data, rank_t r)
{
    const struct account *account = run_view_account(data);
    for (size_t i = 0; i < account->decisions; i++)
        if (account->decision[i].rank == r)
            return true;
    return false;
}

static const struct op *init_in_run(void *data, rank_t r)
{
    struct run_view *view = data;
    struct history history = explore_history(view->explorer, first_node_of_process(view, r));
    const struct op *op = history.ops;
    for (uint32_t i = 0; i < history.count; i++, op = op_next(op))
        if (op->kind == OP_INIT)
            return op;
    return NULL;
}

struct final_state run_view_final_state(struct run_view *view)
{
    return (struct final_state){.data = view,
                                .sem = view->run ? view->run->sem : NULL,
                                .ranks = view->ranks,
                                .stand = stand_in_run,
                                .call = call_in_run,
                                .op = op_in_run,
                                .context_name = context_name_in_run,
                                .type_name = type_name_in_run,
                                .process = process_in_run,
                                .at_hand = at_hand,
                                .has_chosen = has_chosen_in_run,
                                .init = init_in_run};
}

/* "brings 3 MPI_INT" */
static char *describe_coll_side(const struct explorer *x, enum coll_fault fault, const struct coll_side *side)
{
    const struct op *type = side->signature ? explore_type(x, side->signature) : NULL;
    const char *does = side->brings && side->takes ? "combines" : side->brings ? "brings" : "takes";
    struct text text;
    if (fault != COLL_OPERATOR && fault != COLL_COUNT && fault != COLL_TYPE)
        return NULL;
    text_open(&text);
    if (fault == COLL_OPERATOR)
        fprintf(text.out, "combines with %s", operator_name(side->reduction));
    else if (type && type->bytes && side->bytes % type->bytes == 0 && *(const char *)op_tail(type))
        fprintf(text.out, "%s %" PRIu64 " %s", does, side->bytes / type->bytes, (const char *)op_tail(type));
    else
        fprintf(text.out, "%s %" PRIu64 " bytes", does, side->bytes);
    return text_close(&text);
}

struct outcome run_view_outcome(const struct run_view *view)
{
    const struct run *run = view->run;
    struct outcome outcome = {.kind = run->end, .rank = run->rank, .other = run->other,
                              .tight = run->less_slack != NULL, .mixed = run->mixed};
    const struct op *op = run->rank < 0 ? NULL : run->op ? run->op : run_view_last_op(view, run->rank);
    if (run->rank >= 0)
        outcome.code = history_at_end(view, run->rank).code;
    if (!op)
        return outcome;
    outcome.op = *op;
    if (op->kind == OP_ERROR || op->kind == OP_REFUSED)
        outcome.text = strndup(op_tail(op), op_tail_size(op));
    if (op->kind == OP_CRASH)
        for (uint32_t i = 0; i < op->items; i++)
            vec_push(&outcome.stack, ((const uint64_t *)op_tail(op))[i]);
    if (run->end == RUN_MISMATCH) {
        outcome.other_op = *run->other_op;
        outcome.fault = run->unlike.fault;
        for (int i = 0; i < 2; i++)
            outcome.says[i] = describe_coll_side(view->explorer, outcome.fault, &run->unlike.side[i]);
    }
    return outcome;
}
