#include "check/window_races.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "call/calls.h"
#include "check/access_conflict.h"
#include "check/access_tree.h"

/* One run that is looked at. */
struct race_search {
    struct window_races *races;
    const struct told_run *run;
    struct window_accesses all;
    struct access_tree *tree; /* owns; by rank: its memory */
    size_t *alive;            /* owns; by rank: how many ranges there were when it was last looked who is */
    uint32_t *at_least;       /* what all know that is to come; scratch */
    uint32_t *order;          /* owns: accesses as they are gone through, */
    size_t n;                 /* so many; behind them are those of chapters before */
    size_t gone;
    struct map known;         /* keys of defects of this run */
    defects_t *defects;

    /* The access in hand, and what of it. */
    uint32_t in_hand;
    struct window_piece piece;
    struct access_range *same; /* an older one that need not be kept beside it */
};

/* ---- in words ---- */

static void put_kind(char *text, size_t room, const struct race_access *access)
{
    static const char *const names[] = {
        [RACE_PUT] = "a put", [RACE_GET] = "a get", [RACE_STORE] = "a store", [RACE_LOAD] = "a load"};
    if (access->op && access->op->call == CALL_Win_detach)
        snprintf(text, room, "a detach");
    else if (access->kind != RACE_ATOMIC)
        snprintf(text, room, "%s", names[access->kind]);
    else if (access->use->kind == WINDOW_SWAP)
        snprintf(text, room, "a compare and swap");
    else
        snprintf(text, room, "%s with %s", access->use->kind == WINDOW_ACCUMULATE ? "an accumulate" : "a fetch",
                 operator_name(access->use->operator));
}

static void put_how(struct race_search *search, struct defect *defect, const struct race_access *a,
                    const struct race_access *b, struct window_piece both)
{
    const struct raced_window *window = &search->all.window.at[a->window];
    const char *name = search->run->context_name(search->run->data, a->owner, window->context);
    char first[48], second[48];
    put_kind(first, sizeof first, a);
    put_kind(second, sizeof second, b);
    uint64_t from = both.at - window->base[a->owner];
    snprintf(defect->how, sizeof defect->how, "byte%s %" PRIu64 "%s%.0" PRIu64 " of %.48s at rank %d: %s of rank %d and %s of rank %d",
             both.bytes > 1 ? "s" : "", from, both.bytes > 1 ? " to " : "", both.bytes > 1 ? from + both.bytes - 1 : 0,
             name ? name : "a window", a->owner, first, a->origin, second, b->origin);
}

static const char *sentence_of(enum access_conflict conflict)
{
    switch (conflict) {
    case CONFLICT_WINDOWS:
        return "two accumulates reach the same bytes through two windows, and are not atomic to each other";
    case CONFLICT_TYPES:
        return "two accumulates to the same bytes are of different datatypes, and not atomic to each other";
    case CONFLICT_ELEMENTS:
        return "two accumulates overlap in a part of an element, and are not atomic to each other";
    case CONFLICT_OPERATORS:
        return "two accumulates to the same bytes have different operators, which a window does not allow unless told";
    case CONFLICT_NONE:
    case CONFLICT_GIVEN_UP:
    case CONFLICT_COMMUTING:
    case CONFLICT_ORDER:
        break;
    }
    return "two accesses to the same bytes of a window are not ordered: what comes of it is undefined";
}

static const char *advice_by_epoch(const struct race_access *access)
{
    switch ((enum window_epoch)access->use->epoch) {
    case WINDOW_BY_FENCE:
        return "let an MPI_Win_fence come between them";
    case WINDOW_BY_START:
        return "let them be in different epochs, with the MPI_Win_wait of the first before the MPI_Win_post of the second";
    case WINDOW_BY_LOCK:
        return "hold an exclusive lock for each, or let a message tell of the first once MPI_Win_flush or MPI_Win_unlock has completed it";
    case WINDOW_BY_ITSELF:
        break;
    }
    return "let MPI_Win_sync and a message, or a fence, come between them";
}

