#include "world/reader.h"

#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

bool reader_has_news(const struct memory *memory, int channel, uint64_t taken)
{
    return atomic_load_explicit(&memory_channel(memory, channel)->posted, memory_order_acquire) != taken;
}

const struct op *reader_peek(const struct memory *memory, int channel, uint64_t *taken)
{
    while (reader_has_news(memory, channel, *taken)) {
        const struct op *op = (const struct op *)(memory_channel(memory, channel)->ring + *taken % WIRE_RING);
        if (op->kind != OP_NONE)
            return op;
        *taken += op->size;
    }
    return NULL;
}

void reader_take(const struct memory *memory, int channel, uint64_t *taken)
{
    struct wire_channel *c = memory_channel(memory, channel);
    *taken += ((const struct op *)(c->ring + *taken % WIRE_RING))->size;
    atomic_store(&c->taken, *taken);
    if (atomic_load(&c->full)) {
        atomic_store(&c->full, 0);
        wake(&c->full);
    }
}

void reader_answer(const struct memory *memory, int channel, struct answer answer, const void *completions,
                   size_t bytes)
{
    struct wire_channel *c = memory_channel(memory, channel);
    c->answer = answer;
    if (bytes)
        memcpy(answer.payload ? arena_at(memory, answer.payload) : (void *)(&c->answer + 1), completions, bytes);
    atomic_fetch_add_explicit(&c->turn, 1, memory_order_release);
    wake(&c->turn);
}

const struct wire_sleep *reader_sleep(const struct memory *memory, int channel)
{
    enum { PATIENCE = 10 }; /* seconds */
    struct wire_channel *c = memory_channel(memory, channel);
    time_t start = time(NULL);
    while (atomic_load(&c->rests) != atomic_load(&c->turn) + 1) {
        if (time(NULL) - start > PATIENCE)
            return NULL;
        sched_yield(); /* nobody wakes us up for it: it may be the same core that it needs */
    }
    return &c->sleep;
}
