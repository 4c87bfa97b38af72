#include "drive/savepoints.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "base/log.h"
#include "base/mem.h"
#include "world/reader.h"

enum {
    PAGE = 4096,
    MOST_PAGES = 512,              /* beyond that a copy is better, whose pages are counted anew */
    MOST_SPANS = MOST_PAGES + 8,
    MOST_BYTES = 1 << 26,          /* of the savepoints of one process */
    RSEQ = 32,                     /* bytes that the kernel writes */
};

static struct wire_channel *channel_of_animal(const struct herd *herd, int animal)
{
    return memory_channel(&herd->memory, animal);
}

void savepoints_release(struct savepoints *savepoints)
{
    for (int i = 0; i < HERD_MAX; i++) {
        vec_release(&savepoints->of[i].page);
        vec_release(&savepoints->of[i].at);
    }
    vec_release(&savepoints->own.at);
    vec_release(&savepoints->owner);
}

/* ---- pages ---- */

static bool is_known_page(const struct savepoint_owner *owner, uint64_t page)
{
    size_t low = 0, high = owner->page.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (owner->page.at[middle] < page)
            low = middle + 1;
        else
            high = middle;
    }
    return low < owner->page.n && owner->page.at[low] == page;
}

static void insert_page(struct savepoint_owner *owner, uint64_t page)
{
    size_t at = owner->page.n;
    vec_push(&owner->page, page);
    for (; at > 0 && owner->page.at[at - 1] > page; at--)
        owner->page.at[at] = owner->page.at[at - 1];
    owner->page.at[at] = page;
}

static bool add_saved_span(struct savepoint_owner *owner, struct herd *herd, uint64_t start, uint64_t end, uint64_t room)
{
    struct saved_span *span = arena_at(&herd->memory, owner->spans);
    if (owner->count == MOST_SPANS)
        return false;
    span[owner->count++] = (struct saved_span){start, end - start, room};
    return true;
}

/* The page but for two holes: what the kernel writes there, and what belongs to the process. */
static bool add_saved_spans(struct savepoint_owner *owner, struct herd *herd, const struct wire_sleep *sleep, uint64_t page)
{
    uint64_t room = (owner->page.n - 1) * PAGE, at = page, end = page + PAGE;
    uint64_t hole[2][2] = {{sleep->core_number, sleep->core_number + RSEQ},
                           {sleep->process, sleep->process + sleep->process_bytes}};
    for (int i = sleep->core_number > sleep->process, n = 0; n < 2; n++, i = !i) {
        uint64_t from = hole[i][0] > at ? hole[i][0] : at, to = hole[i][1] < end ? hole[i][1] : end;
        if (from >= to)
            continue;
        if (from > at && !add_saved_span(owner, herd, at, from, room + (at - page)))
            return false;
        at = to;
    }
    return at == end || add_saved_span(owner, herd, at, end, room + (at - page));
}

/* All mappings are what they were, but for the stack, which may have grown. */
static bool read_base(pid_t process, const struct iovec *from, const struct iovec *to)
{
    if (process_vm_readv(process, to, 1, from, 1, 0) == (ssize_t)to->iov_len)
        return true;
    memset(to->iov_base, 0, to->iov_len);
    return errno == EFAULT;
}

/*
 * One more page that was written since the process was made.  What it has written before it first slept belongs to its first
 * savepoint.
 */
static bool add_page(struct savepoint_owner *owner, struct herd *herd, int animal, const struct wire_sleep *sleep,
                     uint64_t page)
{
    int source = owner->looked ? owner->base : animal;
    if (source < 0 || owner->page.n == MOST_PAGES)
        return false;
    struct iovec from = {(void *)page, PAGE};
    struct iovec to = {(char *)arena_at(&herd->memory, owner->first) + owner->page.n * PAGE, PAGE};
    insert_page(owner, page);
    return read_base(herd_process(herd, source), &from, &to) && add_saved_spans(owner, herd, sleep, page);
}

static bool add_pages(struct savepoints *savepoints, struct herd *herd, int animal, const struct wire_sleep *sleep)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    for (size_t i = 0; i < savepoints->own.at.n; i++)
        if (!is_known_page(owner, savepoints->own.at.at[i]) &&
            !add_page(owner, herd, animal, sleep, savepoints->own.at.at[i]))
            return false;
    return true;
}

/* Memory that was given back is as good as written, as far as there was anything in it. */
static bool add_dropped(struct savepoints *savepoints, struct herd *herd, int animal, const struct wire_sleep *sleep)
{
    struct wire_channel *channel = channel_of_animal(herd, animal);
    int base = savepoints->of[animal].base;
    uint32_t dropped = atomic_load(&channel->dropped);
    for (uint32_t i = 0; i < dropped && i < WIRE_DROPPED; i++) {
        uint64_t start = channel->drop[i].start, end = start + channel->drop[i].bytes;
        if (base < 0 || image_present_pages(herd_process(herd, base), start, end, MOST_PAGES, &savepoints->own) < 0 ||
            !add_pages(savepoints, herd, animal, sleep))
            return false;
    }
    atomic_store(&channel->dropped, 0);
    return true;
}

