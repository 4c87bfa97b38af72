#include "world/image.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mem.h"
#include "world/maps.h"

enum {
    PAGE = 4096,
    ENTRIES = 2048, /* of the page map that are read at once */
    LARGE = 512,    /* pages of a mapping; of a larger one it is asked first where there are any */
    TOO_LARGE = 1 << 24, /* pages of a mapping; if nobody says where there are any, up to here all are gone through */
    GAP = 48,       /* pages between two mappings for which a call of its own does not pay */
    BATCH = 32,     /* pages that are read at once */
    RSEQ = 32,      /* bytes */
    REGIONS = 128,  /* that are asked for at once */
};

/* Bits of an entry in /proc/PID/pagemap. */
#define PRESENT (UINT64_C(1) << 63)
#define SWAPPED (UINT64_C(1) << 62)
#define OF_FILE (UINT64_C(1) << 61) /* or shared */
#define GUARD (UINT64_C(1) << 58)   /* it cannot be touched (MADV_GUARD_INSTALL), and counts as swapped; Linux 6.15 says so */
#define ALONE (UINT64_C(1) << 56)   /* mapped by this process only */

struct memory_page {
    uint64_t address;
    struct map_key sum; /* of the contents; zero: they are zero */
};

struct image {
    VEC(struct memory_page) page; /* by address */
    struct wire_sleep sleep;
    bool dead_stack;       /* memory below the stack pointer was left out */
    bool looked;
};

struct image *image_new(void)
{
    return xcalloc(1, sizeof(struct image));
}

struct image *image_copy(const struct image *from)
{
    struct image *image = image_new();
    *image = *from;
    vec_copy(&image->page, &from->page);
    return image;
}

void image_free(struct image *image)
{
    if (image)
        vec_release(&image->page);
    free(image);
}

/* ---- hashes ---- */

static uint64_t fold_product(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static const uint64_t odd[] = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93, 0xa0761d6478bd642f, 0xe7037ed1a0b428db};

static struct map_key hash_words(uint64_t seed, const uint64_t *word, size_t n)
{
    uint64_t a = fold_product(seed ^ odd[0], odd[1]), b = fold_product(seed ^ odd[2], odd[3]);
    for (size_t i = 0; i + 1 < n; i += 2) {
        a = fold_product(a ^ word[i] ^ odd[0], word[i + 1] ^ odd[1]) + word[i];
        b = fold_product(b ^ word[i + 1] ^ odd[2], word[i] ^ odd[3]) + word[i + 1];
    }
    return (struct map_key){fold_product(a ^ odd[1], b ^ odd[0]) + a, fold_product(b ^ odd[3], a ^ odd[2]) + b};
}

static void add_sum(struct map_key *sum, struct map_key more)
{
    sum->high += more.high;
    sum->low += more.low;
}

static bool is_zero(struct map_key sum)
{
    return sum.high == 0 && sum.low == 0;
}

static bool has_zeros_only(const uint64_t *word)
{
    return word[0] == 0 && memcmp(word, word + 1, PAGE - sizeof *word) == 0;
}

/* ---- one reading ---- */

struct address_span {
    uint64_t start, end;
};

/* Whether a page has contents. */
static bool has_contents(uint64_t entry)
{
    return entry & (PRESENT | SWAPPED) && !(entry & GUARD);
}

/* A page to be read: its place among the pages. */
struct fresh {
    uint32_t page;
    bool written; /* over a page of a file: then it counts even if it is zero now */
};

struct image_reading {
    const struct image *image;      /* what was known before */
    struct own_pages *own;          /* only these are looked for; NULL: an image is wanted */
    pid_t pid;
    int pagemap;                    /* of the process */
    const struct wire_sleep *sleep;
    struct maps maps;
    struct address_span dead;               /* the stack below its pointer; start == end: nothing is */
    VEC(struct memory_page) page;          /* what is there now */
    VEC(struct fresh) fresh;        /* of them: to be read */
    VEC(struct address_span) carried;       /* anonymous memory, about: taken for unchanged */
    VEC(uint64_t) gone;             /* pages that were known */
    struct map_key guards;          /* sum of where pages are that cannot be touched */
    size_t old;                     /* how many known pages have been compared */
    bool lost;                      /* one of them was not zero, and is not there any more */
};

static bool has_dead_stack(const struct image_reading *reading)
{
    return reading->dead.start < reading->dead.end;
}