static const char *advice_of(enum access_conflict conflict, const struct race_access *a, const struct race_access *b)
{
    const struct race_access *remote = a->kind < RACE_STORE ? a : b;
    if (conflict == CONFLICT_OPERATORS)
        return "order them as other accesses, or make the window without a promise of one operator (info key accumulate_ops)";
    if (conflict != CONFLICT_ORDER)
        return "use one window and one datatype, on the same element boundaries, or order them as other accesses";
    if (a->origin == b->origin && a->kind < RACE_STORE && b->kind < RACE_STORE && a->use->epoch == WINDOW_BY_LOCK)
        return "complete the first with MPI_Win_flush before the second";
    if (remote->kind >= RACE_STORE)
        return "let MPI_Win_sync and a message, or a fence, come between them";
    return advice_by_epoch(remote);
}

/* ---- defects ---- */

/* Of a load or a store, one is made up. */
static const struct op *op_of_access(struct race_search *search, const struct race_access *access)
{
    if (access->message || access->op)
        return access->message ? access->message : access->op;
    struct window_use use = {.kind = access->touch->stores ? WINDOW_PUT : WINDOW_GET, .epoch = WINDOW_BY_ITSELF};
    struct op *op = xcalloc(1, sizeof *op + sizeof use);
    *op = (struct op){.size = sizeof *op + sizeof use,
                      .kind = OP_ACCESS,
                      .peer = access->owner,
                      .slot = (int32_t)access->touch->slot,
                      .place = access->touch->place};
    memcpy(op + 1, &use, sizeof use);
    vec_push(&search->races->told, op);
    return op;
}

static struct defect_op defect_op_of(struct race_search *search, const struct race_access *access)
{
    struct defect_op op = {.rank = access->origin, .op = op_of_access(search, access), .is_touch = access->touch};
    if (access->touch) {
        op.touch = *access->touch;
        op.before = access->number;
    }
    return op;
}

static void add_access_defect(struct race_search *search, struct defect defect, const struct race_access *a,
                              const struct race_access *b, struct window_piece both)
{
    uint32_t known;
    defect.ops = 2;
    defect.op[0] = defect_op_of(search, a);
    defect.op[1] = defect_op_of(search, b);
    if (!defect_op_is_told_first(&defect.op[0], &defect.op[1])) {
        add_access_defect(search, defect, b, a, both);
        return;
    }
    defect.key = defect_key(&defect);
    if (map_get(&search->known, defect.key, &known))
        return;
    map_put(&search->known, defect.key, 1);
    put_how(search, &defect, a, b, both);
    vec_push(search->defects, defect);
}

static void add_window_race(struct race_search *search, enum access_conflict conflict, const struct race_access *a,
                            const struct race_access *b, struct window_piece both)
{
    add_access_defect(search,
                      (struct defect){.kind = KIND_RMA_RACE, .sentence = sentence_of(conflict), .advice = advice_of(conflict, a, b)},
                      a, b, both);
}

/* The first is over, and the second may still not see it where windows have a public and a private copy. */
static void add_need_of_unified(struct race_search *search, const struct race_access *first,
                                const struct race_access *second, struct window_piece both)
{
    bool loads = second->kind == RACE_LOAD;
    add_access_defect(search,
                      (struct defect){.kind = KIND_PORTABILITY,
                                      .sentence = loads ? "a load sees what another rank has written only in MPI's unified memory model"
                                                        : "another rank sees what was stored only in MPI's unified memory model",
                                      .advice = loads ? "call MPI_Win_sync, or lock the window, before the load, once it is known that the access is complete"
                                                      : "call MPI_Win_sync, or unlock the window, after the store, before others are told of it"},
                      first, second, both);
}

/* ---- the search ---- */

static struct race_access *access_at(const struct race_search *search, uint32_t at)
{
    return &search->all.access.at[at];
}

static struct window_piece bytes_in_common(struct window_piece piece, const struct access_range *range)
{
    uint64_t from = piece.at > range->from ? piece.at : range->from;
    uint64_t end = piece.at + piece.bytes, until = end < range->until ? end : range->until;
    return (struct window_piece){from, until - from};
}