/* Every page that was ever written is known then. */
static bool look_for_written_pages(struct savepoints *savepoints, struct herd *herd, int animal)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    const struct wire_sleep *sleep = reader_sleep(&herd->memory, animal);
    uint64_t faults = sleep ? atomic_load(&channel_of_animal(herd, animal)->faults) : 0;
    if (!sleep || !add_dropped(savepoints, herd, animal, sleep))
        return false;
    if (owner->looked && owner->faults == faults)
        return true;
    if (image_own_pages(herd_process(herd, animal), &savepoints->own) < 0 ||
        !add_pages(savepoints, herd, animal, sleep))
        return false;
    owner->faults = faults;
    owner->looked = true;
    LOG(drive, "animal %d has written %zu pages, after %llu faults", animal, owner->page.n, (unsigned long long)faults);
    return true;
}

/* ---- owners ---- */

static bool is_as_it_began(const struct savepoint_owner *owner, const struct herd *herd, int animal)
{
    struct kernel_state kernel = herd_kernel_state(herd, animal);
    return owner->able && !herd->animal[animal].gone && !atomic_load(&channel_of_animal(herd, animal)->remapped) &&
           kernel.heard == owner->heard && kernel.unknowable == DOUBT_NONE;
}

bool savepoints_can_return(struct savepoints *savepoints, struct herd *herd, int animal)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    if (owner->able && owner->back < 0)
        owner->able = is_as_it_began(owner, herd, animal) && look_for_written_pages(savepoints, herd, animal);
    return owner->able;
}

bool savepoints_before_copy(struct savepoints *savepoints, struct herd *herd, int animal)
{
    return !savepoints_has(savepoints, animal) || savepoints_can_return(savepoints, herd, animal);
}

bool savepoints_begin(struct savepoints *savepoints, struct herd *herd, int animal, int base, node_id node)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    owner->able = true;
    owner->base = base;
    owner->heard = herd_kernel_state(herd, animal).heard;
    owner->looked = false;
    owner->page.n = owner->count = owner->bytes = owner->at.n = 0;
    owner->spans = arena_take(&herd->memory, MOST_SPANS * sizeof(struct saved_span));
    owner->first = arena_take(&herd->memory, MOST_PAGES * PAGE);
    owner->back = -1;
    owner->saves = false;
    vec_push(&owner->at, (struct savepoint){.node = node, .block = owner->first});
    vec_push(&savepoints->owner, animal);
    if (savepoints_can_return(savepoints, herd, animal))
        return true;
    savepoints_end(savepoints, herd, animal);
    return false;
}

static void drop_last(struct savepoint_owner *owner, struct herd *herd)
{
    struct savepoint last = vec_pop(&owner->at);
    owner->bytes -= last.bytes;
    if (last.bytes)
        arena_give(&herd->memory, last.block, last.bytes);
}

void savepoints_end(struct savepoints *savepoints, struct herd *herd, int animal)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    if (owner->at.n == 0)
        return;
    while (owner->at.n)
        drop_last(owner, herd);
    arena_give(&herd->memory, owner->spans, MOST_SPANS * sizeof(struct saved_span));
    arena_give(&herd->memory, owner->first, MOST_PAGES * PAGE);
    owner->able = false;
    owner->back = -1;
    owner->saves = false;
    for (size_t i = 0; i < savepoints->owner.n; i++)
        if (savepoints->owner.at[i] == animal)
            savepoints->owner.at[i--] = vec_pop(&savepoints->owner);
}

void savepoints_leave_base(struct savepoints *savepoints, int base)
{
    for (size_t i = 0; i < savepoints->owner.n; i++)
        if (savepoints->of[savepoints->owner.at[i]].base == base)
            savepoints->of[savepoints->owner.at[i]].base = -1;
}

struct savepoint *savepoints_find(struct savepoints *savepoints, int animal, node_id node)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    for (size_t i = owner->at.n; i-- > 0;)
        if (owner->at.at[i].node == node)
            return &owner->at.at[i];
    return NULL;
}

bool savepoints_are_wanted(const struct savepoints *savepoints, int animal)
{
    const struct savepoint_owner *owner = &savepoints->of[animal];
    for (size_t i = 0; owner->able && i < owner->at.n; i++)
        if (!owner->at.at[i].last)
            return true;
    return false;
}

/* ---- going on and back ---- */

bool savepoints_make(struct savepoints *savepoints, struct herd *herd, int animal, node_id node)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    if (!savepoints_can_return(savepoints, herd, animal))
        return false;
    struct savepoint made = {.node = node, .bytes = owner->page.n * PAGE, .spans = owner->count};
    if (owner->bytes + made.bytes > MOST_BYTES)
        return false;
    made.block = arena_take(&herd->memory, made.bytes);
    owner->bytes += made.bytes;
    owner->saves = true;
    vec_push(&owner->at, made);
    return true;
}

void savepoints_return(struct savepoints *savepoints, struct herd *herd, int animal, const struct savepoint *to)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    size_t number = (size_t)(to - owner->at.at);
    while (owner->at.n > number + 1)
        drop_last(owner, herd);
    owner->back = (int)number;
}

struct savepoint_order savepoints_order(struct savepoints *savepoints, int animal)
{
    struct savepoint_owner *owner = &savepoints->of[animal];
    struct savepoint_order order = {.spans = owner->spans, .count = owner->count, .first = owner->first};
    if (owner->at.n == 0 || (owner->back < 0 && !owner->saves))
        return (struct savepoint_order){0};
    if (owner->back >= 0) {
        order.back = owner->at.at[owner->back].block;
        order.back_count = owner->at.at[owner->back].spans;
    }
    if (owner->saves)
        order.save = vec_last(&owner->at).block;
    owner->back = -1;
    owner->saves = false;
    return order;
}
