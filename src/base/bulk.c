#include "base/bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"

enum {
    LARGE = 1 << 20,
    WARM = 8 << 20, /* bytes of large blocks that may be in memory before they are let go, where the process has no more of its own */
};

/* A large block that lies in a file. */
struct backed_block {
    char *at;
    size_t bytes;
    int file; /* open, if it is to grow; else -1 */
};

static VEC(struct backed_block) backed;
static size_t shared_before; /* shared pages in memory when there was no block yet */

/* Pages of this process that are in memory. */
struct resident {
    size_t shared, own;
};

static struct resident resident_pages(void)
{
    char text[128] = "";
    size_t size, all, shared;
    struct resident resident = {0};
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return resident;
    if (read(file, text, sizeof text - 1) > 0 && sscanf(text, "%zu %zu %zu", &size, &all, &shared) == 3)
        resident = (struct resident){shared, all - shared};
    close(file);
    return resident;
}

static struct backed_block *find_backed(const void *at)
{
    for (size_t i = backed.n; i-- > 0;)
        if (backed.at[i].at == at)
            return &backed.at[i];
    return NULL;
}

/* Room is asked for beforehand: a page for which there is none would end the process when it is touched. */
static bool reserve_room(int file, size_t bytes)
{
    int error = EINTR;
    while (error == EINTR)
        error = posix_fallocate(file, 0, (off_t)bytes);
    return !error;
}

static int open_backing_file(size_t bytes)
{
    const char *given = getenv("TMPDIR"), *dir = given && *given ? given : "/var/tmp";
    int file = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 && reserve_room(file, bytes))
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static void *map_in_file(int file, size_t bytes, bool grows)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED || !grows)
        close(file); /* it is there as long as it is mapped */
    if (at == MAP_FAILED)
        return at;
    if (!backed.n)
        shared_before = resident_pages().shared;
    vec_push(&backed, (struct backed_block){at, bytes, grows ? file : -1});
    return at;
}

static void *map_bulk(size_t bytes, bool grows)
{
    int file = open_backing_file(bytes);
    void *at = file < 0 ? MAP_FAILED : map_in_file(file, bytes, grows);
    if (at == MAP_FAILED)
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        die("out of memory (%zu bytes)", bytes);
    return at;
}

void *bulk_new(size_t bytes)
{
    return bytes < LARGE ? xcalloc(1, bytes) : map_bulk(bytes, false);
}

/* A large block grows where it lies, so that nothing of it has to be in memory for that; NULL: it cannot. */
static void *grow_in_place(void *old, size_t from, size_t to)
{
    struct backed_block *block = find_backed(old);
    if (block && (block->file < 0 || !reserve_room(block->file, to)))
        return NULL;
    void *new = mremap(old, from, to, MREMAP_MAYMOVE);
    if (new == MAP_FAILED)
        return NULL;
    if (block)
        *block = (struct backed_block){new, to, block->file};
    return new;
}

void *bulk_grow(void *old, size_t from, size_t to)
{
    void *new = from >= LARGE && to > from ? grow_in_place(old, from, to) : NULL;
    if (new)
        return new;
    new = to < LARGE ? xcalloc(1, to) : map_bulk(to, true);
    if (from)
        memcpy(new, old, from < to ? from : to);
    bulk_free(old, from);
    return new;
}

void bulk_free(void *at, size_t bytes)
{
    struct backed_block *block = bytes < LARGE ? NULL : find_backed(at);
    if (block) {
        if (block->file >= 0)
            close(block->file);
        *block = vec_pop(&backed);
        if (!backed.n)
            vec_release(&backed);
    }
    if (bytes < LARGE)
        free(at);
    else if (munmap(at, bytes) < 0)
        BUG("memory is given back that was not taken");
}

/* To have pages back takes time, so there may be as many as the process has of its own. */
static bool are_too_many(struct resident resident)
{
    enum { PAGE = 4096 };
    size_t most = resident.own > WARM / PAGE ? resident.own : WARM / PAGE;
    return resident.shared >= shared_before + most;
}

/* The pages stay in their file, and come back when they are looked at. */
void bulk_pass(void)
{
    enum { PIECES = 256 };
    static unsigned passed;
    if (++passed % PIECES || !backed.n || !are_too_many(resident_pages()))
        return;
    for (size_t i = 0; i < backed.n; i++)
        madvise(backed.at[i].at, backed.at[i].bytes, MADV_DONTNEED);
}

void *bulk_room(void *at, size_t n, size_t *cap, size_t size)
{
    size_t next = *cap + *cap / 2 + 64;
    if (n < *cap)
        return at;
    at = bulk_grow(at, *cap * size, next * size);
    *cap = next;
    return at;
}

/* ---- hoards ---- */

struct hoard_block {
    struct hoard_block *before;
    size_t bytes; /* with this */
};

/* Blocks grow with what was taken so far, so that there are few of them and little is left over. */
static void add_block(struct hoard *hoard, size_t need)
{
    enum { FIRST = 1 << 12, MOST = 1 << 24 };
    size_t bytes = hoard->last ? 2 * hoard->last->bytes : FIRST;
    bytes = bytes < MOST ? bytes : MOST;
    if (bytes < need + sizeof(struct hoard_block))
        bytes = need + sizeof(struct hoard_block);
    struct hoard_block *block = bulk_new(bytes);
    *block = (struct hoard_block){hoard->last, bytes};
    hoard->last = block;
    hoard->at = (char *)(block + 1);
    hoard->left = bytes - sizeof *block;
}

void *hoard_take(struct hoard *hoard, size_t bytes)
{
    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > hoard->left || !hoard->last)
        add_block(hoard, bytes);
    void *at = hoard->at;
    hoard->at += bytes;
    hoard->left -= bytes;
    return at;
}

void *hoard_copy(struct hoard *hoard, const void *from, size_t bytes)
{
    void *to = hoard_take(hoard, bytes);
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

void hoard_release(struct hoard *hoard)
{
    while (hoard->last) {
        struct hoard_block *block = hoard->last;
        hoard->last = block->before;
        bulk_free(block, block->bytes);
    }
    *hoard = (struct hoard){0};
}
