#include "shim/gate/slabs.h"

enum {
    FINE = 128,                /* up to here sizes are multiples of 16, beyond there are four between powers of two */
    CLASSES = 32,
    WORD = 64,
    SLOT_WORDS = SLAB_BYTES / 16 / WORD,
    LOW = SLABS / WORD,        /* groups of slabs, */
    MIDDLE = LOW / WORD,       /* words that tell which of these are to be looked at, */
    HIGH = MIDDLE / WORD,      /* and which of those */
};

struct slab {
    uint64_t used[SLOT_WORDS]; /* a bit for each block; those behind the last one stay 0 */
    uint32_t full;             /* a bit for each word: it has no room */
    uint16_t count;            /* blocks in use */
    uint16_t class;            /* + 1; 0: nobody's */
};

/* What belongs to slabs that lie together, of all classes, is together: to use a few takes few pages for tables. */
struct slab_group {
    uint64_t room[CLASSES]; /* those of the class that have room */
    uint64_t taken;         /* those that are somebody's */
    struct slab slab[WORD];
};

struct slabs {
    uint32_t pattern; /* by which blocks change places */
    uint32_t floor; /* nothing is taken from slabs below this one */
    uint32_t lowest[CLASSES]; /* the first slab of the class that has room, + 1; 0: none has */
    uint64_t high[HIGH][CLASSES], middle[MIDDLE][CLASSES]; /* which groups have room, and which words say so */
    uint64_t taken_high[HIGH], taken_middle[MIDDLE];       /* a bit is set if all bits below it are */
    uint64_t in_use[MIDDLE];                               /* a bit for each group that is not wholly untaken */
    struct slab_group group[LOW];
};

_Static_assert(SLOT_WORDS <= 32, "`full` has a bit for each");

size_t slabs_bytes(void)
{
    return sizeof(struct slabs);
}

/* What divisions would come to.  An offset in a slab times `share` is its slot times 2 to the 32. */
struct slab_class {
    uint16_t size, slots;
    uint32_t share;
};
#define CLASS(size) {(size), SLAB_BYTES / (size), (uint32_t)((UINT64_C(1) << 32) / (size) + 1)}
#define FOUR_CLASSES(power) CLASS((power) * 5 / 4), CLASS((power) * 6 / 4), CLASS((power) * 7 / 4), CLASS((power) * 2)
static const struct slab_class classes[CLASSES] = {
    CLASS(16), CLASS(32), CLASS(48), CLASS(64), CLASS(80), CLASS(96), CLASS(112), CLASS(128),
    FOUR_CLASSES(128), FOUR_CLASSES(256), FOUR_CLASSES(512), FOUR_CLASSES(1024), FOUR_CLASSES(2048),
    FOUR_CLASSES(4096),
};

void slabs_scatter(struct slabs *s, uint32_t pattern)
{
    s->pattern = pattern % SLABS_PATTERNS;
}

/* Its own inverse.  What is left over at the end of a slab stays where it is. */
static uint32_t other_place(const struct slabs *s, const struct slab_class *class, uint32_t slot)
{
    enum { PAGE = 4096 };
    uint32_t together = PAGE / class->size < 2 ? 2 : UINT32_C(1) << (31 - (uint32_t)__builtin_clz(PAGE / class->size));
    if (together > SLABS_PATTERNS)
        together = SLABS_PATTERNS;
    return (slot | (together - 1)) < class->slots ? slot ^ (s->pattern & (together - 1)) : slot;
}

uint32_t slabs_class(size_t size)
{
    if (size <= FINE)
        return size ? (uint32_t)(size - 1) / 16 : 0;
    uint32_t log = 63 - (uint32_t)__builtin_clzll(size - 1); /* 7: 129 to 256 */
    uint32_t quarter = (uint32_t)((size - 1) >> (log - 2)) & 3;
    return 8 + 4 * (log - 7) + quarter;
}

size_t slabs_class_size(uint32_t class)
{
    return classes[class].size;
}

static struct slab *slab_at(struct slabs *s, uint32_t number)
{
    return &s->group[number / WORD].slab[number % WORD];
}

/* ---- sets of slabs ---- */

static uint32_t lowest_with_room(const struct slabs *s, uint32_t class)
{
    for (uint32_t h = 0; h < HIGH; h++)
        if (s->high[h][class]) {
            uint32_t m = h * WORD + (uint32_t)__builtin_ctzll(s->high[h][class]);
            uint32_t l = m * WORD + (uint32_t)__builtin_ctzll(s->middle[m][class]);
            return l * WORD + (uint32_t)__builtin_ctzll(s->group[l].room[class]) + 1;
        }
    return 0;
}

static void note_room(struct slabs *s, uint32_t class, uint32_t slab)
{
    uint32_t l = slab / WORD, m = l / WORD, h = m / WORD;
    if (slab < s->floor)
        return;
    s->group[l].room[class] |= UINT64_C(1) << slab % WORD;
    s->middle[m][class] |= UINT64_C(1) << l % WORD;
    s->high[h][class] |= UINT64_C(1) << m % WORD;
    if (!s->lowest[class] || slab + 1 < s->lowest[class])
        s->lowest[class] = slab + 1;
}

static void note_no_room(struct slabs *s, uint32_t class, uint32_t slab)
{
    uint32_t l = slab / WORD, m = l / WORD, h = m / WORD;
    if (!(s->group[l].room[class] &= ~(UINT64_C(1) << slab % WORD)))
        if (!(s->middle[m][class] &= ~(UINT64_C(1) << l % WORD)))
            s->high[h][class] &= ~(UINT64_C(1) << m % WORD);
    if (s->lowest[class] == slab + 1)
        s->lowest[class] = lowest_with_room(s, class);
}

