#include "world/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"
#include "call/part_board.h"

enum {
    SMALLEST = 6,   /* 64 bytes */
    PAGE = 12,
    KEPT = 28,      /* 256 MB of unused blocks keep their pages */
};

void memory_open(struct memory *m, int ranks, int first_ranks, int channels)
{
    *m = (struct memory){.fd = memfd_create("tourney", MFD_CLOEXEC)};
    uint64_t arena = wire_channel_offset(channels);
    m->size = arena + WIRE_ARENA_SIZE;
    if (m->fd < 0 || ftruncate(m->fd, m->size) < 0)
        die("cannot make the shared memory: %s", strerror(errno));
    m->base = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, m->fd, 0);
    if (m->base == MAP_FAILED)
        die("cannot map the shared memory: %s (is the address space limited, ulimit -v?)", strerror(errno));
    m->head = (struct wire_head *)m->base;
    *m->head = (struct wire_head){.version = WIRE_VERSION, .ranks = ranks, .first_ranks = first_ranks, .arena = arena};
    m->top = 1 << PAGE;
}

void memory_close(struct memory *m)
{
    munmap(m->base, m->size);
    close(m->fd);
    for (size_t i = 0; i < sizeof m->unused / sizeof *m->unused; i++)
        vec_release(&m->unused[i]);
}

static int order(uint64_t bytes)
{
    return bytes <= 1u << SMALLEST ? SMALLEST : 64 - __builtin_clzll(bytes - 1);
}

uint64_t arena_block_size(uint64_t bytes)
{
    return UINT64_C(1) << order(bytes);
}

uint64_t arena_take(struct memory *m, uint64_t bytes)
{
    int k = order(bytes);
    if (m->unused[k].n) {
        uint64_t block = vec_pop(&m->unused[k]);
        m->kept -= block & 1 ? UINT64_C(1) << k : 0;
        return block & ~UINT64_C(1);
    }
    uint64_t align = UINT64_C(1) << (k < PAGE ? k : PAGE);
    uint64_t at = (m->top + align - 1) & ~(align - 1);
    if (at + (UINT64_C(1) << k) > WIRE_ARENA_SIZE)
        die("messages in flight need more than %llu GB", (unsigned long long)(WIRE_ARENA_SIZE >> 30));
    m->top = at + (UINT64_C(1) << k);
    return at;
}

static void empty_mailboxes(struct mailbox *boxes, uint64_t ranks)
{
    struct part_board *boards = (struct part_board *)(boxes + ranks * ranks);
    for (uint64_t i = 0; i < ranks * ranks; i++) {
        atomic_store(&boxes[i].put, 0);
        atomic_store(&boxes[i].left_out, 0);
        atomic_store(&boxes[i].got, 0);
    }
    for (uint64_t i = 0; i < ranks; i++)
        for (int slot = 0; slot < PART_SLOTS; slot++)
            atomic_store(&boards[i].slot[slot].taken, 0);
}

static uint64_t take_mailboxes(struct memory *m)
{
    uint64_t ranks = (uint64_t)m->head->first_ranks; /* those who are started later have none */
    return ranks > MAIL_RANKS ? 0 : arena_take(m, ranks * ranks * sizeof(struct mailbox) + ranks * sizeof(struct part_board));
}

/* Nobody has used the memory before. */
void memory_make_mailboxes(struct memory *m)
{
    m->head->mailboxes = take_mailboxes(m);
}

uint64_t memory_take_mailboxes(struct memory *m)
{
    uint64_t at = take_mailboxes(m);
    if (at)
        empty_mailboxes(arena_at(m, at), (uint64_t)m->head->first_ranks);
    return at;
}

void arena_give(struct memory *m, uint64_t offset, uint64_t bytes)
{
    int k = order(bytes);
    uint64_t size = UINT64_C(1) << k;
    bool keep = k < PAGE || m->kept + size <= UINT64_C(1) << KEPT;
    if (keep)
        m->kept += size;
    else
        madvise(arena_at(m, offset), size, MADV_REMOVE);
    vec_push(&m->unused[k], offset | keep);
}
