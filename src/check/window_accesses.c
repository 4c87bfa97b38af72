#include "check/window_accesses.h"

#include <string.h>

#include "call/calls.h"
#include "call/operators.h"
#include "check/window_past.h"

static const struct op_name nowhere = {RANK_NONE, 0};

uint32_t access_pieces(const struct race_access *access)
{
    return access->touch ? 1 : access->use->pieces;
}

struct window_piece access_piece(const struct window_accesses *all, const struct race_access *access, uint32_t i)
{
    struct window_piece piece = access->touch ? access->touch->piece : window_use_pieces(access->use)[i];
    piece.at += all->window.at[access->window].base[access->owner];
    return piece;
}

static bool is_end_known(struct op_name end, const struct race_access *by)
{
    if (end.rank == RANK_NONE)
        return false;
    return end.rank == by->origin ? by->number >= end.op : by->clock[end.rank] > end.op;
}

bool access_is_before(const struct race_access *first, const struct race_access *second)
{
    return is_end_known(first->end[0], second) || is_end_known(first->end[1], second);
}

static bool race_access_writes(const struct race_access *access)
{
    return access->kind == RACE_PUT || access->kind == RACE_STORE ||
           (access->kind == RACE_ATOMIC && (access->use->kind == WINDOW_SWAP || access->use->operator != OPERATOR_NO_OP));
}

static bool race_access_reads(const struct race_access *access)
{
    return access->kind == RACE_GET || access->kind == RACE_LOAD ||
           (access->kind == RACE_ATOMIC && access->use->kind != WINDOW_ACCUMULATE);
}

/* Whether the rank that loads has synchronized its memory since it knew of that. */
static bool is_end_synced(struct op_name end, const struct race_access *load)
{
    if (end.rank == RANK_NONE)
        return false;
    return end.rank == load->origin ? load->synced >= end.op : load->synced_clock[end.rank] > end.op;
}

bool access_needs_unified(const struct race_access *first, const struct race_access *second)
{
    bool stored = first->kind == RACE_STORE && first->touch;
    if ((second->kind != RACE_LOAD && !stored) || first->origin == second->origin || !race_access_writes(first) ||
        !race_access_reads(second) || !access_is_before(first, second))
        return false;
    if (second->kind == RACE_LOAD && !is_end_synced(first->end[0], second) && !is_end_synced(first->end[1], second))
        return true;
    return stored &&
           (first->published == UINT32_MAX || second->clock[first->origin] <= first->published);
}

/* ---- windows ---- */

/* The last window that a rank has made in a slot, among those found up to now; NULL: none. */
static struct raced_window *last_in_slot(const struct window_accesses *all, rank_t r, uint32_t slot)
{
    struct raced_window *last = NULL;
    for (size_t i = 0; i < all->window.n; i++) {
        struct raced_window *window = &all->window.at[i];
        bool is_later = window->opened[r] != UINT32_MAX && (!last || window->opened[r] > last->opened[r]);
        if (window->slot == slot && is_later)
            last = window;
    }
    return last;
}

/* Each has room of its own beyond all addresses, unless it overlaps another one: what comes into that looks like a store in this one. */
static void place_part(const struct window_accesses *all, rank_t r, uint32_t number)
{
    enum { ROOM_BITS = 48 };
    struct raced_window *window = &all->window.at[number];
    const struct window_extent *extent = &window->extent[r];
    struct raced_window *other = extent->within ? last_in_slot(all, r, extent->within - 1) : NULL;
    if (other) {
        window->base[r] = other->base[r] + (uint64_t)extent->apart;
        window->overlaps[r] = other->overlaps[r] = true;
    } else if (!(extent->flags & WINDOW_OF_ADDRESSES)) {
        window->base[r] = (uint64_t)(number + 1) << ROOM_BITS;
    }
}

static void add_window(struct window_accesses *all, rank_t r, uint32_t number, const struct op *op)
{
    uint32_t at;
    if (!map_get(&all->window_of, map_key(op->context), &at)) {
        size_t ranks = (size_t)all->ranks;
        struct raced_window window = {.context = op->context,
                                      .slot = (uint32_t)op->slot,
                                      .extent = xcalloc(ranks, sizeof *window.extent),
                                      .base = xcalloc(ranks, sizeof *window.base),
                                      .opened = xmalloc(ranks * sizeof *window.opened),
                                      .overlaps = xcalloc(ranks, sizeof *window.overlaps)};
        memset(window.opened, 0xff, ranks * sizeof *window.opened);
        at = (uint32_t)all->window.n;
        map_put(&all->window_of, map_key(op->context), at);
        vec_push(&all->window, window);
    }
    struct raced_window *window = &all->window.at[at];
    memcpy(&window->extent[r], op_tail(op), sizeof window->extent[r]);
    window->flags |= window->extent[r].flags;
    place_part(all, r, at);
    window->opened[r] = number;
}

/* ---- one pass over each rank ---- */

typedef VEC(uint32_t) access_list_t;

/* Accesses of a rank to one target that are not complete. */
struct open_accesses {
    uint32_t window;
    rank_t owner;
    access_list_t access;
};

/* What the last access knew when it began.  Another one of the same segment and epoch knows the same of others. */
struct last_epoch {
    bool known;
    uint32_t segment, window;
    rank_t owner;
    uint16_t epoch;
    const uint32_t *clock;
    uint64_t of_others; /* the sum of its numbers, without the rank's own */
};

