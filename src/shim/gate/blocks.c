#include "shim/gate/blocks.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "call/wire.h"
#include "shim/gate/heap.h"

#define EXPORTED __attribute__((visibility("default")))

/* ---- the allocator behind us ---- */

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void (*free)(void *);
    size_t (*malloc_usable_size)(void *);
    bool is_known; /* it is the C library's */
} next;

extern void *__libc_malloc(size_t);

/* dladdr goes through all names of a file. */
static bool is_of_same_file(const void *a, const void *b)
{
    Dl_info x, y;
    if (a == b)
        return true;
    return dladdr(a, &x) && dladdr(b, &y) && x.dli_fbase == y.dli_fbase;
}

/* The first call may come before any constructor has run.  Nothing here allocates. */
static void find_next(void)
{
    *(void **)&next.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&next.memalign = dlsym(RTLD_NEXT, "memalign");
    *(void **)&next.free = dlsym(RTLD_NEXT, "free");
    *(void **)&next.malloc_usable_size = dlsym(RTLD_NEXT, "malloc_usable_size");
    void *(*allocate)(size_t) = NULL;
    *(void **)&allocate = dlsym(RTLD_NEXT, "malloc");
    next.is_known = is_of_same_file((const void *)allocate, (const void *)__libc_malloc);
    next.malloc = allocate;
}

static inline void prepare_malloc(void)
{
    if (__builtin_expect(!next.malloc, 0))
        find_next();
}

/* A program that brings an allocator of its own keeps it. */
__attribute__((constructor)) static void open_heap(void)
{
    prepare_malloc();
    if (next.is_known && getenv(WIRE_ENV_HEAP))
        heap_open(getenv(WIRE_ENV_SITES), heap_layout_read(getenv(WIRE_ENV_HEAP)));
}

/* ---- of the heap, if there is one with room for it, or of the allocator behind us ---- */

static void *take_memory(size_t size)
{
    void *block = heap_take(size, 1);
    return block ? block : next.malloc(size);
}

/* What is in the heap and nobody's is zero. */
static void *take_zeros(size_t n, size_t size)
{
    size_t bytes;
    void *block = __builtin_mul_overflow(n, size, &bytes) ? NULL : heap_take(bytes, 1);
    return block ? block : next.calloc(n, size);
}

static void *take_aligned(size_t alignment, size_t size)
{
    size_t power = 1;
    while (power < alignment && power << 1)
        power <<= 1;
    void *block = power >= alignment ? heap_take(size, power) : NULL;
    return block ? block : next.memalign(alignment, size);
}

static void give_memory(void *block)
{
    if (heap_holds(block))
        heap_give(block);
    else
        next.free(block);
}

static void *move_block(void *old, size_t size)
{
    size_t room = heap_room(old);
    void *new = take_memory(size);
    if (!new)
        return NULL;
    memcpy(new, old, room < size ? room : size);
    heap_give(old);
    return new;
}

/* A size of 0 frees the block.  What the C library has given, it keeps. */
static void *change_memory(void *old, size_t size)
{
    if (!old)
        return take_memory(size);
    if (!heap_holds(old))
        return next.realloc(old, size);
    if (size)
        return heap_fit(old, size) ? old : move_block(old, size);
    heap_give(old);
    return NULL;
}

/* ---- shadow memory ---- */

enum {
    GRAIN_BITS = 4,                  /* a byte for 16 */
    LEAF_BITS = 22,                  /* a leaf is for 4 MB */
    BRANCH_BITS = 36,                /* a branch is for 64 GB */
    ADDRESS_BITS = 47,               /* all addresses that a program can have */
    LEAF_BYTES = 1 << (LEAF_BITS - GRAIN_BITS),
    LINE = 64,                       /* shadow bytes for which there is a bit behind those of the leaf */
    WORD_BITS = 64,
    LEAF_WORDS = LEAF_BYTES / LINE / WORD_BITS,
    LEAF_ROOM = LEAF_BYTES + LEAF_WORDS * 8,
    BRANCH_LEAVES = 1 << (BRANCH_BITS - LEAF_BITS),
    BRANCHES = 1 << (ADDRESS_BITS - BRANCH_BITS),
};