static bool is_same_line(const struct race_access *a, const struct race_access *b)
{
    if (a->touch || b->touch)
        return a->touch && b->touch && a->touch->place == b->touch->place;
    return a->op == b->op ||
           (a->op->place == b->op->place && a->op->call == b->op->call && a->use->operator == b->use->operator &&
            a->use->kind == b->use->kind && memcmp(&a->use->element, &b->use->element, sizeof a->use->element) == 0);
}

/*
 * Whether a later access of the same rank and line stands for an earlier one: whoever is concurrent with the earlier one and is still to come is
 * concurrent with the later one, too, if that is not over before it.
 */
static bool stands_for(const struct race_access *later, const struct race_access *earlier)
{
    return later->origin == earlier->origin && later->kind == earlier->kind && later->window == earlier->window &&
           later->end[0].rank == earlier->end[0].rank && later->end[0].op >= earlier->end[0].op &&
           later->end[1].rank == earlier->end[1].rank && later->end[1].op >= earlier->end[1].op && is_same_line(later, earlier);
}

/* Of two ranks, as one record: atomic to each other in every way, and none stands for the other. */
static bool are_same_atomics(const struct race_access *old, const struct race_access *new)
{
    return new->kind == RACE_ATOMIC && old->op == new->op && old->origin != new->origin && new->use->pieces == 1;
}

static void compare_with_range(void *data, struct access_range *range)
{
    struct race_search *search = data;
    const struct race_access *new = access_at(search, search->in_hand), *old = access_at(search, range->access);
    struct window_piece theirs = {range->from, range->until - range->from};
    if (range->access == search->in_hand || are_same_atomics(old, new))
        return;
    if (theirs.at == search->piece.at && theirs.bytes == search->piece.bytes && stands_for(new, old))
        search->same = range;
    if (access_needs_unified(old, new))
        add_need_of_unified(search, old, new, bytes_in_common(search->piece, range));
    enum access_conflict conflict = access_conflict(&search->all, old, theirs, new, search->piece);
    bool sees = access_sees_given_up_order(&search->all, old, new);
    if ((conflict == CONFLICT_NONE && !sees) || access_is_before(old, new) || access_is_before(new, old))
        return;
    search->races->between |= sees;
    search->races->commuting |= conflict == CONFLICT_COMMUTING;
    search->races->given_up |= conflict == CONFLICT_GIVEN_UP;
    if (conflict != CONFLICT_NONE && conflict != CONFLICT_COMMUTING && conflict != CONFLICT_GIVEN_UP)
        add_window_race(search, conflict, old, new, bytes_in_common(search->piece, range));
}

/* What everybody knows who has an access to come. */
static void find_least(struct race_search *search)
{
    int ranks = search->all.width;
    memset(search->at_least, 0xff, (size_t)ranks * sizeof *search->at_least);
    for (size_t i = search->gone; i < search->n; i++) {
        const struct race_access *access = access_at(search, search->order[i]);
        for (rank_t r = 0; r < ranks; r++) {
            uint32_t known = r == access->origin ? access->number : access->clock[r];
            search->at_least[r] = known < search->at_least[r] ? known : search->at_least[r];
        }
    }
}

static bool may_be_concurrent(void *data, const struct access_range *range)
{
    const struct race_search *search = data;
    const struct race_access *access = access_at(search, range->access);
    for (int i = 0; i < 2; i++)
        if (access->end[i].rank != RANK_NONE && search->at_least[access->end[i].rank] > access->end[i].op)
            return false;
    return true;
}

/* Looking costs as much as there is to come, so it is done when there are many, and twice as many as the last time. */
static void forget_what_is_over(struct race_search *search, rank_t owner)
{
    enum { MANY = 256 };
    size_t n = search->tree[owner].node.n;
    if (n < MANY || n < 2 * search->alive[owner] || n < (search->n - search->gone) / 16)
        return;
    find_least(search);
    access_tree_keep(&search->tree[owner], may_be_concurrent, search);
    search->alive[owner] = search->tree[owner].node.n;
}