static void blank(uint64_t address, void *page, uint64_t from, uint64_t to)
{
    uint64_t start = from > address ? from : address, end = to < address + PAGE ? to : address + PAGE;
    if (start < end)
        memset((char *)page + (start - address), 0, end - start);
}

/* Makes zero what is of no account. */
static void blank_noise(const struct wire_sleep *sleep, bool dead_stack, uint64_t address, void *page)
{
    if (dead_stack && sleep->stack / PAGE == address / PAGE)
        blank(address, page, address, sleep->stack);
    blank(address, page, sleep->noise, sleep->noise + sleep->noise_bytes);
    blank(address, page, sleep->thread_number, sleep->thread_number + sizeof(int));
    blank(address, page, sleep->core_number, sleep->core_number + RSEQ);
}

/* A page that other processes map, too, is copied for this one by being read: the kernel unshares what it pins. */
static int read_pages(pid_t pid, const struct iovec *from, size_t n, void *to)
{
    struct iovec all = {to, n * PAGE};
    return process_vm_readv(pid, &all, 1, from, n, 0) == (ssize_t)(n * PAGE) ? 0 : -1;
}

static int read_batch(struct image_reading *reading, const struct fresh *fresh, size_t n)
{
    _Alignas(64) char contents[BATCH * PAGE];
    struct iovec from[BATCH];
    for (size_t i = 0; i < n; i++)
        from[i] = (struct iovec){(void *)reading->page.at[fresh[i].page].address, PAGE};
    if (read_pages(reading->pid, from, n, contents) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        struct memory_page *page = &reading->page.at[fresh[i].page];
        uint64_t *words = (uint64_t *)(contents + i * PAGE);
        blank_noise(reading->sleep, has_dead_stack(reading), page->address, words);
        if (fresh[i].written || !has_zeros_only(words))
            page->sum = hash_words(page->address, words, PAGE / sizeof *words);
    }
    return 0;
}

static int read_fresh(struct image_reading *reading)
{
    for (size_t i = 0; i < reading->fresh.n; i += BATCH)
        if (read_batch(reading, reading->fresh.at + i, reading->fresh.n - i < BATCH ? reading->fresh.n - i : BATCH) < 0)
            return -1;
    return 0;
}

/* ---- which pages there are ---- */

/* PAGEMAP_SCAN of <linux/fs.h>, which may be older; Linux 6.7. */
struct scan {
    uint64_t size, flags, start, end, walk_end;
    uint64_t regions, regions_room, max_pages;
    uint64_t inverted, all_of, any_of, wanted;
};
struct mapped_region {
    uint64_t start, end, is;
};
#define SCAN _IOWR('f', 16, struct scan)
enum { IS_PRESENT = 1 << 3, IS_SWAPPED = 1 << 4, IS_ZERO_PAGE = 1 << 5 };

/* Runs of pages of a kind, the next ones in the span, which begins behind them then.  -1: the kernel does not say. */
static int next_regions(const struct image_reading *reading, struct address_span *span, uint64_t kind,
                        struct mapped_region *region)
{
    struct scan scan = {.size = sizeof scan,
                        .start = span->start,
                        .end = span->end,
                        .regions = (uintptr_t)region,
                        .regions_room = REGIONS,
                        .any_of = kind,
                        .wanted = kind};
    int n = ioctl(reading->pagemap, SCAN, &scan);
    if (n < 0 || scan.walk_end <= span->start)
        return -1;
    span->start = scan.walk_end;
    return n;
}

static void miss(struct image_reading *reading, const struct memory_page *page)
{
    if (reading->dead.start <= page->address && page->address < reading->dead.end)
        return;
    vec_push(&reading->gone, page->address);
    reading->lost |= !is_zero(page->sum);
}

/* What was known of a page, or NULL; asked for in the order of addresses. */
static const struct memory_page *known(struct image_reading *reading, uint64_t address)
{
    const struct image *image = reading->image;
    while (reading->old < image->page.n && image->page.at[reading->old].address < address)
        miss(reading, &image->page.at[reading->old++]);
    if (reading->old < image->page.n && image->page.at[reading->old].address == address)
        return &image->page.at[reading->old++];
    return NULL;
}

/* How much of this page is dead is another question than at the last reading. */
static bool is_stack_end(const struct image_reading *reading, uint64_t address)
{
    uint64_t before = reading->image->sleep.stack, now = reading->sleep->stack;
    return before != now && (before / PAGE == address / PAGE || now / PAGE == address / PAGE);
}