/* A rank while its operations are gone through; maps have the window and the target as their key. */
struct named_window {
    context_t context;
    uint32_t window;
    bool known;
};

struct access_walk {
    struct window_accesses *all;
    const struct window_clocks *clocks;
    const struct local_touches *touches;
    const struct map *fences; /* context, turn and rank -> number of the operation */
    rank_t rank;
    struct map open;          /* -> `lists` */
    VEC(struct open_accesses) lists;
    struct last_epoch last_epoch; /* not known any more when an epoch begins or ends */
    struct map lock, start;   /* -> number of the message */
    struct map fence;         /* window -> turn of the last one */
    struct map looked;        /* window -> number of the last operation at which the memory was looked at */
    struct named_window last_window; /* that was asked for */
    access_list_t slot_window; /* by slot: 1 + the window that is there */
    uint32_t talked;          /* how many operations there were up to the last one that communicates */
    uint32_t synced;          /* number of the last one by which the rank sees what others have done */
    uint32_t busy;            /* how many operations there were up to the last one that does more than bring news */
    struct map loaded;        /* where a load was -> its last access */
    access_list_t unpublished; /* stores of the rank that no call has made public since */
    access_list_t stores;      /* all that are known as touches */
    VEC(struct race_access) unexplained; /* differences, perhaps those that these have made */
    struct map request;       /* -> access: one with a result that has one */
    uint32_t *scratch;        /* owns; a clock */
    size_t last;              /* access */
    size_t sent;              /* atomic access whose message is the last that was sent */
    size_t touched;           /* loads and stores of a node that are in its segments so far */
    struct map atomic;        /* -> `queues` */
    VEC(struct atomic_queue {
        access_list_t access;
        size_t sent;
    }) queues;                /* atomic accesses, and how many of them have sent their messages */
};

static struct map_key target_key(uint32_t window, rank_t owner)
{
    return map_key((uint64_t)window << 32 | (uint32_t)owner);
}

static struct map_key fence_key(context_t context, uint32_t turn, rank_t rank)
{
    return map_key2(context, (uint64_t)turn << 32 | (uint32_t)rank);
}

static struct open_accesses *find_open_accesses(struct access_walk *walk, uint32_t window, rank_t owner)
{
    uint32_t at;
    if (walk->lists.n && walk->lists.at[0].window == window && walk->lists.at[0].owner == owner) /* mostly there is one */
        return &walk->lists.at[0];
    return map_get(&walk->open, target_key(window, owner), &at) ? &walk->lists.at[at] : NULL;
}

static access_list_t *open_list(struct access_walk *walk, uint32_t window, rank_t owner)
{
    struct open_accesses *open = find_open_accesses(walk, window, owner);
    if (!open) {
        map_put(&walk->open, target_key(window, owner), (uint32_t)walk->lists.n);
        vec_push(&walk->lists, ((struct open_accesses){.window = window, .owner = owner}));
        open = &vec_last(&walk->lists);
    }
    return &open->access;
}

static struct atomic_queue *atomic_queue(struct access_walk *walk, uint32_t window, rank_t owner)
{
    uint32_t at;
    if (!map_get(&walk->atomic, target_key(window, owner), &at)) {
        at = (uint32_t)walk->queues.n;
        map_put(&walk->atomic, target_key(window, owner), at);
        vec_push(&walk->queues, ((struct atomic_queue){0}));
    }
    return &walk->queues.at[at];
}

/* By the context of its communicator; mostly it is the same as the last time.  False: there is none. */
static bool find_window_of(struct access_walk *walk, context_t context, uint32_t *window)
{
    struct named_window *last = &walk->last_window;
    if (!last->known || last->context != context) {
        last->context = context;
        last->known = map_get(&walk->all->window_of, map_key(context), &last->window);
    }
    *window = last->window;
    return last->known;
}

/* False: there is none. */
static bool find_window_in_slot(const struct access_walk *walk, uint32_t slot, uint32_t *window)
{
    uint32_t there = slot < walk->slot_window.n ? walk->slot_window.at[slot] : 0;
    *window = there - 1;
    return there;
}

/* 1 + the window, or 0. */
static void put_in_slot(struct access_walk *walk, uint32_t slot, uint32_t there)
{
    while (walk->slot_window.n <= slot)
        vec_push(&walk->slot_window, 0);
    walk->slot_window.at[slot] = there;
}

/* ---- how an access begins ---- */

static void join_named(const struct access_walk *walk, struct op_name name, uint32_t *clock)
{
    if (name.rank != RANK_NONE && name.rank < walk->all->ranks)
        window_clocks_join(walk->clocks, name, clock);
}

