#include "shim/virtual/hearing.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include "arch/system_call.h"

static struct {
    struct wire_head *head;
    rank_t own;
    uint32_t listens; /* as it was last said */
} hearing;

static struct wire_channel *hearing_channel(rank_t r)
{
    return (struct wire_channel *)((char *)hearing.head + wire_channel_offset(r));
}

void hearing_open(struct wire_head *head, rank_t own)
{
    hearing.head = head;
    hearing.own = own;
}

static uint32_t listens_for(rank_t whom)
{
    return whom == RANK_ANY ? WIRE_LISTENS_FOR_ALL : WIRE_LISTENS_FOR + (uint32_t)whom;
}

void hearing_begin(rank_t whom)
{
    hearing.listens = listens_for(whom);
    atomic_store(&hearing_channel(hearing.own)->listens, hearing.listens);
    atomic_thread_fence(memory_order_seq_cst); /* and then it looks whether it was shown something meanwhile */
}

static int64_t now_in_nanoseconds(void)
{
    struct timespec t = {0};
    own_call(SYS_clock_gettime, (long)CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

bool hearing_sleep(const _Atomic uint32_t *turn, uint32_t answered)
{
    enum { SHORT = 30 * 1000 }; /* ns */
    _Atomic uint32_t *listens = &hearing_channel(hearing.own)->listens;
    int64_t since = now_in_nanoseconds();
    while (atomic_load(listens) == hearing.listens && atomic_load(turn) == answered)
        own_call(SYS_futex, listens, (long)FUTEX_WAIT, (long)hearing.listens, 0L, 0L, 0L);
    return now_in_nanoseconds() - since < SHORT;
}

bool hearing_end(void)
{
    return atomic_exchange(&hearing_channel(hearing.own)->listens, WIRE_LISTENS_NOT) == WIRE_LISTENS_CALLED;
}

bool hearing_call(rank_t r, rank_t as)
{
    _Atomic uint32_t *listens = &hearing_channel(r)->listens;
    uint32_t expected = listens_for(as);
    atomic_thread_fence(memory_order_seq_cst); /* what was shown comes before the look at whether it is waited for */
    if (atomic_load_explicit(listens, memory_order_relaxed) != expected)
        return false;
    atomic_fetch_add(&hearing.head->running, 1);
    if (!atomic_compare_exchange_strong(listens, &expected, WIRE_LISTENS_CALLED)) {
        atomic_fetch_sub(&hearing.head->running, 1);
        return false;
    }
    own_call(SYS_futex, listens, (long)FUTEX_WAKE, 1L, 0L, 0L, 0L);
    return true;
}
