#include "window/content.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"

enum { CHUNK = 4096 };

struct content_chunk {
    uint32_t shares;
    bool summed;
    uint64_t sum; /* of its bytes, if it is `summed` */
    char bytes[CHUNK];
};

static size_t chunks_in(uint64_t bytes)
{
    return (size_t)((bytes + CHUNK - 1) / CHUNK);
}

void content_copy(struct content *to, const struct content *from)
{
    vec_copy(&to->region, &from->region);
    for (size_t i = 0; i < to->region.n; i++) {
        struct content_region *region = &to->region.at[i];
        if (region->shown)
            BUG("memory that ranks have between them is copied");
        size_t n = chunks_in(region->bytes);
        region->chunk = xmemdup(region->chunk, n, sizeof *region->chunk);
        for (size_t k = 0; k < n; k++)
            region->chunk[k]->shares++;
    }
}

static void drop_share(struct content_chunk *chunk)
{
    if (--chunk->shares == 0)
        free(chunk);
}

static void region_release(struct content_region *region)
{
    for (size_t i = 0; i < chunks_in(region->bytes) && !region->shown; i++)
        drop_share(region->chunk[i]);
    free(region->chunk);
}

void content_release(struct content *content)
{
    vec_release_each(&content->region, region_release);
}

void content_attach(struct content *content, uint64_t at, const void *bytes, uint64_t n)
{
    struct content_region region = {.at = at, .bytes = n, .chunk = xcalloc(chunks_in(n), sizeof *region.chunk)};
    for (uint64_t done = 0; done < n; done += CHUNK) {
        struct content_chunk *chunk = xcalloc(1, sizeof *chunk);
        uint64_t part = n - done < CHUNK ? n - done : CHUNK;
        chunk->shares = 1;
        memcpy(chunk->bytes, (const char *)bytes + done, part);
        region.chunk[done / CHUNK] = chunk;
    }
    vec_push(&content->region, region);
    for (size_t i = content->region.n - 1; i > 0 && content->region.at[i - 1].at > at; i--) {
        content->region.at[i] = content->region.at[i - 1];
        content->region.at[i - 1] = region;
    }
}

void content_adopt(struct content *content, char *shown, uint64_t n)
{
    vec_push(&content->region, ((struct content_region){.bytes = n, .shown = shown}));
}

void content_detach(struct content *content, uint64_t at)
{
    for (size_t i = 0; i < content->region.n; i++)
        if (content->region.at[i].at == at) {
            region_release(&content->region.at[i]);
            for (; i + 1 < content->region.n; i++)
                content->region.at[i] = content->region.at[i + 1];
            content->region.n--;
        }
}

/* The region in which all of these bytes lie; NULL: there is none. */
static struct content_region *region_of(const struct content *content, uint64_t at, uint64_t n)
{
    size_t first = 0, last = content->region.n;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (content->region.at[middle].at <= at)
            first = middle + 1;
        else
            last = middle;
    }
    if (first == 0)
        return NULL;
    struct content_region *region = &content->region.at[first - 1];
    uint64_t from = at - region->at;
    return from <= region->bytes && n <= region->bytes - from ? region : NULL;
}

bool content_has(const struct content *content, uint64_t at, uint64_t n)
{
    return region_of(content, at, n) != NULL;
}

/* The region of bytes that must be there. */
static struct content_region *expect_region(const struct content *content, uint64_t at, uint64_t n)
{
    struct content_region *region = region_of(content, at, n);
    if (!region)
        BUG("%llu bytes at %llu are not in the window", (unsigned long long)n, (unsigned long long)at);
    return region;
}

void content_read(const struct content *content, uint64_t at, void *to, uint64_t n)
{
    const struct content_region *region = expect_region(content, at, n);
    at -= region->at;
    if (region->shown) {
        memcpy(to, region->shown + at, n);
        return;
    }
    for (uint64_t part; n; at += part, to = (char *)to + part, n -= part) {
        part = CHUNK - at % CHUNK < n ? CHUNK - at % CHUNK : n;
        memcpy(to, region->chunk[at / CHUNK]->bytes + at % CHUNK, part);
    }
}

bool content_is(const struct content *content, uint64_t at, const void *bytes, uint64_t n)
{
    const struct content_region *region = expect_region(content, at, n);
    at -= region->at;
    if (region->shown)
        return memcmp(region->shown + at, bytes, n) == 0;
    for (uint64_t part; n; at += part, bytes = (const char *)bytes + part, n -= part) {
        part = CHUNK - at % CHUNK < n ? CHUNK - at % CHUNK : n;
        if (memcmp(region->chunk[at / CHUNK]->bytes + at % CHUNK, bytes, part) != 0)
            return false;
    }
    return true;
}

static struct content_chunk *own_chunk(struct content_chunk **chunk)
{
    struct content_chunk *shared = *chunk;
    if (shared->shares > 1) {
        *chunk = xmemdup(shared, 1, sizeof *shared);
        (*chunk)->shares = 1;
        shared->shares--;
    }
    (*chunk)->summed = false;
    return *chunk;
}

void content_write(struct content *content, uint64_t at, const void *from, uint64_t n)
{
    struct content_region *region = expect_region(content, at, n);
    at -= region->at;
    if (region->shown) {
        memcpy(region->shown + at, from, n);
        return;
    }
    for (uint64_t part; n; at += part, from = (const char *)from + part, n -= part) {
        part = CHUNK - at % CHUNK < n ? CHUNK - at % CHUNK : n;
        memcpy(own_chunk(&region->chunk[at / CHUNK])->bytes + at % CHUNK, from, part);
    }
}

void content_stir(const struct content *content, struct map_key *sum)
{
    for (size_t i = 0; i < content->region.n; i++) {
        const struct content_region *region = &content->region.at[i];
        hash_stir(sum, region->at);
        hash_stir(sum, region->bytes);
        if (region->shown)
            hash_stir(sum, hash_bytes(0, region->shown, region->bytes));
        for (size_t k = 0; k < chunks_in(region->bytes) && !region->shown; k++) {
            struct content_chunk *chunk = region->chunk[k];
            if (!chunk->summed)
                chunk->sum = hash_bytes(0, chunk->bytes, CHUNK);
            chunk->summed = true;
            hash_stir(sum, chunk->sum);
        }
    }
}