/* What happened at the target before the epoch began there. */
static void join_epoch(const struct access_walk *walk, const struct race_access *access, uint32_t *clock)
{
    struct map_key target = target_key(access->window, access->owner);
    uint32_t at, turn;
    switch ((enum window_epoch)access->use->epoch) {
    case WINDOW_BY_FENCE:
        if (map_get(&walk->fence, map_key(access->window), &turn) &&
            map_get(walk->fences, fence_key(walk->all->window.at[access->window].context, turn, access->owner), &at))
            join_named(walk, (struct op_name){access->owner, at}, clock);
        return;
    case WINDOW_BY_START:
        if (map_get(&walk->start, target, &at))
            join_named(walk, window_clocks_met(walk->clocks, (struct op_name){walk->rank, at}), clock);
        return;
    case WINDOW_BY_LOCK:
        if (map_get(&walk->lock, target, &at))
            window_clocks_join_lock(walk->clocks, (struct op_name){walk->rank, at}, clock);
        return;
    case WINDOW_BY_ITSELF:
        return;
    }
}

/*
 * Whether its epoch has begun at the target by the end of the run.  MPI_Win_lock and MPI_Win_start may have returned before (W3, W4): then
 * the access was called, but has not been under way.
 */
static bool has_epoch_begun(const struct access_walk *walk, const struct race_access *access)
{
    struct map_key target = target_key(access->window, access->owner);
    uint32_t at;
    switch ((enum window_epoch)access->use->epoch) {
    case WINDOW_BY_START:
        return !map_get(&walk->start, target, &at) ||
               window_clocks_met(walk->clocks, (struct op_name){walk->rank, at}).rank != RANK_NONE;
    case WINDOW_BY_LOCK:
        return !map_get(&walk->lock, target, &at) || window_clocks_grant(walk->clocks, (struct op_name){walk->rank, at});
    case WINDOW_BY_FENCE:
    case WINDOW_BY_ITSELF:
        break;
    }
    return true;
}

static uint32_t *new_access_clock(struct access_walk *walk)
{
    enum { NUMBERS = 1 << 14 };
    struct window_accesses *all = walk->all;
    size_t width = (size_t)all->width, room = width < NUMBERS ? NUMBERS : width;
    if (!all->block.n || all->left < width) {
        vec_push(&all->block, xmalloc(room * sizeof(uint32_t)));
        all->left = room;
    }
    all->left -= width;
    return vec_last(&all->block) + all->left;
}

/* Without the rank's own number. */
static uint64_t sum_of_clock(const struct access_walk *walk, const uint32_t *clock)
{
    uint64_t sum = 0;
    for (rank_t r = 0; r < walk->all->width; r++)
        sum += clock[r];
    return sum - clock[walk->rank];
}

/* What its rank knows then. */
static const uint32_t *clock_of_op(const struct access_walk *walk, uint32_t number)
{
    const struct rank_record *record = &walk->clocks->rank[walk->rank];
    return window_clocks_of_segment(walk->clocks, walk->rank, record->segment_of.at[number]);
}

static void add_race_access(struct access_walk *walk, const struct race_access *access, uint64_t order)
{
    vec_push(&walk->all->order, order);
    walk->last = walk->all->access.n;
    vec_push(&walk->all->access, *access);
}

static bool is_touched(const struct access_walk *walk, uint32_t number)
{
    const struct rank_record *record = &walk->clocks->rank[walk->rank];
    const struct local_touches *touches = walk->touches;
    return touches && touches->looked(touches->data, record->segment.at[record->segment_of.at[number]].node);
}