static void go_through_access(struct race_search *search, uint32_t number)
{
    const struct race_access *access = access_at(search, number);
    struct access_tree *tree = &search->tree[access->owner];
    search->in_hand = number;
    forget_what_is_over(search, access->owner);
    for (uint32_t i = 0; i < access_pieces(access); i++) {
        search->piece = access_piece(&search->all, access, i);
        search->same = NULL;
        uint64_t until = search->piece.at + search->piece.bytes;
        if (!search->piece.bytes)
            continue;
        access_tree_each(tree, search->piece.at, until, compare_with_range, search);
        if (search->same)
            search->same->access = number;
        else
            access_tree_add(tree, (struct access_range){search->piece.at, until, number});
    }
    search->gone++;
}

/* ---- their order ---- */

/* Where the run of accesses that rise ends that begins there. */
static size_t end_of_run(const uint64_t *order, const uint32_t *access, size_t from, size_t n)
{
    size_t end = from + 1;
    while (end < n && order[access[end - 1]] <= order[access[end]])
        end++;
    return end < n ? end : n;
}

/* Two runs, up to `middle` and up to `end`.  Of equal ones those of the first come first. */
static void merge_runs(const uint64_t *order, const uint32_t *access, size_t from, size_t middle, size_t end, uint32_t *to)
{
    size_t a = from, b = middle;
    for (size_t i = from; i < end; i++)
        to[i] = b == end || (a < middle && order[access[a]] <= order[access[b]]) ? access[a++] : access[b++];
}

/* Runs are merged two by two; whether it was more than one. */
static bool merge_all_runs(const uint64_t *order, const uint32_t *access, size_t n, uint32_t *to)
{
    if (end_of_run(order, access, 0, n) == n)
        return false;
    for (size_t from = 0, middle, end; from < n; from = end) {
        middle = end_of_run(order, access, from, n);
        end = middle < n ? end_of_run(order, access, middle, n) : n;
        merge_runs(order, access, from, middle, end, to);
    }
    return true;
}

/* A rank learns and does not forget, so its accesses are mostly in order, and there are about as many runs as ranks. */
static void sort_by_knowledge(struct race_search *search)
{
    size_t n = search->n;
    uint32_t *other = xmalloc(n * sizeof *other);
    search->order = xmalloc(n * sizeof *search->order);
    for (uint32_t i = 0; i < n; i++)
        search->order[i] = i;
    while (merge_all_runs(search->all.order.at, search->order, n, other)) {
        uint32_t *merged = other;
        other = search->order;
        search->order = merged;
    }
    free(other);
}

/* ---- from one chapter to the next ---- */

/* Those of chapters before lie in the trees when the search begins. */
static void add_past_accesses(struct race_search *search)
{
    const struct past_races *past = &search->races->past;
    for (size_t i = 0; i < past->access.n; i++) {
        const struct past_race_access *before = &past->access.at[i];
        struct race_access access = before->access;
        if (!map_get(&search->all.window_of, map_key(before->context), &access.window))
            continue;
        access.clock = past_clock(&past->clocks, before->clock);
        uint64_t from = before->piece.at + search->all.window.at[access.window].base[access.owner];
        access_tree_add(&search->tree[access.owner],
                        (struct access_range){from, from + before->piece.bytes, (uint32_t)search->all.access.n});
        vec_push(&search->all.access, access);
    }
}