static void carry(struct image_reading *reading, const struct mapping *mapping, const struct memory_page *page)
{
    vec_push(&reading->page, *page);
    if (mapping->file || is_zero(page->sum))
        return;
    if (reading->carried.n && page->address - vec_last(&reading->carried).end <= GAP * PAGE)
        vec_last(&reading->carried).end = page->address + PAGE;
    else
        vec_push(&reading->carried, (struct address_span){page->address, page->address + PAGE});
}

static void see_page(struct image_reading *reading, const struct mapping *mapping, uint64_t address, uint64_t entry,
                     bool afresh)
{
    if (entry & GUARD)
        add_sum(&reading->guards, hash_words(address, &(uint64_t[]){GUARD, 0}[0], 2));
    bool untouched = !has_contents(entry) || (mapping->file && entry & OF_FILE);
    if (untouched)
        return;
    if (reading->own) {
        if (entry & (ALONE | SWAPPED))
            vec_push(&reading->own->at, address);
        return;
    }
    const struct memory_page *before = known(reading, address);
    if (before && !afresh && !(entry & (ALONE | SWAPPED)) && !is_stack_end(reading, address)) {
        carry(reading, mapping, before);
        return;
    }
    vec_push(&reading->fresh, (struct fresh){reading->page.n, mapping->file});
    vec_push(&reading->page, (struct memory_page){.address = address});
}

/* Entries of the page map from an address on; how many. */
static size_t read_entries(const struct image_reading *reading, uint64_t address, uint64_t *entry, size_t n)
{
    ssize_t got = pread(reading->pagemap, entry, n * sizeof *entry, address / PAGE * sizeof *entry);
    return got < 0 ? 0 : got / sizeof *entry;
}

/* From `start` to `end`, where there is `mapping`, and others behind it. */
static int see_span(struct image_reading *reading, const struct mapping *mapping, uint64_t start, uint64_t end,
                    bool afresh)
{
    uint64_t entry[ENTRIES];
    for (uint64_t at = start; at < end;) {
        size_t n = (end - at) / PAGE < ENTRIES ? (end - at) / PAGE : ENTRIES;
        if (read_entries(reading, at, entry, n) != n)
            return -1;
        for (size_t i = 0; i < n; i++, at += PAGE) {
            while (mapping->end <= at)
                mapping++;
            if (mapping->start <= at)
                see_page(reading, mapping, at, entry[i], afresh);
        }
    }
    return 0;
}

/* Those between which a call of its own does not pay become one; how many are left. */
static int join_regions(struct mapped_region *region, int n)
{
    int last = 0;
    for (int i = 1; i < n; i++)
        if (region[i].start - region[last].end <= GAP * PAGE)
            region[last].end = region[i].end;
        else
            region[++last] = region[i];
    return n ? last + 1 : 0;
}

/* Mappings that lie close together.  Large ones may be nearly empty, and some are as large as all memory. */
static int see_group(struct image_reading *reading, const struct mapping *mapping, struct address_span group,
                     bool afresh)
{
    struct mapped_region region[REGIONS];
    bool large = (group.end - group.start) / PAGE > LARGE;
    while (large && group.start < group.end) {
        int n = next_regions(reading, &group, IS_PRESENT | IS_SWAPPED, region);
        if (n < 0)
            break;
        n = join_regions(region, n);
        for (int i = 0; i < n; i++)
            if (see_span(reading, mapping, region[i].start, region[i].end, afresh) < 0)
                return -1;
    }
    return (group.end - group.start) / PAGE > TOO_LARGE ? -1
                                                        : see_span(reading, mapping, group.start, group.end, afresh);
}

static bool is_stack(const struct image_reading *reading, const struct mapping *mapping)
{
    return has_dead_stack(reading) && mapping->start == reading->dead.start;
}

