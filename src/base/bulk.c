#include "base/bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"

enum { LARGE = 1 << 20 };

/* Room is asked for beforehand: a page for which there is none would end the process when it is touched. */
static int open_backing_file(size_t bytes)
{
    const char *given = getenv("TMPDIR"), *dir = given && *given ? given : "/var/tmp";
    int file = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int error = file < 0 ? 0 : EINTR;
    while (error == EINTR)
        error = posix_fallocate(file, 0, (off_t)bytes);
    if (!error)
        return file;
    close(file);
    return -1;
}

static void *map_bulk(size_t bytes)
{
    int file = open_backing_file(bytes);
    void *at = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file); /* it is there as long as it is mapped */
    if (at == MAP_FAILED)
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        die("out of memory (%zu bytes)", bytes);
    return at;
}

void *bulk_new(size_t bytes)
{
    return bytes < LARGE ? xcalloc(1, bytes) : map_bulk(bytes);
}

void *bulk_grow(void *old, size_t from, size_t to)
{
    void *new = bulk_new(to);
    if (from)
        memcpy(new, old, from < to ? from : to);
    bulk_free(old, from);
    return new;
}

void bulk_free(void *at, size_t bytes)
{
    if (bytes < LARGE)
        free(at);
    else if (munmap(at, bytes) < 0)
        BUG("memory is given back that was not taken");
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