/* Who has an access to come knows at least what its rank knows at the end, or when it made one that is told again. */
static void find_least_at_end(struct race_search *search, const struct window_clocks *clocks, const struct chapter_rest *rest)
{
    memset(search->at_least, 0xff, (size_t)search->all.width * sizeof *search->at_least);
    for (rank_t r = 0; r < clocks->width; r++) {
        const struct rank_record *record = &clocks->rank[r];
        for (size_t i = 0; i <= rest->kept[r].n; i++) {
            bool last = i == rest->kept[r].n;
            uint32_t number = last ? (uint32_t)record->op.n : rest->kept[r].at[i].number;
            if (!last && (!rest->kept[r].at[i].again || record->op.at[number]->kind != OP_ACCESS))
                continue;
            const uint32_t *clock =
                window_clocks_of_segment(clocks, r, last ? (uint32_t)record->segment.n - 1 : record->segment_of.at[number]);
            for (rank_t other = 0; other < clocks->width; other++) {
                uint32_t known = other == r ? number : clock[other];
                search->at_least[other] = known < search->at_least[other] ? known : search->at_least[other];
            }
        }
    }
}

static bool has_end(const struct race_access *access)
{
    return access->end[0].rank != RANK_NONE || access->end[1].rank != RANK_NONE;
}

/* One that is not over is told again. */
static bool is_remembered(void *data, const struct access_range *range)
{
    const struct race_search *search = data;
    return has_end(access_at(search, range->access)) && may_be_concurrent(data, range);
}

static void add_numbers_to_rest(struct chapter_rest *rest, const struct race_access *access)
{
    chapter_rest_add(rest, (struct op_name){access->origin, access->number}, false);
    for (int i = 0; i < 2; i++)
        if (access->end[i].rank != RANK_NONE)
            chapter_rest_add(rest, access->end[i], false);
}

/* Where an access of MPI_Win_start ends is found when its target has told of it. */
static bool awaits_target(const struct race_search *search)
{
    for (size_t i = 0; i < search->n; i++) {
        const struct race_access *access = access_at(search, (uint32_t)i);
        if (!has_end(access) && access->use->epoch == WINDOW_BY_START)
            return true;
    }
    return false;
}

static bool find_rest(struct race_search *search, const struct window_clocks *clocks, struct chapter_rest *rest)
{
    if (awaits_target(search))
        return false;
    find_least_at_end(search, clocks, rest);
    for (rank_t r = 0; r < search->all.ranks; r++) {
        access_tree_keep(&search->tree[r], is_remembered, search);
        for (size_t i = 0; i < search->tree[r].node.n; i++)
            add_numbers_to_rest(rest, access_at(search, search->tree[r].node.at[i].range.access));
        rest->remembered += search->tree[r].node.n;
    }
    return window_clocks_rest(clocks, rest);
}

static void leave_access(struct race_search *search, const struct chapter_rest *rest, const struct access_range *range, struct past_races *past)
{
    const struct race_access *access = access_at(search, range->access);
    const struct raced_window *window = &search->all.window.at[access->window];
    struct past_race_access left = {.access = *access,
                                    .context = window->context,
                                    .piece = {range->from - window->base[access->owner], range->until - range->from},
                                    .clock = window_past_add_clock(&past->clocks, rest, access->clock)};
    left.access.number = chapter_rest_place(rest, access->origin, access->number);
    left.access.op = xmemdup(access->op, access->op->size, 1);
    left.access.use = op_tail(left.access.op);
    left.access.message = access->message ? xmemdup(access->message, access->message->size, 1) : NULL;
    for (int i = 0; i < 2; i++)
        if (access->end[i].rank != RANK_NONE)
            left.access.end[i].op = chapter_rest_place(rest, access->end[i].rank, access->end[i].op);
    vec_push(&past->access, left);
}

static void leave_past(struct race_search *search, const struct window_clocks *clocks, const struct chapter_rest *rest, struct past_races *past)
{
    past->any = true;
    window_clocks_leave(clocks, rest, &past->clocks);
    window_accesses_leave(&search->all, rest, &past->clocks);
    for (rank_t r = 0; r < search->all.ranks; r++)
        for (size_t i = 0; i < search->tree[r].node.n; i++)
            leave_access(search, rest, &search->tree[r].node.at[i].range, past);
}

static void release_past_race_access(struct past_race_access *before)
{
    free((void *)before->access.op);
    free((void *)before->access.message);
}

static void release_past(struct past_races *past)
{
    window_past_release(&past->clocks);
    vec_release_each(&past->access, release_past_race_access);
    *past = (struct past_races){0};
}