struct shadow_branch {
    _Atomic uint64_t made[BRANCH_LEAVES / WORD_BITS]; /* a bit for each leaf that is there */
    unsigned char *_Atomic leaf[BRANCH_LEAVES];
};
static struct shadow_branch *_Atomic branches[BRANCHES];

/*
 * The first parts lie together, beside our other variables: to copy a process takes the kernel longer for each mapping
 * that has been written to.
 */
enum { FIRST_PARTS = 2 << 20 };
static struct {
    _Alignas(4096) char room[FIRST_PARTS];
    _Atomic size_t used; /* may be beyond the end */
} first;

static void *take_room(size_t bytes)
{
    size_t at = atomic_load(&first.used) < FIRST_PARTS ? atomic_fetch_add(&first.used, bytes) : FIRST_PARTS;
    if (at <= FIRST_PARTS - bytes)
        return first.room + at;
    void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

/* Leaves and branches stay; of two threads that make one, the second takes that of the first, and its own is lost. */
static void *make_part(void *_Atomic *slot, size_t bytes)
{
    void *expected = NULL, *made = take_room(bytes);
    if (!made || __atomic_compare_exchange_n((void **)slot, &expected, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    return expected;
}

static unsigned char *leaf_of(uintptr_t address, bool make)
{
    if (address >> ADDRESS_BITS)
        return NULL;
    struct shadow_branch *_Atomic *root = &branches[address >> BRANCH_BITS];
    struct shadow_branch *branch = *root;
    if (!branch && make)
        branch = make_part((void *_Atomic *)root, sizeof *branch);
    if (!branch)
        return NULL;
    size_t number = address >> LEAF_BITS & (BRANCH_LEAVES - 1);
    unsigned char *leaf = branch->leaf[number];
    if (!leaf && make && (leaf = make_part((void *_Atomic *)&branch->leaf[number], LEAF_ROOM)))
        branch->made[number / WORD_BITS] |= UINT64_C(1) << number % WORD_BITS;
    return leaf;
}

/* NULL: nothing was ever noted near this address. */
static unsigned char *shadow_of(uintptr_t address, bool make)
{
    unsigned char *leaf = leaf_of(address, make);
    return leaf ? leaf + (address >> GRAIN_BITS & (LEAF_BYTES - 1)) : NULL;
}

/*
 * The first byte of a block has START set and seven bits of its size, those after it have seven bits each as long as
 * any are left; others are 0.  A block of n grains has a size below 16 n, so there is always room.
 */
enum { START = 0x80, SIZE_BITS = 7, SIZE_BYTES = 7, GRAIN = 1 << GRAIN_BITS };

static unsigned char *next_grain(unsigned char *shadow, uintptr_t *address, bool make)
{
    *address += GRAIN;
    return *address & ((UINT64_C(1) << LEAF_BITS) - 1) ? shadow + 1 : shadow_of(*address, make);
}

/* Behind the shadow of a leaf: which of its lines have a start.  Large blocks are found in a few steps by this. */
static _Atomic uint64_t *lines_of(unsigned char *leaf)
{
    return (_Atomic uint64_t *)(leaf + LEAF_BYTES);
}

static bool has_start(const unsigned char *line)
{
    uint64_t word, any = 0;
    for (size_t i = 0; i < LINE; i += sizeof word) {
        memcpy(&word, line + i, sizeof word);
        any |= word;
    }
    return any & UINT64_C(0x8080808080808080);
}

static void mark_line(uintptr_t address)
{
    unsigned char *leaf = leaf_of(address, false);
    size_t line = (address >> GRAIN_BITS & (LEAF_BYTES - 1)) / LINE;
    uint64_t bit = UINT64_C(1) << line % WORD_BITS;
    if (!(lines_of(leaf)[line / WORD_BITS] & bit))
        lines_of(leaf)[line / WORD_BITS] |= bit;
}

/* A start is gone.  Another thread may just have made one: either it is seen here, or its mark comes after. */
static void unmark_line(uintptr_t address)
{
    unsigned char *leaf = leaf_of(address, false);
    size_t line = (address >> GRAIN_BITS & (LEAF_BYTES - 1)) / LINE;
    if (has_start(leaf + line * LINE))
        return;
    lines_of(leaf)[line / WORD_BITS] &= ~(UINT64_C(1) << line % WORD_BITS);
    if (has_start(leaf + line * LINE))
        mark_line(address);
}

static void note_block(void *block, size_t size)
{
    uintptr_t at = (uintptr_t)block;
    unsigned char *shadow = block && at % GRAIN == 0 ? shadow_of(at, true) : NULL;
    if (!shadow)
        return;
    *shadow = START | (size & (START - 1));
    mark_line(at);
    while ((size >>= SIZE_BITS) && (shadow = next_grain(shadow, &at, true)))
        *shadow = size & (START - 1);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first byte of a word is its lowest");

/* The same as below, of one whose bytes are all in its leaf: they are taken together, up to the next start. */
static size_t size_in_leaf(const unsigned char *shadow)
{
    uint64_t word, starts;
    memcpy(&word, shadow, sizeof word);
    starts = word & UINT64_C(0x0080808080808000);
    if (starts)
        word &= ((starts & -starts) >> SIZE_BITS) - 1;
    word &= UINT64_C(0x007f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (word & 0xfffffff) | word >> 32 << 28;
}

static size_t size_at(unsigned char *shadow, uintptr_t at)
{
    if ((at >> GRAIN_BITS & (LEAF_BYTES - 1)) <= LEAF_BYTES - sizeof(uint64_t))
        return size_in_leaf(shadow);
    size_t size = *shadow & (START - 1);
    for (int i = 1; i < SIZE_BYTES; i++) {
        shadow = next_grain(shadow, &at, false);
        if (!shadow || *shadow & START)
            break;
        size |= (size_t)*shadow << i * SIZE_BITS;
    }
    return size;
}

/* What was never noted is only read: the shim's own blocks leave no trace. */
static void forget_block(void *block)
{
    uintptr_t at = (uintptr_t)block;
    unsigned char *shadow = at % GRAIN == 0 ? shadow_of(at, false) : NULL;
    if (!shadow || !(*shadow & START))
        return;
    *shadow = 0;
    unmark_line(at);
    for (int i = 1; i < SIZE_BYTES; i++) {
        shadow = next_grain(shadow, &at, false);
        if (!shadow || *shadow & START)
            break;
        if (*shadow)
            *shadow = 0;
    }
}

/* The last start in a line at or below this grain of it. */
static unsigned char *find_in_line(unsigned char *line, size_t grain)
{
    for (;; grain--) {
        if (line[grain] & START)
            return line + grain;
        if (grain == 0)
            return NULL;
    }
}

/* The nearest start of a block at or below a grain: in its line, or else in the last one before that has any. */
static unsigned char *find_start(unsigned char *leaf, size_t grain)
{
    size_t line = grain / LINE, word = line / WORD_BITS;
    unsigned char *start = find_in_line(leaf + line * LINE, grain % LINE);
    uint64_t lines = lines_of(leaf)[word] & ((UINT64_C(1) << line % WORD_BITS) - 1);
    while (!start && !lines && word > 0)
        lines = lines_of(leaf)[--word];
    if (start || !lines)
        return start;
    line = word * WORD_BITS + (WORD_BITS - 1 - (size_t)__builtin_clzll(lines));
    return find_in_line(leaf + line * LINE, LINE - 1);
}

/* The nearest leaf at or below an address, up to the start of the branch before: no block is larger than what a branch is for. */
static unsigned char *find_leaf(uintptr_t address, uintptr_t *start)
{
    for (uintptr_t b = address >> BRANCH_BITS, i = 0; i < 2 && i <= b; i++) {
        struct shadow_branch *branch = b < BRANCHES ? branches[b - i] : NULL;
        size_t last = i ? BRANCH_LEAVES - 1 : address >> LEAF_BITS & (BRANCH_LEAVES - 1);
        size_t word = last / WORD_BITS;
        uint64_t made = branch ? branch->made[word] & (~UINT64_C(0) >> (WORD_BITS - 1 - last % WORD_BITS)) : 0;
        while (branch && !made && word > 0)
            made = branch->made[--word];
        if (!made)
            continue;
        size_t leaf = word * WORD_BITS + (WORD_BITS - 1 - (size_t)__builtin_clzll(made));
        *start = (b - i) << BRANCH_BITS | leaf << LEAF_BITS;
        return branch->leaf[leaf];
    }
    return NULL;
}

/* Most buffers begin where their block does. */
static bool find_block_that_begins(uintptr_t address, struct gate_block *block)
{
    unsigned char *shadow = address % GRAIN == 0 ? shadow_of(address, false) : NULL;
    if (!shadow || !(*shadow & START))
        return false;
    *block = (struct gate_block){address, size_at(shadow, address)};
    return true;
}

EXPORTED bool tourney_block_find(uintptr_t address, struct gate_block *block)
{
    if (find_block_that_begins(address, block))
        return true;
    uintptr_t low = address & -(uintptr_t)GRAIN, first_byte;
    unsigned char *leaf, *start = NULL;
    while (!start && (leaf = find_leaf(low, &first_byte))) {
        uintptr_t grain = (low - first_byte) >> GRAIN_BITS;
        start = find_start(leaf, grain < LEAF_BYTES ? grain : LEAF_BYTES - 1);
        if (start) {
            block->start = first_byte + ((uintptr_t)(start - leaf) << GRAIN_BITS);
            block->size = size_at(start, block->start);
            return address == block->start || address - block->start < block->size;
        }
        if (first_byte == 0)
            break;
        low = first_byte - GRAIN;
    }
    return false;
}

EXPORTED bool tourney_block_is(const struct gate_block *block)
{
    unsigned char *shadow = shadow_of(block->start, false);
    return shadow && *shadow & START && size_at(shadow, block->start) == block->size;
}

EXPORTED void *tourney_own_memory(void *old, size_t size)
{
    prepare_malloc();
    return change_memory(old, size);
}

EXPORTED bool tourney_block_is_certain(const struct gate_block *block)
{
    return heap_holds((const void *)block->start);
}

/* ---- the C library's names ---- */

#define CALLER __builtin_return_address(0)

static void *noted(void *block, size_t size, const void *caller)
{
    if (block && next.is_known) {
        note_block(block, size);
        heap_note_site(block, caller, size);
    }
    return block;
}

EXPORTED void *malloc(size_t size)
{
    prepare_malloc();
    return noted(take_memory(size), size, CALLER);
}

EXPORTED void *calloc(size_t n, size_t size)
{
    prepare_malloc();
    return noted(take_zeros(n, size), n * size, CALLER);
}

EXPORTED void free(void *block)
{
    prepare_malloc();
    if (block)
        forget_block(block);
    heap_note_site(block, NULL, 0);
    give_memory(block);
}

/* A size of 0 frees the block. */
static void *change_block(void *old, size_t size, const void *caller)
{
    prepare_malloc();
    struct gate_block block = {.start = (uintptr_t)old};
    unsigned char *shadow = old ? shadow_of(block.start, false) : NULL;
    bool known = shadow && *shadow & START;
    if (known) {
        block.size = size_at(shadow, block.start);
        forget_block(old);
        heap_note_site(old, NULL, 0);
    }
    void *new = change_memory(old, size);
    if (!new && known && size)
        noted(old, block.size, caller);
    return noted(new, size, caller);
}

EXPORTED void *realloc(void *old, size_t size)
{
    return change_block(old, size, CALLER);
}

EXPORTED void *reallocarray(void *old, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return change_block(old, bytes, CALLER);
}

static void *make_aligned(size_t alignment, size_t size, const void *caller)
{
    prepare_malloc();
    return noted(take_aligned(alignment, size), size, caller);
}

EXPORTED void *memalign(size_t alignment, size_t size)
{
    return make_aligned(alignment, size, CALLER);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    return make_aligned(alignment, size, CALLER);
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t size)
{
    int before = errno;
    if (alignment % sizeof(void *) || alignment == 0 || alignment & (alignment - 1))
        return EINVAL;
    void *made = make_aligned(alignment, size, CALLER);
    errno = before;
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

EXPORTED void *valloc(size_t size)
{
    enum { PAGE = 4096 };
    return make_aligned(PAGE, size, CALLER);
}

/* Whoever asks may use all of it. */
EXPORTED size_t malloc_usable_size(void *block)
{
    prepare_malloc();
    size_t size = heap_holds(block) ? heap_room(block) : next.malloc_usable_size(block);
    unsigned char *shadow = block ? shadow_of((uintptr_t)block, false) : NULL;
    if (shadow && *shadow & START) {
        forget_block(block);
        note_block(block, size);
    }
    return size;
}
