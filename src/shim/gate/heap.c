#include "shim/gate/heap.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "call/heap_map.h"
#include "shim/gate/extents.h"
#include "shim/gate/slabs.h"

#define START HEAP_MAP_START
#define EXTENT_START (START + HEAP_MAP_SMALL)
#define MEMORY HEAP_MAP_BYTES
_Static_assert(HEAP_MAP_SMALL == (uint64_t)SLABS * SLAB_BYTES, "that is all slabs");
_Static_assert(HEAP_MAP_LARGE == (uint64_t)EXTENT_PAGES * EXTENT_PAGE, "and all other pages");
_Static_assert((int)HEAP_MAP_LARGEST_SMALL == (int)SLABS_LARGEST, "as others know it");

enum {
    LARGE = 1 << 20, /* bytes: the kernel clears from here on, and takes the memory until it is wanted again */
    TABLE_PAGE = 4096,
    LATER = 16, /* blocks that are made zero later */
};

static struct {
    uint64_t bytes; /* of the addresses; 0: there is no heap */
    struct slabs *slabs;
    struct extents *extents;
    bool has_sites;
    _Atomic uint32_t lock; /* 1: somebody has it; 2: and others wait.  It keeps nobody's number */
} heap;

/* ---- one thread at a time ---- */

/* No thread is started while somebody has the lock, so it is let go of as it was taken. */
static void lock_heap(void)
{
    uint32_t free = 0;
    if (__libc_single_threaded) {
        atomic_store_explicit(&heap.lock, 1, memory_order_relaxed);
        return;
    }
    if (atomic_compare_exchange_strong_explicit(&heap.lock, &free, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&heap.lock, 2, memory_order_acquire))
        system_call_4(SYS_futex, (long)&heap.lock, FUTEX_WAIT_PRIVATE, 2, 0);
}

static void unlock_heap(void)
{
    if (__libc_single_threaded)
        atomic_store_explicit(&heap.lock, 0, memory_order_relaxed);
    else if (atomic_exchange_explicit(&heap.lock, 0, memory_order_release) == 2)
        system_call_4(SYS_futex, (long)&heap.lock, FUTEX_WAKE_PRIVATE, 1, 0);
}

/* ---- addresses ---- */

static size_t round_to_page(size_t bytes)
{
    return (bytes + TABLE_PAGE - 1) & -(size_t)TABLE_PAGE;
}