/* ---- all of it ---- */

static void search_races(struct race_search *search)
{
    size_t ranks = (size_t)search->all.ranks;
    search->n = search->all.access.n;
    search->tree = xcalloc(ranks, sizeof *search->tree);
    search->alive = xcalloc(ranks, sizeof *search->alive);
    search->at_least = xcalloc(ranks, sizeof *search->at_least);
    add_past_accesses(search);
    sort_by_knowledge(search);
    for (size_t i = 0; i < search->n; i++)
        go_through_access(search, search->order[i]);
}

static void release_search(struct race_search *search)
{
    for (rank_t r = 0; search->tree && r < search->all.ranks; r++)
        access_tree_release(&search->tree[r]);
    free(search->tree);
    free(search->alive);
    free(search->at_least);
    free(search->order);
    map_release(&search->known);
    window_accesses_release(&search->all);
}

static bool any_is_open(const struct race_search *search)
{
    for (size_t i = 0; i < search->n; i++)
        if (!has_end(access_at(search, (uint32_t)i)))
            return true;
    return search->all.unbegun;
}

static void begin_race_search(struct race_search *search)
{
    LOG(check, "%zu accesses to %zu windows are compared", search->all.access.n, search->all.window.n);
    search_races(search);
    search->races->open = any_is_open(search);
}

static void drop_what_was_told(struct window_races *races)
{
    for (size_t i = 0; i < races->told.n; i++)
        free(races->told.at[i]);
    vec_clear(&races->told);
    release_past(&races->older);
}

bool window_races_add(struct window_races *races, const struct told_run *run, const struct local_touches *touches,
                      defects_t *defects)
{
    struct window_clocks clocks;
    drop_what_was_told(races);
    struct race_search search = {.races = races, .run = run, .defects = defects};
    bool known = window_clocks_begin(&clocks, run, races->remarks, touches);
    if (known) {
        window_accesses_begin(&search.all, &clocks, touches);
        begin_race_search(&search);
        release_search(&search);
    }
    races->by_news |= known && clocks.by_news;
    window_clocks_release(&clocks);
    return known;
}

/* What is left of the chapter in hand takes the place of what was before. */
static enum chapter_end end_chapter(struct race_search *search, const struct window_clocks *clocks, struct chapter_rest *rest)
{
    struct past_races past = {0};
    if (!find_rest(search, clocks, rest))
        return CHAPTER_STAYS;
    leave_past(search, clocks, rest, &past);
    search->races->older = search->races->past;
    search->races->past = past;
    return CHAPTER_GOES_OVER;
}

enum chapter_end window_races_add_chapter(struct window_races *races, const struct told_run *run, const struct local_touches *touches,
                                          struct chapter_rest *rest, defects_t *defects)
{
    struct window_clocks clocks;
    drop_what_was_told(races);
    struct race_search search = {.races = races, .run = run, .defects = defects};
    enum chapter_end end = rest ? CHAPTER_STAYS : CHAPTER_UNFOLLOWED; /* it may be that a lock was used of which nobody has told yet who had it before */
    if (races->past.any ? window_clocks_go_on(&clocks, run, touches, &races->past.clocks)
                        : window_clocks_begin(&clocks, run, NULL, touches)) {
        bool can_end = rest && window_accesses_rest(&search.all, &clocks, touches, rest);
        if (!rest)
            window_accesses_begin(&search.all, &clocks, touches);
        begin_race_search(&search);
        if (can_end)
            end = end_chapter(&search, &clocks, rest);
        else
            end = rest || races->open ? CHAPTER_STAYS : CHAPTER_OVER;
        release_search(&search);
    }
    window_clocks_release(&clocks);
    return end;
}

void window_races_forget(struct window_races *races)
{
    release_past(&races->older);
    races->older = races->past;
    races->past = (struct past_races){0};
}

void window_races_release(struct window_races *races)
{
    drop_what_was_told(races);
    vec_release(&races->told);
    release_past(&races->past);
}