/* Goes through the pages that are there.  `afresh`: none is taken for unchanged. */
static int see_pages(struct image_reading *reading, bool afresh)
{
    vec_clear(&reading->page);
    vec_clear(&reading->fresh);
    vec_clear(&reading->carried);
    vec_clear(&reading->gone);
    reading->old = 0;
    reading->guards = (struct map_key){0};
    reading->lost = false;
    for (size_t i = 0, next; i < reading->maps.of.n; i = next) {
        const struct mapping *mapping = &reading->maps.of.at[i];
        uint64_t start = is_stack(reading, mapping) ? reading->sleep->stack & -PAGE : mapping->start,
                 end = mapping->end;
        for (next = i + 1; next < reading->maps.of.n; end = reading->maps.of.at[next++].end)
            if (reading->maps.of.at[next].start - end > GAP * PAGE || is_stack(reading, &reading->maps.of.at[next]))
                break;
        if (see_group(reading, mapping, (struct address_span){start, end}, afresh) < 0)
            return -1;
    }
    if (!reading->own)
        known(reading, UINT64_MAX);
    return 0;
}

/* ---- what can be wrong with taking pages for unchanged ---- */

static bool has_carried(const struct image_reading *reading, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < reading->page.n; i++)
        if (start <= reading->page.at[i].address && reading->page.at[i].address < end &&
            !is_zero(reading->page.at[i].sum))
            return true;
    return false;
}

/*
 * Memory given back and got again, and only read since, is the system's one page of
 * zeros, which many map.  True also if that cannot be found out.
 */
static bool became_zero(const struct image_reading *reading, struct address_span span)
{
    struct mapped_region region[REGIONS];
    while (span.start < span.end) {
        int n = next_regions(reading, &span, IS_ZERO_PAGE, region);
        if (n < 0)
            return true;
        for (int i = 0; i < n; i++)
            if (has_carried(reading, region[i].start, region[i].end))
                return true;
    }
    return false;
}

/*
 * A page can also have moved, with its mapping, to where another one was known; then the
 * place from which it came is gone.
 */
static bool is_in_doubt(const struct image_reading *reading)
{
    if (reading->lost)
        return true;
    for (size_t i = 0; i < reading->carried.n; i++)
        if (became_zero(reading, reading->carried.at[i]))
            return true;
    return false;
}

/* Memory that can be written no more, but is still there: its contents would not be in the image. */
static bool has_hidden(const struct image_reading *reading)
{
    uint64_t entry[ENTRIES];
    for (size_t i = 0; i < reading->gone.n;) {
        uint64_t start = reading->gone.at[i];
        size_t n = read_entries(reading, start, entry, ENTRIES);
        if (n == 0)
            return true;
        for (; i < reading->gone.n && reading->gone.at[i] < start + n * PAGE; i++) {
            uint64_t e = entry[(reading->gone.at[i] - start) / PAGE];
            if (has_contents(e) && !(e & OF_FILE))
                return true;
        }
    }
    return false;
}

/* ---- all together ---- */

/* Where memory is, whether it was touched or not.  How far down the stack once went is of no account. */
static struct map_key layout_sum(const struct image_reading *reading)
{
    struct map_key sum = {0};
    for (size_t i = 0, next; i < reading->maps.of.n; i = next) {
        uint64_t start = reading->maps.of.at[i].start, end = reading->maps.of.at[i].end;
        for (next = i + 1; next < reading->maps.of.n && reading->maps.of.at[next].start == end; next++)
            end = reading->maps.of.at[next].end;
        if (has_dead_stack(reading) && start == reading->dead.start)
            start = 0;
        add_sum(&sum, hash_words(start, &(uint64_t[]){end, 0}[0], 2));
    }
    return sum;
}

static int look_for_pages(struct image_reading *reading)
{
    const struct image *image = reading->image;
    bool afresh =
        !image->looked || image->sleep.forks != reading->sleep->forks || image->dead_stack != has_dead_stack(reading);
    if (see_pages(reading, afresh) < 0 || has_hidden(reading))
        return -1;
    if (!afresh && is_in_doubt(reading) && see_pages(reading, true) < 0)
        return -1;
    return read_fresh(reading);
}

