#include "shim/virtual/window_locks.h"

#include <sys/syscall.h>

#include "arch/system_call.h"

enum { PATIENCE = 8 }; /* times that others get the processor before this rank waits for tourney */

static struct wire_head *head;

void window_locks_open(struct wire_head *shown_head)
{
    head = shown_head;
}

bool window_lock_is_shown(uint32_t slot, const rank_t *ranks, int n)
{
    bool shown = head && slot < WINDOW_SHARES;
    for (int i = 0; i < n && shown; i++)
        shown = ranks[i] < head->first_ranks;
    return shown;
}

static _Atomic uint64_t *word_at(rank_t owner, uint32_t slot)
{
    struct wire_channel *channel = (struct wire_channel *)((char *)head + wire_channel_offset(owner));
    return &channel->window_locks[slot];
}

/* Who comes later does not overtake those who wait. */
static bool take_free_lock(_Atomic uint64_t *word, bool alone, uint64_t *now)
{
    *now = atomic_load(word);
    while (shown_lock_admits(*now, alone) && !(*now & SHOWN_LOCK_WAITERS))
        if (atomic_compare_exchange_weak(word, now, shown_lock_granted(*now, alone)))
            return true;
    return false;
}

uint64_t window_lock_obtain(rank_t owner, uint32_t slot, bool alone)
{
    _Atomic uint64_t *word = word_at(owner, slot);
    uint64_t before;
    bool taken = take_free_lock(word, alone, &before);
    for (int left = PATIENCE; left > 0 && !taken && !(before & SHOWN_LOCK_WAITERS); left--) {
        system_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        taken = take_free_lock(word, alone, &before);
    }
    if (taken)
        return TICKET_GRANTED | (uint32_t)(shown_lock_grants(before) + 1);
    atomic_fetch_add(word, SHOWN_LOCK_WAITER);
    return TICKET_WAITS;
}

void window_lock_give_back(rank_t owner, uint32_t slot, bool alone)
{
    atomic_fetch_sub(word_at(owner, slot), shown_lock_share(alone));
}