/* In `stores`, the first that comes before an operation behind that one. */
static size_t first_store_after(const struct access_walk *walk, uint32_t number)
{
    size_t low = 0, high = walk->stores.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (walk->all->access.at[walk->stores.at[middle]].number > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first operation behind the call that has looked at the memory. */
static uint32_t end_of_call(const struct access_walk *walk, const struct race_access *access)
{
    const struct rank_record *record = &walk->clocks->rank[walk->rank];
    uint32_t n = access->number + 1;
    while (n < record->op.n && record->op.at[n]->place == access->op->place && record->op.at[n]->call == access->op->call)
        n++;
    return n;
}

/* The end of a store that is known to have been made since then, and begins at or before this byte and ends behind it; 0: there is none. */
static uint64_t end_of_known_store(const struct access_walk *walk, const struct race_access *access, uint32_t since, uint64_t at)
{
    for (size_t i = first_store_after(walk, end_of_call(walk, access)); i-- > 0;) {
        const struct race_access *store = &walk->all->access.at[walk->stores.at[i]];
        const struct window_piece *piece = &store->touch->piece;
        if (store->number < since)
            return 0;
        if (store->window == access->window && store->owner == access->owner && piece->at <= at && at < piece->at + piece->bytes)
            return piece->at + piece->bytes;
    }
    return 0;
}

/* Whether all that has changed was stored by touches that are known. */
static bool is_explained(const struct access_walk *walk, const struct race_access *access, uint32_t since)
{
    for (uint32_t i = 0; i < access->use->pieces; i++) {
        const struct window_piece *piece = &window_use_pieces(access->use)[i];
        for (uint64_t at = piece->at, end; at < piece->at + piece->bytes; at = end)
            if (!(end = end_of_known_store(walk, access, since, at)))
                return false;
    }
    return true;
}

static void add_difference(struct access_walk *walk, struct race_access *access)
{
    access->clock = clock_of_op(walk, access->number);
    add_race_access(walk, access, sum_of_clock(walk, access->clock) + access->number);
}

/* A difference that was found in the memory. */
static void add_stores(struct access_walk *walk, struct race_access *access)
{
    uint32_t since;
    bool touched = is_touched(walk, access->number);
    if (walk->all->window.at[access->window].overlaps[access->owner] || (touched && !walk->touches->told))
        return;
    if (access->use->passive)
        since = walk->talked;
    else if (map_get(&walk->looked, map_key(access->window), &since))
        since++;
    else
        return;
    access->kind = RACE_STORE;
    access->end[0] = (struct op_name){walk->rank, since};
    if (touched)
        vec_push(&walk->unexplained, *access);
    else
        add_difference(walk, access);
}

/* What a call has stored for the program is told behind its operation, so this is asked when all is known. */
static void add_unexplained(struct access_walk *walk)
{
    for (size_t i = 0; i < walk->unexplained.n; i++) {
        struct race_access *access = &walk->unexplained.at[i];
        if (!is_explained(walk, access, access->end[0].op))
            add_difference(walk, access);
    }
    vec_release(&walk->unexplained);
}

static bool is_in_last_epoch(const struct access_walk *walk, const struct race_access *access, uint32_t segment)
{
    const struct last_epoch *last = &walk->last_epoch;
    return last->known && last->segment == segment && last->window == access->window && last->owner == access->owner &&
           last->epoch == access->use->epoch;
}

/* What an access knows: mostly, if the rank has heard from there already, no more than the rank. */
static const uint32_t *clock_in_epoch(struct access_walk *walk, const struct race_access *access)
{
    const uint32_t *known = clock_of_op(walk, access->number);
    size_t bytes = (size_t)walk->all->width * sizeof *known;
    memcpy(walk->scratch, known, bytes);
    join_epoch(walk, access, walk->scratch);
    walk->scratch[walk->rank] = known[walk->rank];
    return memcmp(walk->scratch, known, bytes) == 0 ? known : memcpy(new_access_clock(walk), walk->scratch, bytes);
}

static void note_last_epoch(struct access_walk *walk, const struct race_access *access, uint32_t segment)
{
    const uint32_t *clock = clock_in_epoch(walk, access);
    walk->last_epoch = (struct last_epoch){.known = true,
                                           .segment = segment,
                                           .window = access->window,
                                           .owner = access->owner,
                                           .epoch = access->use->epoch,
                                           .clock = clock,
                                           .of_others = sum_of_clock(walk, clock)};
}

static void add_to_atomic_queue(struct access_walk *walk, const struct race_access *access)
{
    access_list_t *list = &atomic_queue(walk, access->window, access->owner)->access;
    vec_push(list, (uint32_t)walk->all->access.n);
}

/* If the next chapter has a place for it. */
static void add_to_rest(const struct access_walk *walk, uint32_t number, bool again)
{
    if (walk->all->rest)
        chapter_rest_add(walk->all->rest, (struct op_name){walk->rank, number}, again);
}

/*
 * Whether the last access, which is over, is made once more, by a rank that has learned nothing since: both are one, from the beginning of the first to the end of the
 * second.  Whoever is concurrent with one of them is with that, and the other way round: others know the end of the second only if they know that of the first, and of
 * the same rank nothing is in between.  Records that are equal are one.
 */
static bool is_made_once_more(const struct access_walk *walk, const struct race_access *access)
{
    if (!walk->all->access.n || access->use->part || walk->request.n)
        return false;
    const struct race_access *last = &walk->all->access.at[walk->last];
    return last->op == access->op && last->origin == access->origin && last->window == access->window && last->clock == access->clock &&
           (last->kind == RACE_PUT || last->kind == RACE_GET) && last->end[0].rank == access->origin && last->end[1].rank == RANK_NONE;
}

static void reopen_last(struct access_walk *walk)
{
    struct race_access *last = &walk->all->access.at[walk->last];
    last->end[0] = nowhere;
    vec_push(open_list(walk, last->window, last->owner), (uint32_t)walk->last);
}

static void see_use(struct access_walk *walk, uint32_t number, const struct op *op)
{
    const struct window_use *use = op_tail(op);
    struct race_access access = {.origin = walk->rank,
                                 .owner = op->peer,
                                 .number = number,
                                 .op = op,
                                 .use = use,
                                 .end = {nowhere, nowhere}};
    if (!find_window_of(walk, op->context, &access.window))
        return;
    if (use->epoch == WINDOW_BY_ITSELF) {
        add_stores(walk, &access);
        return;
    }
    uint32_t segment = walk->clocks->rank[walk->rank].segment_of.at[number];
    if (!is_in_last_epoch(walk, &access, segment)) {
        if (!has_epoch_begun(walk, &access)) {
            walk->all->unbegun = true;
            add_to_rest(walk, number, true);
            return;
        }
        note_last_epoch(walk, &access, segment);
    }
    access.clock = walk->last_epoch.clock;
    if (is_made_once_more(walk, &access)) {
        reopen_last(walk);
        return;
    }
    access.kind = use->kind == WINDOW_PUT ? RACE_PUT : use->kind == WINDOW_GET ? RACE_GET : RACE_ATOMIC;
    access_list_t *open = open_list(walk, access.window, access.owner);
    vec_push(open, (uint32_t)walk->all->access.n);
    if (access.kind == RACE_ATOMIC && use->part == 0)
        add_to_atomic_queue(walk, &access);
    add_race_access(walk, &access, walk->last_epoch.of_others + number);
}

/* ---- how it ends ---- */

/* Then it is over when its result is there. */
static bool only_reads(const struct race_access *access)
{
    return race_access_reads(access) && !race_access_writes(access);
}

static bool ends_with(const struct race_access *access, enum window_epoch epoch, bool reads_only)
{
    return access->use->epoch == epoch && (!reads_only || only_reads(access));
}

/* Those of an epoch are over by what happened at `end`, of which there may be two; they stay, if another end is to come. */
static void end_accesses(struct access_walk *walk, access_list_t *list, enum window_epoch epoch, bool reads_only,
                         struct op_name end, bool stay)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        struct race_access *access = &walk->all->access.at[list->at[i]];
        bool ends = ends_with(access, epoch, reads_only);
        if (ends)
            access->end[access->end[0].rank == RANK_NONE ? 0 : 1] = end;
        if (!ends || stay)
            list->at[kept++] = list->at[i];
    }
    list->n = kept;
}

