#include "shim/clock/late_messages.h"

#include <stdlib.h>
#include <string.h>

#include "shim/clock/ledger.h"
#include "shim/core/handle.h"

/* A message that may be late, until the wildcard's own source is known. */
struct late_candidate {
    struct late_candidate *next;
    rank_t source;
    struct causal_late record;
};

struct wildcard {
    uint64_t op, choice;
    context_t context;
    int32_t tag;
    bool matched;     /* the clock is final */
    bool complete;    /* and the source is known */
    rank_t source;
    uint64_t posted;  /* the clock when it was posted */
    uint64_t clock;   /* the clock when it was matched */
    uint64_t limit;   /* messages with more than this know of the match */
    struct late_candidate *candidates; /* owned */
};

struct wildcards {
    struct wildcard **at;
    uint64_t n, room;
};
static struct wildcards pending; /* borrowed: in the order of posting */
static struct wildcards matched; /* owned: in the order of their clocks */

/*
 * For a source, communicator and tag: the wildcards before this one have been compared with
 * a message of it that has this clock.  One that knows as much, or more, need not be: it is
 * late for fewer, and not the first.
 */
struct channel_view {
    uint64_t compared;
    uint64_t clock;
};
static struct handle_map views;

static void add_wildcard(struct wildcards *list, struct wildcard *w)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->at = shim_realloc(list->at, list->room * sizeof *list->at);
    }
    list->at[list->n++] = w;
}

struct wildcard *wildcard_new(const struct op *op, uint64_t index, uint64_t choice)
{
    struct wildcard *w = shim_alloc(sizeof *w);
    *w = (struct wildcard){.op = index,
                           .choice = choice,
                           .context = op->context,
                           .tag = op->tag,
                           .source = RANK_NONE,
                           .posted = clock_now()};
    add_wildcard(&pending, w);
    return w;
}

uint64_t wildcard_clock_when_posted(const struct wildcard *w)
{
    return w->posted;
}

static bool fits_wildcard(const struct wildcard *w, context_t context, int32_t tag)
{
    return w->context == context && (w->tag == TAG_ANY || w->tag == tag);
}

static void become_matched(struct wildcard *w)
{
    w->matched = true;
    w->clock = w->limit = clock_now();
    clock_tick();
    add_wildcard(&matched, w);
}

/* R4: those that the message would have gone to, had they not been matched before. */
static void complete_now(const struct arrival *a)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < pending.n; i++) {
        struct wildcard *w = pending.at[i];
        bool before = w != a->wildcard && w->op < a->op && fits_wildcard(w, a->context, a->tag);
        if (before)
            become_matched(w);
        else if (w != a->wildcard)
            pending.at[kept++] = w;
    }
    pending.n = kept;
}

void wildcard_cancel(struct wildcard *w)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < pending.n; i++)
        if (pending.at[i] != w)
            pending.at[kept++] = pending.at[i];
    pending.n = kept;
    w->matched = w->complete = true; /* so that nothing is ever late for it: */
    w->limit = 0;
    w->context = 0;
    add_wildcard(&matched, w);
}

static void write_late_candidate(struct late_candidate *c)
{
    struct causal_late *record = ledger_begin(CAUSAL_LATE, sizeof *record);
    c->record.record = record->record;
    *record = c->record;
    ledger_commit();
}

static bool is_candidate_listed(const struct wildcard *w, rank_t source)
{
    for (const struct late_candidate *c = w->candidates; c; c = c->next)
        if (c->source == source)
            return true;
    return false;
}

static void consider(struct wildcard *w, const struct arrival *a)
{
    if (!fits_wildcard(w, a->context, a->tag) || a->header->clock > w->limit || is_candidate_listed(w, a->source) ||
        (w->complete && w->source == a->source))
        return;
    struct late_candidate *c = shim_alloc(sizeof *c);
    *c = (struct late_candidate){.next = w->candidates,
                            .source = a->source,
                            .record = {.number = w->choice,
                                       .sender_op = a->header->op,
                                       .sender_clock = a->header->clock,
                                       .sender_signature = a->header->signature,
                                       .bytes = a->bytes,
                                       .source = a->source,
                                       .tag = a->tag}};
    w->candidates = c;
    if (w->complete)
        write_late_candidate(c);
}

static struct channel_view *view_of(const struct arrival *a)
{
    uint64_t key = causal_mix(causal_mix(a->context, (uint32_t)a->source), (uint32_t)a->tag);
    struct channel_view *view = handle_map_get(&views, key);
    if (!view) {
        view = shim_alloc(sizeof *view);
        *view = (struct channel_view){.clock = UINT64_MAX};
        handle_map_put(&views, key, view);
    }
    return view;
}

/* Those that were matched before and whose clock the message does not know. */
static void compare_with_matched(const struct arrival *a)
{
    struct channel_view *view = view_of(a);
    uint64_t from = matched.n, unseen = matched.n, seen = a->header->clock < view->clock ? 0 : view->compared;
    while (from > seen && matched.at[from - 1]->clock >= a->header->clock)
        from--;
    for (; from < matched.n; from++) {
        struct wildcard *w = matched.at[from];
        if (w->op < a->op)
            consider(w, a);
        else if (from < unseen && w != a->wildcard)
            unseen = from; /* posted later, so for a later message to be compared with */
    }
    if (unseen > view->compared)
        view->compared = unseen;
    if (a->header->clock < view->clock)
        view->clock = a->header->clock;
}

/* Matched by a synchronous send, which then went on: what it caused knows the clock of the posting only (5.2.1.2). */
static void limit_by_posting(struct wildcard *w, const struct arrival *a)
{
    if (!a->blocking && a->header && (a->header->flags & HEADER_SYNCHRONOUS))
        w->limit = w->posted;
}

static void become_complete(struct wildcard *w, const struct arrival *a)
{
    w->complete = true;
    w->source = a->source;
    limit_by_posting(w, a);
    struct late_candidate **at = &w->candidates;
    while (*at) {
        struct late_candidate *c = *at;
        if (c->source == w->source || c->record.sender_clock > w->limit) {
            *at = c->next;
            free(c);
        } else {
            write_late_candidate(c);
            at = &c->next;
        }
    }
}

static void read_header(const struct arrival *a)
{
    clock_take(a->header);
    if (matched.n && !(a->header->flags & HEADER_UNCERTAIN))
        compare_with_matched(a);
}

uint64_t late_messages_arrived(const struct arrival *a)
{
    struct wildcard *w = a->wildcard;
    complete_now(a);
    if (w && !w->matched)
        become_matched(w);
    uint64_t clock = w ? w->clock : clock_now();
    if (a->header)
        read_header(a);
    if (w)
        become_complete(w, a);
    return clock;
}