/* SLABS: all are taken. */
static uint32_t lowest_untaken(const struct slabs *s)
{
    for (uint32_t h = 0; h < HIGH; h++)
        if (~s->taken_high[h]) {
            uint32_t m = h * WORD + (uint32_t)__builtin_ctzll(~s->taken_high[h]);
            uint32_t l = m * WORD + (uint32_t)__builtin_ctzll(~s->taken_middle[m]);
            return l * WORD + (uint32_t)__builtin_ctzll(~s->group[l].taken);
        }
    return SLABS;
}

static void note_taken(struct slabs *s, uint32_t slab)
{
    uint32_t l = slab / WORD, m = l / WORD, h = m / WORD;
    s->in_use[m] |= UINT64_C(1) << l % WORD;
    if (~(s->group[l].taken |= UINT64_C(1) << slab % WORD))
        return;
    if (~(s->taken_middle[m] |= UINT64_C(1) << l % WORD))
        return;
    s->taken_high[h] |= UINT64_C(1) << m % WORD;
}

static void note_untaken(struct slabs *s, uint32_t slab)
{
    uint32_t l = slab / WORD, m = l / WORD, h = m / WORD;
    if (slab < s->floor)
        return;
    if (!(s->group[l].taken &= ~(UINT64_C(1) << slab % WORD)))
        s->in_use[m] &= ~(UINT64_C(1) << l % WORD);
    s->taken_middle[m] &= ~(UINT64_C(1) << l % WORD);
    s->taken_high[h] &= ~(UINT64_C(1) << m % WORD);
}

/* Only what is in use is looked at: to read memory that was never touched would make it part of the process. */
static uint32_t slabs_reach(const struct slabs *s)
{
    for (uint32_t m = MIDDLE; m-- > 0;)
        if (s->in_use[m]) {
            uint32_t l = m * WORD + WORD - 1 - (uint32_t)__builtin_clzll(s->in_use[m]);
            return l * WORD + WORD - (uint32_t)__builtin_clzll(s->group[l].taken);
        }
    return 0;
}

uint32_t slabs_begin_anew(struct slabs *s)
{
    uint32_t reach = slabs_reach(s);
    for (uint32_t number = 0; number < reach; number++) {
        const struct slab *slab = slab_at(s, number);
        if (slab->class && slab->count < classes[slab->class - 1u].slots)
            note_no_room(s, slab->class - 1u, number);
        note_taken(s, number);
    }
    s->floor = reach;
    return reach;
}

/* ---- blocks ---- */

/* One that nobody uses becomes the class's. */
static uint32_t add_slab(struct slabs *s, uint32_t class)
{
    uint32_t number = lowest_untaken(s);
    if (number == SLABS)
        return SLABS;
    slab_at(s, number)->class = (uint16_t)(class + 1);
    note_taken(s, number);
    note_room(s, class, number);
    return number;
}

/* The words before the last one have 64 blocks each. */
static bool is_full_word(uint64_t word, uint32_t number, uint32_t slots)
{
    uint32_t behind = number * WORD + WORD, here = behind <= slots ? WORD : slots - number * WORD;
    return here == WORD ? !~word : word == (UINT64_C(1) << here) - 1;
}

struct slab_block slabs_take(struct slabs *s, uint32_t class)
{
    uint32_t number = s->lowest[class] ? s->lowest[class] - 1 : add_slab(s, class);
    if (number == SLABS)
        return (struct slab_block){SLABS, 0};
    struct slab *slab = slab_at(s, number);
    uint32_t slots = classes[class].slots, word = (uint32_t)__builtin_ctz(~slab->full);
    uint32_t bit = (uint32_t)__builtin_ctzll(~slab->used[word]);
    slab->used[word] |= UINT64_C(1) << bit;
    if (is_full_word(slab->used[word], word, slots))
        slab->full |= UINT32_C(1) << word;
    if (++slab->count == slots)
        note_no_room(s, class, number);
    return (struct slab_block){number, word * WORD + bit};
}

void slabs_give(struct slabs *s, struct slab_block block)
{
    struct slab *slab = slab_at(s, block.slab);
    uint32_t class = slab->class - 1u, word = block.slot / WORD;
    slab->used[word] &= ~(UINT64_C(1) << block.slot % WORD);
    slab->full &= ~(UINT32_C(1) << word);
    if (slab->count == classes[class].slots)
        note_room(s, class, block.slab);
    if (--slab->count)
        return;
    note_no_room(s, class, block.slab);
    note_untaken(s, block.slab);
    slab->class = 0;
}

size_t slabs_size_in(const struct slabs *s, uint32_t slab)
{
    uint32_t class = s->group[slab / WORD].slab[slab % WORD].class;
    return class ? classes[class - 1].size : 0;
}

uint64_t slabs_offset(const struct slabs *s, struct slab_block block)
{
    const struct slab_class *class = &classes[s->group[block.slab / WORD].slab[block.slab % WORD].class - 1u];
    return (uint64_t)block.slab * SLAB_BYTES + other_place(s, class, block.slot) * class->size;
}

bool slabs_find(const struct slabs *s, uint64_t offset, struct slab_block *block)
{
    uint32_t number = (uint32_t)(offset / SLAB_BYTES);
    const struct slab *slab = &s->group[number / WORD].slab[number % WORD];
    if (!slab->class)
        return false;
    const struct slab_class *class = &classes[slab->class - 1u];
    uint32_t inside = offset % SLAB_BYTES, slot = (uint32_t)((uint64_t)inside * class->share >> 32);
    if (slot * class->size != inside || slot >= class->slots)
        return false;
    slot = other_place(s, class, slot);
    *block = (struct slab_block){number, slot};
    return slab->used[slot / WORD] >> slot % WORD & 1;
}