/* At one target, or (RANK_ANY) at all. */
static void end_at(struct access_walk *walk, uint32_t window, rank_t owner, enum window_epoch epoch, bool reads_only,
                   struct op_name end)
{
    if (owner != RANK_ANY) {
        struct open_accesses *open = find_open_accesses(walk, window, owner);
        if (open)
            end_accesses(walk, &open->access, epoch, reads_only, end, false);
        return;
    }
    for (size_t i = 0; i < walk->lists.n; i++)
        if (walk->lists.at[i].window == window)
            end_accesses(walk, &walk->lists.at[i].access, epoch, reads_only, end, false);
}

/* The MPI_Win_wait behind the receive of what MPI_Win_complete has sent. */
static struct op_name wait_of_target(const struct access_walk *walk, uint32_t window, struct op_name receive)
{
    if (receive.rank == RANK_NONE || receive.rank >= walk->all->ranks)
        return nowhere;
    const struct rank_record *target = &walk->clocks->rank[receive.rank];
    for (uint32_t n = receive.op; n < target->op.n; n++) {
        const struct op *op = target->op.at[n];
        if (op->kind == OP_WINDOW && op->event == WINDOW_WAITED && op->context == walk->all->window.at[window].context)
            return (struct op_name){receive.rank, n};
    }
    return nowhere;
}

/* What MPI_Win_complete has told a target, in its operation of that number. */
static void end_started(struct access_walk *walk, uint32_t number, uint32_t window, rank_t target)
{
    struct op_name end = wait_of_target(walk, window, window_clocks_met(walk->clocks, (struct op_name){walk->rank, number}));
    end_accesses(walk, open_list(walk, window, target), WINDOW_BY_START, false, end, true);
}

/* An epoch begins or ends, so what an access knows is asked anew. */
static void note_in_epochs(struct access_walk *walk, struct map *epochs, struct map_key target, uint32_t number)
{
    map_put(epochs, target, number);
    walk->last_epoch.known = false;
}

static void remove_from_epochs(struct access_walk *walk, struct map *epochs, struct map_key target)
{
    map_remove(epochs, target);
    walk->last_epoch.known = false;
}

static void see_start_or_complete(struct access_walk *walk, uint32_t number, const struct op *op)
{
    uint32_t window;
    if (!find_window_in_slot(walk, window_tag_more(op->tag), &window))
        return;
    if (window_tag_kind(op->tag) == WINDOW_START) {
        note_in_epochs(walk, &walk->start, target_key(window, op->peer), number);
        return;
    }
    end_started(walk, number, window, op->peer);
}

/* ---- operations ---- */

/* Messages of atomic accesses to one target come in the order of the calls, unless one overtakes others (W19): these are then moved up behind it. */
static void see_atomic_message(struct access_walk *walk, uint32_t number, uint32_t window, const struct op *op)
{
    struct atomic_queue *queue = atomic_queue(walk, window, keeper_owner(walk->all->ranks, op->peer));
    size_t overtakes = (size_t)op->overtakes;
    if (queue->access.n - queue->sent <= overtakes)
        return;
    uint32_t *next = queue->access.at + queue->sent++, sender = next[overtakes];
    memmove(next + 1, next, overtakes * sizeof *next);
    *next = sender;
    struct race_access *access = &walk->all->access.at[sender];
    access->message = op;
    access->message_number = number;
    walk->sent = sender;
}

static void see_send(struct access_walk *walk, uint32_t number, const struct op *op)
{
    int ranks = walk->all->ranks;
    if (op->peer < ranks) {
        see_start_or_complete(walk, number, op);
        return;
    }
    uint32_t window;
    if (!find_window_in_slot(walk, keeper_slot(ranks, op->peer), &window))
        return;
    struct map_key target = target_key(window, keeper_owner(ranks, op->peer));
    if (!keeper_is_lock(ranks, op->peer) && window_tag_kind(op->tag) == WINDOW_ATOMIC)
        see_atomic_message(walk, number, window, op);
    else if (op_asks_for_lock(op, ranks))
        note_in_epochs(walk, &walk->lock, target, number);
    else if (op_gives_lock_back(op, ranks))
        remove_from_epochs(walk, &walk->lock, target);
}

static void see_fence(struct access_walk *walk, uint32_t number, const struct op *op)
{
    uint32_t window;
    if (!find_window_of(walk, op->context, &window))
        return;
    end_at(walk, window, RANK_ANY, WINDOW_BY_FENCE, false, (struct op_name){walk->rank, number});
    note_in_epochs(walk, &walk->fence, map_key(window), (uint32_t)op->turn);
}

