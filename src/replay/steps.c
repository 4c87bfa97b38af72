/*
 * steps -- the way that a run went: what each rank did, in an order in which it can be done again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "call/dynamic.h"
#include "replay/replay.h"
#include "symbols/site.h"

static int by_node(const void *a, const void *b)
{
    const struct replay_stretch *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

static const struct trail *trail_of(const struct replay *replay, rank_t r)
{
    return &replay->run.account->trail[r];
}

/* It has no process. */
static bool is_registry_of(const struct result *result, rank_t r)
{
    return result->spawnable && r == dynamic_registry(result_all_ranks(result));
}

/* Nodes are numbered as they were run, so what one needs of others comes before it. */
static void list_stretches(struct replay *replay)
{
    for (rank_t r = 0; r < result_all_ranks(&replay->result); r++) {
        if (is_registry_of(&replay->result, r))
            continue;
        const struct trail *trail = trail_of(replay, r);
        uint32_t first = 0;
        for (size_t i = 0; i < trail->n; i++) {
            uint32_t count = run_view_history(&replay->run, trail->node[i]).count;
            bool whole = i + 1 < trail->n || trail->posted >= count;
            vec_push(&replay->stretches,
                     ((struct replay_stretch){trail->node[i], r, first, whole ? count : trail->posted, whole}));
            first += count;
        }
    }
    if (replay->stretches.n)
        qsort(replay->stretches.at, replay->stretches.n, sizeof *replay->stretches.at, by_node);
}

/* What a program does, as opposed to what tourney wants to know of it. */
static bool is_program_step(const struct op *op)
{
    if (op_is_dynamic(op) && op->tag < DYNAMIC_PORT)
        return false; /* how ranks are started, and names are kept */
    if (op_completes(op) && op->flags & OPF_EITHER)
        return false; /* the rank asks for its threads */
    switch (op_part(op)) {
    case OP_PART_LIFE:
    case OP_PART_POST:
    case OP_PART_COMPLETION:
    case OP_PART_PROBE:
    case OP_PART_CHOICE:
        return true;
    case OP_PART_ON_REQUEST:
        return op->kind == OP_CANCEL;
    case OP_PART_END:
        return op->kind != OP_CRASH;
    case OP_PART_NONE:
    case OP_PART_SETTING:
    case OP_PART_REMARK:
    case OP_PART_SERVICE:
        return false;
    }
    return false;
}

const struct op *replay_op(const struct replay *replay, const struct replay_stretch *stretch, uint32_t index)
{
    return run_view_nth_op(&replay->run, trail_of(replay, stretch->rank), stretch->first + index);
}

static struct site site_of_step(struct replay *replay, const struct replay_stretch *stretch, uint32_t index)
{
    struct final_state final = run_view_final_state(&replay->run);
    return site_of_op(&final, replay->symbols, stretch->rank, replay_op(replay, stretch, index),
                      stretch->first + index);
}

static void tell_step(struct replay *replay, uint32_t number, const struct replay_stretch *stretch, uint32_t index)
{
    struct site site = site_of_step(replay, stretch, index);
    printf("%6" PRIu32 "  rank %-4d %s  at %s\n", number, stretch->rank, site.text, site.place);
    site_release(&site);
}

/* Goes through the steps: all are told, or the one asked for is made the last.  Returns how many there are. */
static uint32_t go_through_steps(struct replay *replay, bool tell)
{
    uint32_t number = 0;
    for (size_t i = 0; i < replay->stretches.n; i++) {
        struct replay_stretch *stretch = &replay->stretches.at[i];
        for (uint32_t k = 0; k < stretch->ops; k++) {
            if (!is_program_step(replay_op(replay, stretch, k)))
                continue;
            number++;
            if (tell)
                tell_step(replay, number, stretch, k);
            if (number != replay->step)
                continue;
            stretch->whole = stretch->whole && k + 1 == stretch->ops;
            stretch->ops = k + 1;
            replay->stretches.n = i + 1;
            return number;
        }
    }
    return number;
}

void replay_find_steps(struct replay *replay)
{
    list_stretches(replay);
    for (size_t i = 0; i < replay->stretches.n; i++)
        for (uint32_t k = 0; k < replay->stretches.at[i].ops; k++)
            replay->steps += is_program_step(replay_op(replay, &replay->stretches.at[i], k));
}

void replay_list_steps(struct replay *replay)
{
    go_through_steps(replay, true);
}

void replay_tell_last_step(struct replay *replay)
{
    const struct replay_stretch *last = &vec_last(&replay->stretches);
    tell_step(replay, replay->step, last, last->ops - 1);
}

void replay_stop_at_step(struct replay *replay)
{
    if (replay->steps < replay->step)
        die("the run has %" PRIu32 " steps, not %" PRIu32, replay->steps, replay->step);
    go_through_steps(replay, false);
}
