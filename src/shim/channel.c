#include "shim/channel.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GRANTS = 8 };

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
    struct {
        uint64_t key;
        uint32_t left;
    } grant[GRANTS];   /* polls to answer with no, and how often */
    uint32_t grants;   /* ever noted since something else was posted */
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
    int number;
    if (sscanf(world, "%63[^:]:%d:%d", path, &number, &shim.rank) != 3)
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
    channel.own = (struct wire_channel *)(base + wire_channel_offset(number));
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
    if (!op_is_poll(op))
        channel.grants = 0;
    op->size = op_round(sizeof *op + tail);
    if (!op->call)
        op->call = shim.call;
    op->place = (uintptr_t)shim.place;
    skip_to_start(op->size);
    wait_for_room(op->size);
    struct op *there = (struct op *)(channel.own->ring + channel.posted % WIRE_RING);
    *(uint64_t *)((char *)there + op->size - sizeof(uint64_t)) = 0; /* records are compared, up to their last byte */
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

static const struct answer *next_answer(void)
{
    struct wire_channel *own = channel.own;
    while (atomic_load_explicit(&own->turn, memory_order_acquire) == channel.answered)
        futex_wait(&own->turn, channel.answered);
    channel.answered++;
    return &own->answer;
}

/* What was printed so far is shown, in Fortran too. */
static void flush_output(void)
{
    void (*flush_units)(const int *) = (void (*)(const int *))dlsym(RTLD_DEFAULT, "_gfortran_flush_i4");
    if (flush_units)
        flush_units(NULL);
    fflush(NULL);
}

static _Noreturn void leave(void)
{
    flush_output();
    _exit(0);
}

/*
 * A copy of this process that is a child of the same parent, so that tourney hears
 * of its end.  The C library keeps the thread's number where the kernel clears it.
 */
static pid_t clone_sibling(void)
{
    void *thread_number = NULL;
    prctl(PR_GET_TID_ADDRESS, &thread_number);
    return syscall(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, NULL, NULL,
                   thread_number, NULL);
}

/*
 * The copy finds itself asleep in the same call, on a channel of its own.  What
 * was printed before belongs to the original.
 */
static void make_copy(uint64_t number)
{
    flush_output();
    struct wire_channel *other = (struct wire_channel *)((char *)channel.head + wire_channel_offset(number));
    pid_t pid = shim_can_be_copied() ? clone_sibling() : -1;
    if (pid != 0) {
        atomic_store(&other->pid, pid); /* -1: tourney sees that there is none */
        wake_tourney();
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    shim.copy = true;
    channel.own = other;
    channel.posted = channel.answered = 0;
}

/*
 * The last rank to fall asleep wakes tourney: all are at rest then, and one
 * wake-up serves them all.
 */
const struct answer *channel_sleep(void)
{
    channel_leave();
    for (;;) {
        const struct answer *answer = next_answer();
        if (answer->kind == ANSWER_END)
            leave();
        if (answer->kind != ANSWER_COPY)
            return answer;
        make_copy(answer->payload);
    }
}

void channel_leave(void)
{
    if (atomic_fetch_sub(&channel.head->running, 1) == 1 || atomic_load(&channel.head->eager))
        wake_tourney();
}

uint64_t channel_poll_key(const struct op *op, const void *tail, size_t size)
{
    const uint64_t asked[] = {op->kind | (uint64_t)op->flags << 32, (uint32_t)op->peer | (uint64_t)op->tag << 32,
                              op->context};
    uint64_t key = 1;
    for (int i = 0; i < 3; i++)
        key = (key ^ asked[i]) * UINT64_C(0x9e3779b97f4a7c15), key ^= key >> 32;
    for (size_t i = 0; i < size; i++)
        key = (key ^ ((const unsigned char *)tail)[i]) * UINT64_C(0x100000001b3);
    return key;
}

static uint32_t *find_grant(uint64_t key)
{
    for (uint32_t i = 0; i < channel.grants && i < GRANTS; i++)
        if (channel.grant[i].key == key)
            return &channel.grant[i].left;
    return NULL;
}

bool channel_poll_is_no(uint64_t key)
{
    uint32_t *left = find_grant(key);
    if (!left || *left == 0)
        return false;
    --*left;
    return true;
}

void channel_forget_grants(void)
{
    channel.grants = 0;
}

const struct answer *channel_sleep_polling(uint64_t key)
{
    const struct answer *answer = channel_sleep();
    uint32_t *left = find_grant(key);
    if (answer->flag) {
        channel.grants = 0;
    } else if (left) {
        *left = answer->grant;
    } else {
        uint32_t i = channel.grants++ % GRANTS;
        channel.grant[i].key = key;
        channel.grant[i].left = answer->grant;
    }
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