static void see_event(struct access_walk *walk, uint32_t number, const struct op *op)
{
    uint32_t window;
    if (!find_window_of(walk, op->context, &window))
        return;
    switch ((enum window_event)op->event) {
    case WINDOW_OPENED:
        put_in_slot(walk, (uint32_t)op->slot, window + 1);
        break;
    case WINDOW_CLOSED:
        put_in_slot(walk, (uint32_t)op->slot, 0);
        return;
    case WINDOW_FLUSHED:
        end_at(walk, window, op->peer, WINDOW_BY_LOCK, false, (struct op_name){walk->rank, number});
        return;
    case WINDOW_FLUSHED_LOCALLY:
        end_at(walk, window, op->peer, WINDOW_BY_LOCK, true, (struct op_name){walk->rank, number});
        return;
    case WINDOW_COMPLETED:
        end_at(walk, window, RANK_ANY, WINDOW_BY_START, true, (struct op_name){walk->rank, number});
        end_at(walk, window, RANK_ANY, WINDOW_BY_START, false, nowhere); /* that was told when it was sent */
        return;
    case WINDOW_LOCKED:
        note_in_epochs(walk, &walk->lock, target_key(window, op->peer), number);
        return;
    case WINDOW_RELEASED:
        remove_from_epochs(walk, &walk->lock, target_key(window, op->peer));
        return;
    case WINDOW_STARTED:
        note_in_epochs(walk, &walk->start, target_key(window, op->peer), number);
        return;
    case WINDOW_ENDED:
        end_started(walk, number, window, op->peer);
        return;
    case WINDOW_GRANTED:
    case WINDOW_EXPOSED_TO:
    case WINDOW_HEARD:
    case WINDOW_SEEN:
    case WINDOW_NEWS_CAME:
    case WINDOW_UNTOLD:
    case WINDOW_DONE:
        return;
    case WINDOW_FENCED:
    case WINDOW_POSTED:
    case WINDOW_WAITED:
    case WINDOW_SYNCED:
        break;
    }
    map_put(&walk->looked, map_key(window), number);
}

/* A load of the same bytes as one before, with a call between them, and none that does more than bring news.  Compilers test at both ends of a loop. */
static void note_load(struct access_walk *walk, struct race_access *load)
{
    const struct local_touch *touch = load->touch;
    struct map_key key = map_key2((uint64_t)touch->slot << 32 | (uint32_t)touch->owner, touch->piece.at ^ touch->piece.bytes << 48);
    uint32_t last;
    if (map_get(&walk->loaded, key, &last)) {
        struct race_access *before = &walk->all->access.at[last];
        if (load->number > before->number && walk->busy <= before->number)
            load->polls = before->polls = true;
    }
    map_put(&walk->loaded, key, (uint32_t)walk->all->access.n);
}

static void note_store(struct access_walk *walk)
{
    vec_push(&walk->unpublished, (uint32_t)walk->all->access.n);
    vec_push(&walk->stores, (uint32_t)walk->all->access.n);
}

static void add_touch(struct access_walk *walk, uint32_t number, const struct local_touch *touch)
{
    struct race_access access = {.kind = touch->stores ? RACE_STORE : RACE_LOAD,
                                 .origin = walk->rank,
                                 .owner = touch->owner,
                                 .number = number,
                                 .touch = touch,
                                 .end = {{walk->rank, number}, nowhere}};
    if (!find_window_in_slot(walk, touch->slot, &access.window))
        return;
    access.synced = walk->synced;
    access.published = UINT32_MAX;
    access.synced_clock = clock_of_op(walk, walk->synced);
    const struct rank_record *record = &walk->clocks->rank[walk->rank];
    bool last = number >= record->op.n;
    if (!touch->stores)
        note_load(walk, &access);
    else
        note_store(walk);
    access.clock = clock_of_op(walk, last ? number - 1 : number);
    add_race_access(walk, &access, sum_of_clock(walk, access.clock) + number);
}

/* A segment whose loads and stores are known: they come between its operations. */
static size_t add_touches(struct access_walk *walk, const struct record_segment *segment, uint32_t before,
                          const struct local_touch *touch, size_t n, size_t done)
{
    for (; done < n && touch[done].before <= segment->skipped + before; done++)
        add_touch(walk, segment->first + before, &touch[done]);
    return done;
}

/* By its call: after it a rank sees what others have done (12.7, rule 6). */
static bool shows_updates(const struct op *op)
{
    return op->call == CALL_Win_fence || op->call == CALL_Win_wait || op->call == CALL_Win_test || op->call == CALL_Win_lock ||
           op->call == CALL_Win_lock_all || op->call == CALL_Win_sync;
}

/* Or others see what it has stored before (rule 5). */
static bool publishes_stores(const struct op *op)
{
    return op->call == CALL_Win_fence || op->call == CALL_Win_post || op->call == CALL_Win_unlock ||
           op->call == CALL_Win_unlock_all || op->call == CALL_Win_sync || op->call == CALL_Win_free;
}

