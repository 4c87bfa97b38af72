#include "play/tickets.h"

#include "call/shown_lock.h"
#include "call/window.h"
#include "play/keepers.h"

static bool is_lock(const struct play *play, rank_t keeper)
{
    return keeper >= play->all_ranks && keeper_is_lock(play->all_ranks, keeper);
}

static _Atomic uint64_t *lock_word(const struct play *play, rank_t keeper)
{
    struct wire_channel *channel =
        memory_channel(world_memory(play->world), keeper_owner(play->all_ranks, keeper));
    return &channel->window_locks[window_share(keeper_slot(play->all_ranks, keeper))];
}

/* Grants that were followed so far. */
static uint32_t *followed_grants(struct play *play, rank_t keeper)
{
    size_t index = (size_t)(keeper - play->all_ranks);
    while (play->grants.n <= index)
        vec_push(&play->grants, 0);
    return &play->grants.at[index];
}

static uint32_t known_grants(const struct play *play, rank_t keeper)
{
    size_t index = (size_t)(keeper - play->all_ranks);
    return index < play->grants.n ? play->grants.at[index] : 0;
}

void tickets_stir(struct play *play, rank_t keeper)
{
    if (is_lock(play, keeper))
        vec_push(&play->stirred, keeper);
}

void tickets_note_taken(struct play *play, rank_t keeper, const struct op *op)
{
    if (!op->ticket || !is_lock(play, keeper))
        return;
    if (!window_op_releases(op))
        ++*followed_grants(play, keeper);
    else if (ticket_waits(op->ticket))
        atomic_fetch_sub(lock_word(play, keeper), shown_lock_share(op->ticket & TICKET_ALONE));
    tickets_stir(play, keeper);
}

static bool is_settled_by_ranks(const struct play *play, rank_t keeper, const struct op *op)
{
    if (window_op_releases(op))
        return op->ticket;
    return ticket_is_granted(op->ticket) && (uint32_t)op->ticket == known_grants(play, keeper) + 1;
}

static bool next_at_lock(struct play *play, rank_t keeper, struct match *match)
{
    op_id recv = sem_open_wildcard(play->sem, keeper);
    int n = recv ? sem_choices(play->sem, recv, play->choices) : 0;
    for (int i = 0; i < n; i++)
        if (is_settled_by_ranks(play, keeper, play_op(play, play->choices[i]))) {
            *match = (struct match){play->choices[i], recv};
            return true;
        }
    return false;
}

bool tickets_next(struct play *play, struct match *match)
{
    while (play->stirred.n) {
        if (next_at_lock(play, vec_last(&play->stirred), match))
            return true;
        play->stirred.n--;
    }
    return false;
}

/* Before all grants that ranks know of were followed, it is not known who has the lock. */
static bool word_admits(const struct play *play, rank_t keeper, const struct op *op, uint64_t word)
{
    return shown_lock_grants(word) == known_grants(play, keeper) && shown_lock_admits(word, op->tag == WINDOW_EXCLUSIVE);
}

static bool waits_for_lock(const struct play *play, rank_t keeper, const struct op *op)
{
    return is_lock(play, keeper) && op->ticket && !window_op_releases(op);
}

bool tickets_admit(const struct play *play, rank_t keeper, const struct op *op)
{
    if (!waits_for_lock(play, keeper, op))
        return true;
    return ticket_waits(op->ticket) ? word_admits(play, keeper, op, atomic_load(lock_word(play, keeper)))
                                    : is_settled_by_ranks(play, keeper, op);
}

bool tickets_grant(struct play *play, rank_t keeper, const struct op *op)
{
    if (!waits_for_lock(play, keeper, op) || ticket_is_granted(op->ticket))
        return true;
    _Atomic uint64_t *word = lock_word(play, keeper);
    uint64_t now = atomic_load(word);
    while (word_admits(play, keeper, op, now))
        if (atomic_compare_exchange_weak(word, &now, shown_lock_granted(now, op->tag == WINDOW_EXCLUSIVE) - SHOWN_LOCK_WAITER))
            return true;
    return false;
}

void tickets_release(struct play *play)
{
    vec_release(&play->grants);
    vec_release(&play->stirred);
}