/* All that may be written from the start: where memory is mapped does not depend on what was in use once. */
static bool reserve(uint64_t start, uint64_t bytes)
{
    long at = system_call(SYS_mmap, (long)start, (long)bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return at == (long)start;
}

bool heap_open(bool sites, struct heap_layout layout)
{
    size_t tables = round_to_page(slabs_bytes()) + round_to_page(extents_bytes());
    if (tables > START - HEAP_MAP_TABLES || !reserve(HEAP_MAP_TABLES, START - HEAP_MAP_TABLES + MEMORY))
        return false;
    heap.has_sites = sites && reserve(HEAP_MAP_SITES, MEMORY);
    heap.extents = (struct extents *)HEAP_MAP_TABLES;
    heap.slabs = (struct slabs *)(HEAP_MAP_TABLES + round_to_page(extents_bytes()));
    slabs_scatter(heap.slabs, layout.pattern);
    if (layout.pages)
        extents_take(heap.extents, layout.pages, 1);
    pthread_atfork(lock_heap, unlock_heap, unlock_heap);
    heap.bytes = MEMORY;
    return true;
}

bool heap_holds(const void *address)
{
    return (uintptr_t)address - START < heap.bytes;
}

__attribute__((visibility("default"))) struct gate_heap tourney_heap_begin_anew(void)
{
    if (!heap.bytes)
        return (struct gate_heap){0};
    lock_heap();
    uint32_t first = slabs_begin_anew(heap.slabs);
    unlock_heap();
    return (struct gate_heap){START, START + MEMORY, START + (uint64_t)first * SLAB_BYTES};
}

static bool is_in_slab(uintptr_t address)
{
    return address < EXTENT_START;
}

static uint32_t page_of(uintptr_t address)
{
    return (uint32_t)((address - EXTENT_START) / EXTENT_PAGE);
}

/* ---- blocks ---- */

/* Blocks of a class whose size is a power of two begin at multiples of it. */
static void *take_from_slab(size_t size, size_t alignment)
{
    size_t least = alignment > 16 ? alignment : 0;
    if (least)
        while (least < size)
            least *= 2;
    uint32_t class = slabs_class(least ? least : size);
    lock_heap();
    struct slab_block block = slabs_take(heap.slabs, class);
    unlock_heap();
    return block.slab == SLABS ? NULL : (void *)(START + slabs_offset(heap.slabs, block));
}

/*
 * Memory that is free and not zero yet.  In a rank that goes back to where it was (shim/virtual/savepoint.h) what is given to the
 * system would have to be put back, page by page; most ranks free what they have when they end, and nobody asks for it again.
 * When a rank sleeps there is none.
 */
static struct {
    bool over; /* it is being made zero now */
    int n;
    struct {
        char *start;
        size_t bytes;
    } at[LATER];
} later;

__attribute__((visibility("default"))) bool tourney_heap_defer(void *start, size_t bytes)
{
    if (later.over || later.n == LATER || !heap_holds(start))
        return false;
    later.at[later.n].start = start;
    later.at[later.n++].bytes = bytes;
    return true;
}

__attribute__((visibility("default"))) void tourney_heap_settle(void)
{
    later.over = true;
    for (; later.n; later.n--) {
        char *start = later.at[later.n - 1].start;
        size_t bytes = later.at[later.n - 1].bytes;
        if (system_call(SYS_madvise, (long)start, (long)bytes, MADV_DONTNEED, 0, 0, 0) < 0)
            memset(start, 0, bytes);
        later.at[later.n - 1].start = NULL;
        later.at[later.n - 1].bytes = 0;
    }
    later.over = false;
}

static void *take_pages(size_t size, size_t alignment)
{
    if (size > MEMORY || alignment > START - HEAP_MAP_TABLES)
        return NULL;
    uint32_t pages = (uint32_t)((size + EXTENT_PAGE - 1) / EXTENT_PAGE);
    if (later.n)
        tourney_heap_settle();
    lock_heap();
    uint32_t first = extents_take(heap.extents, pages ? pages : 1, (uint32_t)(alignment / EXTENT_PAGE));
    unlock_heap();
    return first == EXTENT_PAGES ? NULL : (void *)(EXTENT_START + (uint64_t)first * EXTENT_PAGE);
}

void *heap_take(size_t size, size_t alignment)
{
    if (!heap.bytes)
        return NULL;
    bool is_small = size <= SLABS_LARGEST && alignment <= EXTENT_PAGE && (alignment <= 16 || size <= SLABS_LARGEST / 2);
    return is_small ? take_from_slab(size, alignment) : take_pages(size, alignment);
}

/* Without the lock: whoever asks has the block, so that nothing that is read here changes. */
size_t heap_room(const void *block)
{
    uintptr_t at = (uintptr_t)block;
    struct slab_block small;
    if (is_in_slab(at))
        return slabs_find(heap.slabs, at - START, &small) ? slabs_size_in(heap.slabs, small.slab) : 0;
    return at % EXTENT_PAGE ? 0 : (size_t)extents_length(heap.extents, page_of(at)) * EXTENT_PAGE;
}

void heap_note_site(const void *block, const void *caller, size_t size)
{
    if (heap.has_sites && heap_holds(block))
        *(struct heap_site *)heap_map_site((uintptr_t)block) = (struct heap_site){(uintptr_t)caller, size};
}

static _Noreturn void refuse_to_free(void)
{
    static const char text[] = "free(): invalid pointer\n"; /* as the C library has it, also of one that was freed */
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        abort();
    abort();
}

/* Before the block is given back, and without the lock: there may be a fence around it (shim/fence.h). */
static void clear_memory(char *start, size_t bytes)
{
    if (bytes >= LARGE &&
        system_call(SYS_madvise, (long)start, (long)bytes, MADV_DONTNEED, 0, 0, 0) == 0)
        return;
    memset(start, 0, bytes);
}

static void give_to_slab(char *block)
{
    struct slab_block small;
    if (!slabs_find(heap.slabs, (uintptr_t)block - START, &small))
        refuse_to_free();
    clear_memory(block, slabs_size_in(heap.slabs, small.slab));
    lock_heap();
    slabs_give(heap.slabs, small);
    unlock_heap();
}

static void give_pages(char *block)
{
    size_t room = heap_room(block);
    if (!room)
        refuse_to_free();
    clear_memory(block, room);
    lock_heap();
    extents_give(heap.extents, page_of((uintptr_t)block));
    unlock_heap();
}

void heap_give(void *block)
{
    if (is_in_slab((uintptr_t)block))
        give_to_slab(block);
    else
        give_pages(block);
}

/* A small block stays in its class unless half of it would be unused. */
bool heap_fit(void *block, size_t size)
{
    uintptr_t at = (uintptr_t)block;
    size_t room = heap_room(block);
    if (!room)
        refuse_to_free();
    if (is_in_slab(at)) {
        if (size > room || size < room / 2)
            return false;
        memset((char *)block + size, 0, room - size);
        return true;
    }
    if (size <= SLABS_LARGEST || size > MEMORY)
        return false;
    uint32_t pages = (uint32_t)((size + EXTENT_PAGE - 1) / EXTENT_PAGE);
    size_t kept = (size_t)pages * EXTENT_PAGE;
    if (later.n)
        tourney_heap_settle();
    if (size < room)
        memset((char *)block + size, 0, (kept < room ? kept : room) - size);
    if (kept < room)
        clear_memory((char *)block + kept, room - kept);
    lock_heap();
    int result = extents_fit(heap.extents, page_of(at), pages);
    unlock_heap();
    return result == 0;
}
