#include "shim/gate/extents.h"

#include <stdbool.h>

enum {
    BRANCH_BITS = 4,
    BRANCHES = 1 << BRANCH_BITS,
    LEVELS = 5,          /* of knots: over 16, 256, ... pages */
    CHUNK_BITS = 12,
    CHUNK = 1 << CHUNK_BITS, /* pages whose tables are together, so that to use a few takes few pages for tables */
    CHUNK_LEVELS = 3,
};
_Static_assert(EXTENT_PAGES == 1 << (LEVELS + 1) * BRANCH_BITS, "all pages are below 16 knots of the highest level");
_Static_assert(CHUNK_BITS == CHUNK_LEVELS * BRANCH_BITS, "the highest knot of a chunk is over all of it");

/* Pages that are missing until all of the stretch would be free: nothing was ever taken where there are zeros. */
struct knot {
    uint32_t start, end, most;
};

struct chunk {
    _Alignas(EXTENT_PAGE) struct knot knot[1 + 16 + 256]; /* the highest level first */
    uint16_t taken[CHUNK / BRANCHES];                     /* a bit for each page */
    uint32_t length[CHUNK];                               /* of the extent that begins here, in pages */
};

struct extents {
    struct knot knot[16 + 256]; /* over several chunks; the highest level first */
    struct chunk chunk[EXTENT_PAGES / CHUNK];
};

/* What is free of a stretch. */
struct stretch {
    uint32_t start, end, most, pages;
};

size_t extents_bytes(void)
{
    return sizeof(struct extents);
}

/* Level 1 is the lowest; each knot is over 16^level pages. */
static uint32_t pages_of_knot(int level)
{
    return UINT32_C(1) << level * BRANCH_BITS;
}

/* Among 1, 16, 256, ... knots, or 16, 256, ..., those of how many are before. */
static const struct knot *knot_at(const struct extents *e, int level, uint32_t index)
{
    static const uint32_t before[LEVELS + 1] = {[1] = 1 + 16, [2] = 1, [3] = 0, [4] = 16, [5] = 0};
    if (level > CHUNK_LEVELS)
        return &e->knot[before[level] + index];
    uint32_t bits = (uint32_t)(CHUNK_LEVELS - level) * BRANCH_BITS;
    return &e->chunk[index >> bits].knot[before[level] + (index & ((UINT32_C(1) << bits) - 1))];
}

/* For pages 16 times a number to 15 behind. */
static const uint16_t *taken_at(const struct extents *e, uint32_t number)
{
    return &e->chunk[number / (CHUNK / BRANCHES)].taken[number % (CHUNK / BRANCHES)];
}

static uint32_t *length_at(struct extents *e, uint32_t page)
{
    return &e->chunk[page / CHUNK].length[page % CHUNK];
}

static struct stretch stretch_of_page(const struct extents *e, uint32_t page)
{
    uint32_t free = !(*taken_at(e, page / BRANCHES) >> page % BRANCHES & 1);
    return (struct stretch){free, free, free, 1};
}

static struct stretch stretch_below_knot(const struct extents *e, int level, uint32_t index)
{
    if (level == 0)
        return stretch_of_page(e, index);
    uint32_t pages = pages_of_knot(level);
    const struct knot *knot = knot_at(e, level, index);
    return (struct stretch){pages - knot->start, pages - knot->end, pages - knot->most, pages};
}

/* Two that follow each other. */
static struct stretch join(struct stretch a, struct stretch b)
{
    uint32_t middle = a.end + b.start, most = a.most > b.most ? a.most : b.most;
    return (struct stretch){.start = a.start == a.pages ? a.pages + b.start : a.start,
                            .end = b.end == b.pages ? b.pages + a.end : b.end,
                            .most = middle > most ? middle : most,
                            .pages = a.pages + b.pages};
}

static void tie(struct extents *e, int level, uint32_t index)
{
    struct stretch all = {0};
    if (level == 1 && *taken_at(e, index) == UINT16_MAX)
        all.pages = BRANCHES;
    else if (level == 1 && *taken_at(e, index) == 0)
        all = (struct stretch){BRANCHES, BRANCHES, BRANCHES, BRANCHES};
    else
        for (uint32_t i = 0; i < BRANCHES; i++)
            all = join(all, stretch_below_knot(e, level - 1, index * BRANCHES + i));
    *(struct knot *)knot_at(e, level, index) =
        (struct knot){all.pages - all.start, all.pages - all.end, all.pages - all.most};
}

static void mark(struct extents *e, uint32_t first, uint32_t pages, bool taken)
{
    uint32_t last = first + pages - 1;
    for (uint32_t mask = first / BRANCHES; mask <= last / BRANCHES; mask++) {
        uint32_t from = mask == first / BRANCHES ? first % BRANCHES : 0;
        uint32_t to = mask == last / BRANCHES ? last % BRANCHES : BRANCHES - 1;
        uint16_t bits = (uint16_t)((2u << to) - (1u << from));
        uint16_t *there = (uint16_t *)taken_at(e, mask);
        *there = taken ? *there | bits : *there & (uint16_t)~bits;
    }
    for (int level = 1; level <= LEVELS; level++)
        for (uint32_t i = first / pages_of_knot(level); i <= last / pages_of_knot(level); i++)
            tie(e, level, i);
}

/* From left to right; `row` is how many pages in a row are free before the one that is looked at. */
static uint32_t find_first_fit(const struct extents *e, uint32_t pages)
{
    uint32_t index = 0;
    for (int level = LEVELS; level >= 0; level--) {
        uint32_t row = 0, i = 0;
        for (; i < BRANCHES; i++) {
            struct stretch s = stretch_below_knot(e, level, index + i);
            if (row + s.start >= pages)
                return (index + i) * s.pages - row;
            if (s.most >= pages)
                break;
            row = s.end == s.pages ? row + s.pages : s.end;
        }
        if (i == BRANCHES)
            return EXTENT_PAGES;
        index = (index + i) * BRANCHES;
    }
    return EXTENT_PAGES;
}

uint32_t extents_take(struct extents *e, uint32_t pages, uint32_t alignment)
{
    uint32_t spare = alignment > 1 ? alignment - 1 : 0;
    if (pages > EXTENT_PAGES || spare > EXTENT_PAGES)
        return EXTENT_PAGES;
    uint32_t first = find_first_fit(e, pages + spare);
    if (first == EXTENT_PAGES)
        return EXTENT_PAGES;
    first = (first + spare) & ~spare;
    mark(e, first, pages, true);
    *length_at(e, first) = pages;
    return first;
}

void extents_give(struct extents *e, uint32_t first)
{
    mark(e, first, *length_at(e, first), false);
    *length_at(e, first) = 0;
}

uint32_t extents_length(const struct extents *e, uint32_t first)
{
    return e->chunk[first / CHUNK].length[first % CHUNK];
}

static bool is_free(const struct extents *e, uint32_t first, uint32_t pages)
{
    for (uint32_t page = first; page < first + pages; page++)
        if (page >= EXTENT_PAGES || !stretch_of_page(e, page).most)
            return false;
    return true;
}

int extents_fit(struct extents *e, uint32_t first, uint32_t pages)
{
    uint32_t before = *length_at(e, first);
    if (pages > before && !is_free(e, first + before, pages - before))
        return -1;
    if (pages > before)
        mark(e, first + before, pages - before, true);
    else if (pages < before)
        mark(e, first + pages, before - pages, false);
    *length_at(e, first) = pages;
    return 0;
}
