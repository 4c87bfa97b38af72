/*
 * steps -- the way that a run went: what each rank did, in an order in which it can be done again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "command/replaying.h"
#include "report/site.h"

static int by_node(const void *a, const void *b)
{
    const struct leg *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

static const struct trail *trail_of(const struct replay *replay, rank_t r)
{
    return &replay->run.account->trail[r];
}

/* Nodes are numbered as they were run, so what one needs of others comes before it. */
static void list_legs(struct replay *replay)
{
    for (rank_t r = 0; r < replay->result.ranks; r++) {
        const struct trail *trail = trail_of(replay, r);
        uint32_t first = 0;
        for (size_t i = 0; i < trail->n; i++) {
            uint32_t count = explore_history(replay->run.explorer, trail->node[i]).count;
            bool whole = i + 1 < trail->n || trail->posted >= count;
            vec_push(&replay->legs,
                     ((struct leg){trail->node[i], r, first, whole ? count : trail->posted, whole}));
            first += count;
        }
    }
    if (replay->legs.n)
        qsort(replay->legs.at, replay->legs.n, sizeof *replay->legs.at, by_node);
}

/* What a program does, as opposed to what tourney wants to know of it. */
static bool is_step(const struct op *op)
{
    switch (op_part(op)) {
    case OP_PART_LIFE:
    case OP_PART_POST:
    case OP_PART_COMPLETION:
    case OP_PART_PROBE:
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

const struct op *replay_op(const struct replay *replay, const struct leg *leg, uint32_t index)
{
    return explore_nth_op(replay->run.explorer, trail_of(replay, leg->rank), leg->first + index);
}

static struct site site_of(struct replay *replay, const struct leg *leg, uint32_t index)
{
    struct final_state final = explored_final_state(&replay->run);
    return site_of_op(&final, replay->symbols, leg->rank, replay_op(replay, leg, index), leg->first + index);
}

static void tell_step(struct replay *replay, uint32_t number, const struct leg *leg, uint32_t index)
{
    struct site site = site_of(replay, leg, index);
    printf("%6" PRIu32 "  rank %-4d %s  at %s\n", number, leg->rank, site.text, site.place);
    site_release(&site);
}

/* Goes through the steps: all are told, or the one asked for is made the last.  Returns how many there are. */
static uint32_t go_through_steps(struct replay *replay, bool tell)
{
    uint32_t number = 0;
    for (size_t i = 0; i < replay->legs.n; i++) {
        struct leg *leg = &replay->legs.at[i];
        for (uint32_t k = 0; k < leg->ops; k++) {
            if (!is_step(replay_op(replay, leg, k)))
                continue;
            number++;
            if (tell)
                tell_step(replay, number, leg, k);
            if (number != replay->step)
                continue;
            leg->whole = leg->whole && k + 1 == leg->ops;
            leg->ops = k + 1;
            replay->legs.n = i + 1;
            return number;
        }
    }
    return number;
}

void replay_find_steps(struct replay *replay)
{
    list_legs(replay);
    for (size_t i = 0; i < replay->legs.n; i++)
        for (uint32_t k = 0; k < replay->legs.at[i].ops; k++)
            replay->steps += is_step(replay_op(replay, &replay->legs.at[i], k));
}

void replay_list_steps(struct replay *replay)
{
    go_through_steps(replay, true);
}

void replay_tell_last_step(struct replay *replay)
{
    const struct leg *last = &vec_last(&replay->legs);
    tell_step(replay, replay->step, last, last->ops - 1);
}

void replay_stop_at_step(struct replay *replay)
{
    if (replay->steps < replay->step)
        die("the run has %" PRIu32 " steps, not %" PRIu32, replay->steps, replay->step);
    go_through_steps(replay, false);
}
