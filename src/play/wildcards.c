#include "play/wildcards.h"

#include "call/round_robin.h"

void wildcards_note(struct play *play, rank_t r, rank_t source)
{
    play->player[r].last_source = 1 + (uint32_t)source;
}

static rank_t source_of(const struct play *play, op_id send)
{
    return sem_view(play->sem, send).owner;
}

/* Of the first `n` choices, the one whose source has its turn first. */
static op_id first_by_turn(const struct play *play, uint32_t last_source, int n)
{
    op_id first = play->choices[0];
    for (int i = 1; i < n; i++)
        if (round_robin_precedes(last_source, source_of(play, play->choices[i]), source_of(play, first)))
            first = play->choices[i];
    return first;
}

/* The first request that its call lacks is a receive from that rank.  Ranks ask for no more than this when they look at each other. */
static bool waits_for_message_of(const struct play *play, rank_t r, rank_t sender)
{
    const struct played_rank *p = &play->player[r];
    bool for_all = p->call.kind == OP_RECV || (p->call.kind == OP_WAIT && !(p->call.flags & (OPF_ANY | OPF_SOME | OPF_EITHER)));
    if (p->mode != PLAYER_WAITS || !for_all)
        return false;
    for (size_t i = 0; i < p->list.n; i++) {
        struct sem_view view = sem_view(play->sem, item_at(play, *slot_at(play, r, p->list.at[i]))->id);
        if (!view.complete)
            return view.kind == SEM_RECV && view.peer == sender;
    }
    return false;
}

static bool can_send_nothing_before(const struct play *play, rank_t r, rank_t receiver)
{
    const struct rank *rank = world_rank(play->world, r);
    return r == receiver || rank->left || rank->life == LIFE_GONE || waits_for_message_of(play, r, receiver);
}

static bool is_certain(const struct play *play, rank_t receiver, rank_t source)
{
    uint32_t last_source = play->player[receiver].last_source;
    for (int n = 0; n < play->ranks; n++) {
        rank_t r = round_robin_turn(last_source, n, play->ranks);
        if (r == source)
            return true;
        if (!can_send_nothing_before(play, r, receiver))
            return false;
    }
    return false;
}

bool wildcards_choose(struct play *play, bool certain, struct match *match)
{
    for (rank_t r = 0; r < play->ranks; r++) {
        op_id recv = sem_open_wildcard(play->sem, r);
        if (!recv)
            continue;
        int n = sem_choices(play->sem, recv, play->choices);
        op_id send = first_by_turn(play, play->player[r].last_source, n);
        if (certain && !is_certain(play, r, source_of(play, send)))
            continue;
        wildcards_note(play, r, source_of(play, send));
        *match = (struct match){send, recv};
        return true;
    }
    return false;
}

op_id wildcards_probe(struct play *play, rank_t r, int n)
{
    struct played_rank *p = &play->player[r];
    for (int i = 0; i < n; i++)
        if (source_of(play, play->choices[i]) == p->probed.source && item_at(play, item_of(play, play->choices[i]))->nth == p->probed.nth)
            return play->choices[i];
    if (p->probed.nth)
        wildcards_note(play, r, p->probed.source);
    op_id seen = first_by_turn(play, play->player[r].last_source, n);
    p->probed.source = source_of(play, seen);
    p->probed.nth = item_at(play, item_of(play, seen))->nth;
    return seen;
}
