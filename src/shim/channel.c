#include "shim/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Everything that changes with every call lies in the shared memory or here, in
 * a few words: two ranks that received the same messages should look the same.
 */
static struct {
    struct wire_head *head;
    struct wire_channel *own;
    char *arena;
    uint64_t posted;   /* as own->posted will be after the commit */
    uint32_t answered; /* answers taken so far */
    uint32_t grant;    /* polls to answer with no */
} channel;

static void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void wake_tourney(void)
{
    atomic_fetch_add(&channel.head->events, 1);
    syscall(SYS_futex, &channel.head->events, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Claims the rank: the first process below the launcher that starts MPI plays it. */
static const char *claim(void)
{
    static char why[80];
    int32_t nobody = 0;
    if (atomic_compare_exchange_strong(&channel.own->pid, &nobody, getpid()))
        return NULL;
    snprintf(why, sizeof why, "rank %d is already played by process %d", shim.rank, (int)nobody);
    return why;
}

const char *channel_open(const char *world)
{
    char path[64];
    if (sscanf(world, "%63[^:]:%d", path, &shim.rank) != 2)
        return WIRE_ENV " is damaged";
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return "tourney is gone";
    struct wire_head *head = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (head == MAP_FAILED || head->version != WIRE_VERSION) {
        close(fd);
        return "tourney and its library are of different versions";
    }
    size_t size = head->arena + WIRE_ARENA_SIZE;
    munmap(head, 4096);
    char *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    close(fd);
    if (base == MAP_FAILED)
        return "no address space for the shared memory";
    channel.head = (struct wire_head *)base;
    channel.own = (struct wire_channel *)(base + wire_channel_offset(shim.rank));
    channel.arena = base + channel.head->arena;
    shim.size = channel.head->ranks;
    return claim();
}

const struct wire_head *channel_head(void)
{
    return channel.head;
}

static void wait_for_room(size_t need)
{
    struct wire_channel *own = channel.own;
    while (channel.posted + need - atomic_load_explicit(&own->taken, memory_order_acquire) > WIRE_RING) {
        atomic_store(&own->full, 1);
        if (channel.posted + need - atomic_load(&own->taken) <= WIRE_RING) {
            atomic_store(&own->full, 0);
            return;
        }
        wake_tourney();
        futex_wait(&own->full, 1);
    }
}

/* A record is contiguous: what is left of the ring before its end is skipped. */
static void skip_to_start(size_t need)
{
    size_t left = WIRE_RING - channel.posted % WIRE_RING;
    if (left >= need)
        return;
    wait_for_room(left);
    struct op *skip = (struct op *)(channel.own->ring + channel.posted % WIRE_RING);
    skip->size = left;
    skip->kind = OP_NONE;
    channel.posted += left;
}

void *channel_begin(struct op *op, size_t tail)
{
    channel.grant = 0;
    op->size = op_round(sizeof *op + tail);
    if (!op->call)
        op->call = shim.call;
    op->place = (uintptr_t)shim.place;
    skip_to_start(op->size);
    wait_for_room(op->size);
    struct op *there = (struct op *)(channel.own->ring + channel.posted % WIRE_RING);
    *there = *op;
    channel.posted += op->size;
    return there + 1;
}

void channel_commit(void)
{
    atomic_store_explicit(&channel.own->posted, channel.posted, memory_order_release);
}

void channel_abandon(void)
{
    channel.posted = atomic_load(&channel.own->posted);
}

void channel_post(struct op *op, const void *tail, size_t size)
{
    void *to = channel_begin(op, size);
    if (size)
        memcpy(to, tail, size);
    channel_commit();
}

/*
 * The last rank to fall asleep wakes tourney: all are at rest then, and one
 * wake-up serves them all.
 */
const struct answer *channel_sleep(void)
{
    struct wire_channel *own = channel.own;
    channel_leave();
    while (atomic_load_explicit(&own->turn, memory_order_acquire) == channel.answered)
        futex_wait(&own->turn, channel.answered);
    channel.answered++;
    if (own->answer.kind == ANSWER_END) {
        fflush(NULL);
        _exit(0);
    }
    return &own->answer;
}

void channel_leave(void)
{
    if (atomic_fetch_sub(&channel.head->running, 1) == 1 || atomic_load(&channel.head->eager))
        wake_tourney();
}

bool channel_poll_is_no(void)
{
    if (channel.grant == 0)
        return false;
    channel.grant--;
    return true;
}

const struct answer *channel_sleep_polling(void)
{
    const struct answer *answer = channel_sleep();
    channel.grant = answer->flag ? 0 : answer->grant;
    return answer;
}

const struct completion *answer_completions(const struct answer *answer)
{
    return answer->payload ? arena_at(answer->payload) : (const void *)(answer + 1);
}

uint64_t arena_room(uint64_t bytes)
{
    struct op op = {.kind = OP_ROOM, .bytes = bytes};
    channel_post(&op, NULL, 0);
    return channel_sleep()->payload;
}

void *arena_at(uint64_t offset)
{
    return channel.arena + offset;
}

_Noreturn void channel_wait_for_the_end(void)
{
    for (;;)
        channel_sleep();
}
