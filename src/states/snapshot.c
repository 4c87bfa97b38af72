#include "states/snapshot.h"

#include <string.h>

#include "world/image.h"

enum { WORDS = SNAPSHOT_PAGE / sizeof(uint64_t) };

void snapshot_store_release(struct snapshot_store *store)
{
    for (size_t i = 0; i < store->page.n; i++)
        free(store->page.at[i]);
    vec_release(&store->page);
    map_release(&store->known);
}

/* Its number + 1; 0: it cannot be read. */
static uint32_t keep_page(struct snapshot_store *store, const struct image *image, pid_t pid, uint64_t address,
                          struct map_key sum)
{
    uint32_t known = map_find(&store->known, sum, 0);
    if (known)
        return known;
    uint64_t page[WORDS];
    if (image_read_page(image, pid, address, page) < 0)
        return 0;
    vec_push(&store->page, xmemdup(page, WORDS, sizeof *page));
    map_put(&store->known, sum, (uint32_t)store->page.n);
    return (uint32_t)store->page.n;
}

static int keep_pages(struct snapshot_store *store, const struct image *image, pid_t pid, struct snapshot *snapshot)
{
    struct map_key sum;
    uint64_t address;
    for (size_t i = 0; image_page(image, i, &address, &sum); i++) {
        if (sum.high == 0 && sum.low == 0)
            continue;
        uint32_t content = keep_page(store, image, pid, address, sum);
        if (!content)
            return -1;
        vec_push(&snapshot->page, (struct snapshot_page){address, content});
    }
    return 0;
}

int snapshot_take(struct snapshot_store *store, pid_t pid, const struct wire_sleep *sleep, struct snapshot *snapshot)
{
    struct image *image = image_new();
    struct map_key all;
    *snapshot = (struct snapshot){0};
    int result = image_look(image, pid, sleep, false, &all);
    if (result == 0)
        result = keep_pages(store, image, pid, snapshot);
    if (result < 0)
        snapshot_release(snapshot);
    image_free(image);
    return result;
}

void snapshot_release(struct snapshot *snapshot)
{
    vec_release(&snapshot->page);
}

/* Pages in which two differ, one after the other; a content of 0 is that of a page of zeros. */
struct page_pair {
    uint64_t address;
    uint32_t a, b;
};

static bool next_pair(const struct snapshot *a, const struct snapshot *b, size_t *i, size_t *j, struct page_pair *pair)
{
    while (*i < a->page.n || *j < b->page.n) {
        uint64_t x = *i < a->page.n ? a->page.at[*i].address : UINT64_MAX;
        uint64_t y = *j < b->page.n ? b->page.at[*j].address : UINT64_MAX;
        pair->address = x < y ? x : y;
        pair->a = x <= y ? a->page.at[(*i)++].content : 0;
        pair->b = y <= x ? b->page.at[(*j)++].content : 0;
        if (pair->a != pair->b)
            return true;
    }
    return false;
}

size_t snapshot_distance(const struct snapshot *a, const struct snapshot *b)
{
    struct page_pair pair;
    size_t i = 0, j = 0, n = 0;
    while (next_pair(a, b, &i, &j, &pair))
        n++;
    return n;
}

void snapshot_compare(const struct snapshot_store *store, const struct snapshot *a, const struct snapshot *b,
                      snapshot_tell *tell, void *data)
{
    static const uint64_t zeros[WORDS];
    struct page_pair pair;
    size_t i = 0, j = 0;
    while (next_pair(a, b, &i, &j, &pair)) {
        const uint64_t *x = pair.a ? store->page.at[pair.a - 1] : zeros, *y = pair.b ? store->page.at[pair.b - 1] : zeros;
        for (size_t word = 0; word < WORDS; word++)
            if (x[word] != y[word])
                tell(data, pair.address + word * sizeof *x, x[word], y[word]);
    }
}