/* Of any window: a program that synchronizes another one than it should is given the benefit of the doubt. */
static void see_synchronization(struct access_walk *walk, uint32_t number, const struct op *op)
{
    if (shows_updates(op))
        walk->synced = number;
    if (!publishes_stores(op))
        return;
    for (size_t i = 0; i < walk->unpublished.n; i++)
        walk->all->access.at[walk->unpublished.at[i]].published = number;
    vec_clear(&walk->unpublished);
}

static bool brings_news_alone(const struct op *op)
{
    return op->call == CALL_Win_sync || op->call == CALL_Win_flush || op->call == CALL_Win_flush_all ||
           op->call == CALL_Win_flush_local || op->call == CALL_Win_flush_local_all || op->call == CALL_Iprobe;
}

static void see_op(struct access_walk *walk, uint32_t number, const struct op *op)
{
    see_synchronization(walk, number, op);
    if (!brings_news_alone(op))
        walk->busy = number + 1;
    if (op->kind == OP_ACCESS)
        see_use(walk, number, op);
    else if (op->kind == OP_WINDOW)
        see_event(walk, number, op);
    else if (op->kind == OP_SEND && op->context == KEEPER_CONTEXT)
        see_send(walk, number, op);
    else if (op->kind == OP_COLL && op->call == CALL_Win_fence)
        see_fence(walk, number, op);
    else if (op->kind == OP_RECV && (op->call == CALL_Rget || op->call == CALL_Rget_accumulate) && op->context == KEEPER_CONTEXT)
        map_put(&walk->request, map_key(op->request), (uint32_t)(op->call == CALL_Rget ? walk->last : walk->sent));
    if (op_communicates(op))
        walk->talked = number + 1;
}

/* What only reads and has a request is over when that is complete (12.3.5). */
static void see_answer(struct access_walk *walk, const struct record_segment *segment)
{
    uint32_t at;
    for (uint32_t i = 0; segment->ret && i < segment->ret->items; i++)
        if (map_get(&walk->request, map_key(segment->ret->item[i].request), &at)) {
            if (only_reads(&walk->all->access.at[at]))
                walk->all->access.at[at].end[1] = (struct op_name){walk->rank, segment->first - 1};
            map_remove(&walk->request, map_key(segment->ret->item[i].request));
        }
}

static void walk_segment(struct access_walk *walk, const struct record_segment *segment)
{
    const struct rank_record *record = &walk->clocks->rank[walk->rank];
    const struct local_touch *touch = NULL;
    const struct local_touches *touches = walk->touches;
    size_t n = touches ? touches->tell(touches->data, segment->node, &touch) : 0, done = segment->skipped ? walk->touched : 0;
    see_answer(walk, segment);
    for (uint32_t i = 0; i < segment->count; i++) {
        done = add_touches(walk, segment, i, touch, n, done);
        see_op(walk, segment->first + i, record->op.at[segment->first + i]);
    }
    walk->touched = add_touches(walk, segment, segment->count, touch, n, done);
}

/* ---- what the next chapter needs ---- */

/* Those that are not over are told again, with the message of an atomic one. */
static void add_open_accesses_to_rest(struct access_walk *walk, const access_list_t *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct race_access *access = &walk->all->access.at[list->at[i]];
        if (access->end[0].rank != RANK_NONE || access->end[1].rank != RANK_NONE)
            continue;
        add_to_rest(walk, access->number, true);
        if (access->message)
            add_to_rest(walk, access->message_number, true);
    }
}

/* Numbers of operations; differences are known from behind the look at the memory on. */
static void add_values_to_rest(const struct access_walk *walk, const struct map *map, bool behind)
{
    for (size_t i = 0; i < map->cap; i++)
        if (map->slot[i].full) {
            add_to_rest(walk, map->slot[i].value, true);
            if (behind && map->slot[i].value + 1 < walk->clocks->rank[walk->rank].op.n)
                add_to_rest(walk, map->slot[i].value + 1, false);
        }
}

static void note_windows_left(struct access_walk *walk)
{
    struct window_accesses *all = walk->all;
    for (size_t i = 0; i < walk->slot_window.n; i++) {
        uint32_t there = walk->slot_window.at[i];
        if (!there)
            continue;
        all->open.at[there - 1]++;
        add_to_rest(walk, all->window.at[there - 1].opened[walk->rank], true);
    }
}

static void note_rest(struct access_walk *walk)
{
    for (size_t i = 0; i < walk->lists.n; i++)
        add_open_accesses_to_rest(walk, &walk->lists.at[i].access);
    add_values_to_rest(walk, &walk->lock, false);
    add_values_to_rest(walk, &walk->looked, true);
    note_windows_left(walk);
    vec_push(&walk->all->talked, walk->talked);
    if (walk->talked < walk->clocks->rank[walk->rank].op.n)
        add_to_rest(walk, walk->talked, false);
    walk->all->stays |= walk->request.n > 0;
}