static int open_pagemap(pid_t pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/pagemap", (int)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool image_knows_sparse_memory(void)
{
    struct mapped_region region[REGIONS];
    struct image_reading reading = {.pagemap = open_pagemap(getpid())};
    struct address_span span = {(uintptr_t)&reading & -PAGE, ((uintptr_t)&reading & -PAGE) + PAGE};
    bool knows = reading.pagemap >= 0 && next_regions(&reading, &span, IS_PRESENT | IS_SWAPPED, region) >= 0;
    if (reading.pagemap >= 0)
        close(reading.pagemap);
    return knows;
}

static void keep_image(struct image *image, struct image_reading *reading, struct map_key *sum)
{
    vec_release(&image->page);
    vec_copy(&image->page, &reading->page);
    image->sleep = *reading->sleep;
    image->dead_stack = has_dead_stack(reading);
    image->looked = true;
    *sum = layout_sum(reading);
    add_sum(sum, reading->guards);
    for (size_t i = 0; i < image->page.n; i++)
        add_sum(sum, image->page.at[i].sum);
}

static bool mapping_holds(const struct mapping *mapping, uint64_t address)
{
    return mapping->start <= address && address < mapping->end;
}

/*
 * Below its pointer only the stack that the process began with is dead.  Elsewhere a pointer tells nothing: it may be in
 * the stack of a coroutine, with others below it that will go on.
 */
static struct address_span find_dead_stack(const struct image_reading *reading)
{
    for (size_t i = 0; i < reading->maps.of.n; i++) {
        const struct mapping *mapping = &reading->maps.of.at[i];
        if (mapping_holds(mapping, reading->sleep->stack) && mapping_holds(mapping, reading->sleep->first_stack))
            return (struct address_span){mapping->start, reading->sleep->stack};
    }
    return (struct address_span){0};
}

int image_look(struct image *image, pid_t pid, const struct wire_sleep *sleep, bool whole_stack, struct map_key *sum)
{
    struct image_reading reading = {.image = image, .pid = pid, .sleep = sleep, .pagemap = open_pagemap(pid)};
    int result = reading.pagemap < 0 || sleep->threads ? -1 : maps_read(&reading.maps, pid);
    if (!whole_stack)
        reading.dead = find_dead_stack(&reading);
    if (result == 0)
        result = look_for_pages(&reading);
    if (result == 0)
        keep_image(image, &reading, sum);
    if (reading.pagemap >= 0)
        close(reading.pagemap);
    maps_release(&reading.maps);
    vec_release(&reading.page);
    vec_release(&reading.fresh);
    vec_release(&reading.carried);
    vec_release(&reading.gone);
    return result;
}

int image_own_pages(pid_t pid, struct own_pages *own)
{
    struct image_reading reading = {.own = own, .pid = pid, .pagemap = open_pagemap(pid)};
    vec_clear(&own->at);
    int result = reading.pagemap < 0 ? -1 : maps_read(&reading.maps, pid);
    if (result == 0)
        result = see_pages(&reading, false);
    if (reading.pagemap >= 0)
        close(reading.pagemap);
    maps_release(&reading.maps);
    return result;
}

static int add_present_region(const struct image_reading *reading, const struct mapped_region *region, size_t most)
{
    for (uint64_t at = region->start; at < region->end; at += PAGE) {
        uint64_t entry;
        if (reading->own->at.n == most || read_entries(reading, at, &entry, 1) != 1)
            return -1;
        if (has_contents(entry))
            vec_push(&reading->own->at, at);
    }
    return 0;
}

static int add_present_pages(const struct image_reading *reading, struct address_span span, size_t most)
{
    struct mapped_region region[REGIONS];
    while (span.start < span.end) {
        int n = next_regions(reading, &span, IS_PRESENT | IS_SWAPPED, region);
        if (n < 0)
            return -1;
        for (int i = 0; i < n; i++)
            if (add_present_region(reading, &region[i], most) < 0)
                return -1;
    }
    return 0;
}

int image_present_pages(pid_t pid, uint64_t start, uint64_t end, size_t most, struct own_pages *pages)
{
    struct image_reading reading = {.own = pages, .pid = pid, .pagemap = open_pagemap(pid)};
    struct address_span span = {start & -(uint64_t)PAGE, (end + PAGE - 1) & -(uint64_t)PAGE};
    vec_clear(&pages->at);
    int result = reading.pagemap < 0 ? -1 : add_present_pages(&reading, span, most);
    if (reading.pagemap >= 0)
        close(reading.pagemap);
    return result;
}

bool image_page(const struct image *image, size_t number, uint64_t *address, struct map_key *sum)
{
    if (number >= image->page.n)
        return false;
    *address = image->page.at[number].address;
    *sum = image->page.at[number].sum;
    return true;
}

int image_read_page(const struct image *image, pid_t pid, uint64_t address, void *page)
{
    if (read_pages(pid, &(struct iovec){(void *)address, PAGE}, 1, page) < 0)
        return -1;
    blank_noise(&image->sleep, image->dead_stack, address, page);
    return 0;
}