/* Whoever is in an epoch of a fence needs that of its target. */
static void add_fences_to_rest(struct window_accesses *all, const struct window_clocks *clocks)
{
    struct map last = {0}, least = {0}; /* turns: context and rank -> the last; context -> the least of these */
    for (size_t i = 0; i < clocks->common.n; i++) {
        struct op_name name = clocks->common.at[i];
        const struct op *op = clocks->rank[name.rank].op.at[name.op];
        if (op->kind == OP_COLL)
            map_put(&last, map_key2(op->context, (uint32_t)name.rank), (uint32_t)op->turn);
    }
    for (size_t i = 0; i < last.cap; i++) {
        const struct map_slot *slot = &last.slot[i];
        uint32_t turn = slot->full ? map_find(&least, map_key(slot->key.high), UINT32_MAX) : 0;
        if (slot->full && slot->value < turn)
            map_put(&least, map_key(slot->key.high), slot->value);
    }
    for (size_t i = 0; i < clocks->common.n; i++) {
        struct op_name name = clocks->common.at[i];
        const struct op *op = clocks->rank[name.rank].op.at[name.op];
        if (op->kind == OP_COLL && (uint32_t)op->turn >= map_find(&least, map_key(op->context), 0))
            chapter_rest_add(all->rest, name, true);
    }
    map_release(&last);
    map_release(&least);
}

/* A window is there for all that have made it, or for nobody; and none lies in another. */
static bool are_windows_plain(const struct window_accesses *all)
{
    for (size_t i = 0; i < all->window.n; i++) {
        const struct raced_window *window = &all->window.at[i];
        uint32_t opened = 0;
        for (rank_t r = 0; r < all->ranks; r++) {
            opened += window->opened[r] != UINT32_MAX;
            if (window->overlaps[r])
                return false;
        }
        if (all->open.at[i] && all->open.at[i] != opened)
            return false;
    }
    return true;
}

void window_accesses_leave(const struct window_accesses *all, const struct chapter_rest *rest, struct window_past *past)
{
    for (rank_t r = 0; r < all->width; r++)
        vec_push(&past->talked, chapter_rest_place(rest, r, all->talked.at[r]));
}

static void walk_rank(struct access_walk *walk)
{
    const struct rank_record *record = &walk->clocks->rank[walk->rank];
    for (size_t i = 0; i < record->segment.n; i++)
        walk_segment(walk, &record->segment.at[i]);
    add_unexplained(walk);
    if (walk->all->rest)
        note_rest(walk);
    for (size_t i = 0; i < walk->lists.n; i++)
        vec_release(&walk->lists.at[i].access);
    for (size_t i = 0; i < walk->queues.n; i++)
        vec_release(&walk->queues.at[i].access);
    vec_release(&walk->lists);
    vec_release(&walk->unpublished);
    vec_release(&walk->stores);
    vec_release(&walk->slot_window);
    map_release(&walk->loaded);
    vec_release(&walk->queues);
    map_release(&walk->atomic);
    map_release(&walk->open);
    map_release(&walk->lock);
    map_release(&walk->start);
    map_release(&walk->fence);
    map_release(&walk->looked);
    map_release(&walk->request);
}

/* Windows and fences of all ranks, which others refer to. */
static void find_windows(struct window_accesses *all, const struct window_clocks *clocks, struct map *fences)
{
    for (size_t i = 0; i < clocks->common.n; i++) {
        struct op_name name = clocks->common.at[i];
        const struct op *op = clocks->rank[name.rank].op.at[name.op];
        if (op->kind == OP_WINDOW)
            add_window(all, name.rank, name.op, op);
        else
            map_put(fences, fence_key(op->context, (uint32_t)op->turn, name.rank), name.op);
    }
}

static void walk_all_ranks(struct window_accesses *all, const struct window_clocks *clocks, const struct local_touches *touches)
{
    struct map fences = {0};
    const struct window_past *past = clocks->past;
    find_windows(all, clocks, &fences);
    for (size_t i = 0; all->rest && i < all->window.n; i++)
        vec_push(&all->open, 0);
    for (rank_t r = 0; r < clocks->ranks; r++) {
        struct access_walk walk = {.all = all, .clocks = clocks, .touches = touches, .fences = &fences, .rank = r};
        walk.talked = past && r < past->width ? past->talked.at[r] : 0;
        walk.scratch = xcalloc((size_t)clocks->width, sizeof *walk.scratch);
        walk_rank(&walk);
        free(walk.scratch);
    }
    map_release(&fences);
}

void window_accesses_begin(struct window_accesses *all, const struct window_clocks *clocks, const struct local_touches *touches)
{
    *all = (struct window_accesses){.ranks = clocks->ranks, .width = clocks->width};
    walk_all_ranks(all, clocks, touches);
}

bool window_accesses_rest(struct window_accesses *all, const struct window_clocks *clocks, const struct local_touches *touches,
                          struct chapter_rest *rest)
{
    *all = (struct window_accesses){.ranks = clocks->ranks, .width = clocks->width, .rest = rest, .stays = touches};
    walk_all_ranks(all, clocks, touches);
    add_fences_to_rest(all, clocks);
    return !all->stays && are_windows_plain(all);
}

static void release_raced_window(struct raced_window *window)
{
    free(window->extent);
    free(window->base);
    free(window->opened);
    free(window->overlaps);
}

void window_accesses_release(struct window_accesses *all)
{
    vec_release_each(&all->window, release_raced_window);
    vec_release(&all->access);
    vec_release(&all->order);
    for (size_t i = 0; i < all->block.n; i++)
        free(all->block.at[i]);
    vec_release(&all->block);
    vec_release(&all->talked);
    vec_release(&all->open);
    map_release(&all->window_of);
}
