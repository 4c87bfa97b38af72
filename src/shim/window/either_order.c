#include "shim/window/either_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/accumulate_order.h"
#include "shim/bodies/alternative.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/shim.h"
#include "shim/virtual/thread_patterns.h"

enum { MOST_PASSED = 256 }; /* to one target; whether one that comes later may overtake more than that is not asked: it may */

bool either_order_is_played(const struct window *w)
{
    return w->was_given_up && channel_head()->copied;
}

/* ---- one access ---- */

static const struct window_access *access_in(const char *text)
{
    return (const void *)text;
}

static const struct window_piece *pieces_in(const char *text)
{
    return (const void *)(text + sizeof(struct window_access));
}

static struct accumulate accumulate_in(const char *text)
{
    return (struct accumulate){access_in(text)->kind, access_in(text)->operator};
}

/* ---- two to one place ---- */

struct order_pair {
    uint32_t first, second; /* of the list, as they were called */
};

struct placed_piece {
    uint64_t from, until;
    uint32_t access, class;
};

static int by_beginning(const void *a, const void *b)
{
    const struct placed_piece *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->access > y->access) - (x->access < y->access);
}

static int by_second(const void *a, const void *b)
{
    const struct order_pair *x = a, *y = b;
    return x->second != y->second ? (x->second > y->second) - (x->second < y->second)
                                  : (x->first > y->first) - (x->first < y->first);
}

/* Those that wait at a member, and in which order they are to happen. */
struct order_draft {
    const struct message_text *text;
    uint32_t n;
    struct order_pair *pair; /* owned; two that have bytes in common and do not commute */
    size_t pairs, pair_room;
    struct order_edge {
        uint32_t before, next; /* 1 + another edge to the same access; 0: none */
    } *edge; /* owned */
    uint32_t edges, edge_room;
    uint32_t *last_edge; /* owned; by access: 1 + an edge to it */
    uint32_t *stack;     /* owned; scratch */
    uint32_t *seen, look; /* owned; by access: the last look in which it was met */
    uint32_t *row, in_row; /* owned; the order */
    bool *behind; /* owned; by access: it comes after one that was called after it had stayed */
    bool *must;   /* owned; it has to be sent */
    bool *stays;  /* owned */
};

static void *zeroes(size_t n, size_t size)
{
    void *made = shim_alloc(n * size + 1);
    memset(made, 0, n * size + 1);
    return made;
}

static struct order_draft draft_of(const struct target *target)
{
    size_t n = target->atomics;
    return (struct order_draft){.text = target->atomic,
                                .n = target->atomics,
                                .last_edge = zeroes(n, sizeof(uint32_t)),
                                .stack = zeroes(n, sizeof(uint32_t)),
                                .seen = zeroes(n, sizeof(uint32_t)),
                                .row = zeroes(n, sizeof(uint32_t)),
                                .behind = zeroes(n, sizeof(bool)),
                                .must = zeroes(n, sizeof(bool)),
                                .stays = zeroes(n, sizeof(bool))};
}

static void release_draft(struct order_draft *draft)
{
    free(draft->pair);
    free(draft->edge);
    free(draft->last_edge);
    free(draft->stack);
    free(draft->seen);
    free(draft->row);
    free(draft->behind);
    free(draft->must);
    free(draft->stays);
}

static void add_pair(struct order_draft *draft, uint32_t a, uint32_t b)
{
    if (a == b)
        return;
    if (draft->pairs == draft->pair_room) {
        draft->pair_room = draft->pair_room ? 2 * draft->pair_room : 16;
        draft->pair = shim_realloc(draft->pair, draft->pair_room * sizeof *draft->pair);
    }
    draft->pair[draft->pairs++] = (struct order_pair){a < b ? a : b, a < b ? b : a};
}

static struct placed_piece *place_pieces(const struct order_draft *draft, size_t *n)
{
    size_t all = 0;
    for (uint32_t i = 0; i < draft->n; i++)
        all += access_in(draft->text[i].at)->pieces;
    struct placed_piece *placed = shim_alloc((all + 1) * sizeof *placed);
    *n = 0;
    for (uint32_t i = 0; i < draft->n; i++) {
        const struct window_access *access = access_in(draft->text[i].at);
        const struct window_piece *piece = pieces_in(draft->text[i].at);
        for (uint32_t k = 0; k < access->pieces; k++)
            placed[(*n)++] = (struct placed_piece){piece[k].at, piece[k].at + piece[k].bytes, i, window_access_class(access)};
    }
    qsort(placed, *n, sizeof *placed, by_beginning);
    return placed;
}

/* Pieces of one class that reach up to where the sweep is, or did when somebody last looked. */
struct reaching_pieces {
    const struct placed_piece **at; /* owned */
    size_t n, room;
};

static void pair_with_reaching(struct order_draft *draft, struct reaching_pieces *reaching, const struct placed_piece *piece)
{
    size_t kept = 0;
    for (size_t i = 0; i < reaching->n; i++) {
        if (reaching->at[i]->until <= piece->from)
            continue;
        add_pair(draft, reaching->at[i]->access, piece->access);
        reaching->at[kept++] = reaching->at[i];
    }
    reaching->n = kept;
}

static void add_reaching(struct reaching_pieces *reaching, const struct placed_piece *piece)
{
    if (reaching->n == reaching->room) {
        reaching->room = reaching->room ? 2 * reaching->room : 16;
        reaching->at = shim_realloc(reaching->at, reaching->room * sizeof *reaching->at);
    }
    reaching->at[reaching->n++] = piece;
}

/* By a sweep over the bytes.  Those of one class commute and are not compared, so that many sums take no longer than they need. */
static void find_order_pairs(struct order_draft *draft)
{
    struct reaching_pieces reaching[OPERATOR_USER] = {{0}};
    size_t n, kept = 0;
    struct placed_piece *placed = place_pieces(draft, &n);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t class = 0; class < OPERATOR_USER; class++)
            if (!class || class != placed[i].class)
                pair_with_reaching(draft, &reaching[class], &placed[i]);
        add_reaching(&reaching[placed[i].class], &placed[i]);
    }
    for (uint32_t class = 0; class < OPERATOR_USER; class++)
        free(reaching[class].at);
    free(placed);
    if (draft->pairs)
        qsort(draft->pair, draft->pairs, sizeof *draft->pair, by_second);
    for (size_t i = 0; i < draft->pairs; i++)
        if (!kept || by_second(&draft->pair[kept - 1], &draft->pair[i]) != 0)
            draft->pair[kept++] = draft->pair[i];
    draft->pairs = kept;
}

/* ---- which of two is first ---- */

static void put_before(struct order_draft *draft, uint32_t first, uint32_t second)
{
    if (draft->edges == draft->edge_room) {
        draft->edge_room = draft->edge_room ? 2 * draft->edge_room : 16;
        draft->edge = shim_realloc(draft->edge, draft->edge_room * sizeof *draft->edge);
    }
    draft->edge[draft->edges] = (struct order_edge){first, draft->last_edge[second]};
    draft->last_edge[second] = ++draft->edges;
}

/* Whether it follows from what is known that `first` is before `second`. */
static bool is_settled_before(struct order_draft *draft, uint32_t first, uint32_t second)
{
    uint32_t n = 0;
    draft->look++;
    draft->stack[n++] = second;
    draft->seen[second] = draft->look;
    while (n) {
        uint32_t at = draft->stack[--n];
        if (at == first)
            return true;
        for (uint32_t e = draft->last_edge[at]; e; e = draft->edge[e - 1].next) {
            uint32_t before = draft->edge[e - 1].before;
            if (draft->seen[before] == draft->look)
                continue;
            draft->seen[before] = draft->look;
            draft->stack[n++] = before;
        }
    }
    return false;
}

static uint32_t choose_for(const struct message_text *text, const char *of)
{
    shim.call = text->note[0].call;
    shim.place = text->note[0].place;
    uint32_t chosen = alternative_choose(2, of);
    entry_resume_call();
    return chosen;
}

static bool choose_to_swap(const struct message_text *earlier, const struct message_text *later)
{
    char of[256];
    const char *name = call_name(later->note[0].call), *before = call_name(earlier->note[0].call);
    snprintf(of, sizeof of,
             "the order of accumulates|lets %s happen after the %s that it called before|"
             "lets %s happen before the %s that it called earlier, which accumulate_ordering allows",
             name, before, name, before);
    return choose_for(later, of) == 1;
}

static bool choose_to_stay(const struct message_text *text)
{
    char of[256];
    const char *name = call_name(text->note[0].call);
    snprintf(of, sizeof of,
             "the order of accumulates|lets %s happen before those that it calls later|"
             "lets %s happen after one to the same place that it calls later, which accumulate_ordering allows",
             name, name);
    return choose_for(text, of) == 1;
}

/* What has stayed together has an order among itself. */
static bool is_pair_open(const struct order_draft *draft, const struct order_pair *pair)
{
    const struct message_text *first = &draft->text[pair->first], *second = &draft->text[pair->second];
    return !(first->late && second->late) &&
           accumulate_order_is_given_up(first->given_up & second->given_up, accumulate_in(first->at), accumulate_in(second->at));
}

/* Whether the first one has stayed for the sake of this second one, and is behind none yet, and no other one is left. */
static bool has_to_be_behind(const struct order_draft *draft, size_t i)
{
    uint32_t first = draft->pair[i].first;
    if (!draft->text[first].late || draft->behind[first])
        return false;
    for (size_t k = i + 1; k < draft->pairs; k++)
        if (draft->pair[k].first == first && is_pair_open(draft, &draft->pair[k]))
            return false;
    return true;
}

static void settle_pair(struct order_draft *draft, size_t i)
{
    const struct order_pair pair = draft->pair[i];
    bool swapped = is_settled_before(draft, pair.second, pair.first);
    if (!swapped && !is_settled_before(draft, pair.first, pair.second))
        swapped = has_to_be_behind(draft, i) || choose_to_swap(&draft->text[pair.first], &draft->text[pair.second]);
    if (swapped)
        put_before(draft, pair.second, pair.first);
    else
        put_before(draft, pair.first, pair.second);
    draft->behind[pair.first] |= swapped;
}

static void settle_pairs(struct order_draft *draft)
{
    for (size_t i = 0; i < draft->pairs; i++)
        if (!is_pair_open(draft, &draft->pair[i]))
            put_before(draft, draft->pair[i].first, draft->pair[i].second);
    for (size_t i = 0; i < draft->pairs; i++)
        if (is_pair_open(draft, &draft->pair[i]))
            settle_pair(draft, i);
}

/* ---- the row ---- */

/* With all that has to be before it. */
static void add_to_row(struct order_draft *draft, uint32_t access)
{
    draft->seen[access] = draft->look;
    for (uint32_t e = draft->last_edge[access]; e; e = draft->edge[e - 1].next)
        if (draft->seen[draft->edge[e - 1].before] != draft->look)
            add_to_row(draft, draft->edge[e - 1].before);
    draft->row[draft->in_row++] = access;
}

static void make_row(struct order_draft *draft)
{
    draft->look++;
    for (uint32_t i = 0; i < draft->n; i++)
        if (draft->seen[i] != draft->look)
            add_to_row(draft, i);
}

static void find_musts(struct order_draft *draft, enum order_end end)
{
    for (uint32_t i = draft->n; i-- > 0;) {
        uint32_t at = draft->row[i];
        draft->must[at] |= draft->text[at].request || end == ENDS_ALL || (end == ENDS_RESULTS && draft->text[at].results);
        for (uint32_t e = draft->last_edge[at]; e && draft->must[at]; e = draft->edge[e - 1].next)
            draft->must[draft->edge[e - 1].before] = true;
    }
}

static void choose_stayers(struct order_draft *draft)
{
    for (uint32_t i = 0; i < draft->n; i++) {
        uint32_t at = draft->row[i];
        for (uint32_t e = draft->last_edge[at]; e; e = draft->edge[e - 1].next)
            draft->stays[at] |= draft->stays[draft->edge[e - 1].before];
        if (draft->stays[at] || draft->must[at])
            continue;
        bool waits_on = draft->text[at].late && !draft->behind[at];
        draft->stays[at] = waits_on || choose_to_stay(&draft->text[at]);
        shim.withheld += draft->stays[at]; /* from the next question on; either_order_settle counts anew */
    }
}

static uint32_t count_late(const struct target *target)
{
    uint32_t late = 0;
    for (uint32_t i = 0; i < target->atomics; i++)
        late += target->atomic[i].late;
    return late;
}

/* ---- the list ---- */

/* Those that go, in the order of the row, and then those that stay; returns how many go. */
static uint32_t arrange(const struct order_draft *draft, struct message_text *list)
{
    struct message_text *old = shim_alloc(draft->n * sizeof *old);
    uint32_t at = 0, going = 0;
    memcpy(old, list, draft->n * sizeof *old);
    for (int staying = 0; staying < 2; staying++) {
        for (uint32_t i = 0; i < draft->n; i++) {
            if (draft->stays[draft->row[i]] != (staying == 1))
                continue;
            list[at] = old[draft->row[i]];
            list[at++].late |= staying == 1;
        }
        going = staying ? going : at;
    }
    free(old);
    return going;
}

/* How many that were called before each one are still to be sent behind it: who compares accesses goes by that. */
static void count_overtaken(struct message_text *list, uint32_t going, uint32_t n)
{
    for (uint32_t i = 0; i < going; i++) {
        list[i].overtakes = 0;
        for (uint32_t k = i + 1; k < n; k++)
            list[i].overtakes += list[k].called < list[i].called;
    }
}

static bool is_in_order(const struct order_draft *draft)
{
    for (uint32_t i = 0; i < draft->n; i++)
        if (draft->row[i] != i || draft->stays[i] || draft->text[i].late)
            return false;
    return true;
}

/* ---- what was sent, and is not complete ---- */

struct passed_access {
    uint64_t given_up; /* of its window, when it was called */
    char text[];       /* as in call/window.h, without its data */
};

static void forget_passed(struct target *target, enum order_end end)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < target->passed; i++) {
        bool result = access_in(target->passed_access[i]->text)->kind != WINDOW_ACCUMULATE;
        if (end == ENDS_ALL || (end == ENDS_RESULTS && result))
            free(target->passed_access[i]);
        else
            target->passed_access[kept++] = target->passed_access[i];
    }
    target->passed = kept;
}

static void add_passed(struct target *target, const struct message_text *text)
{
    size_t bytes = sizeof(struct window_access) + access_in(text->at)->pieces * sizeof(struct window_piece);
    if (!target->passed_access)
        target->passed_access = shim_alloc(MOST_PASSED * sizeof *target->passed_access);
    if (text->request || target->passed == MOST_PASSED)
        return;
    struct passed_access *copy = shim_alloc(sizeof *copy + bytes);
    copy->given_up = text->given_up;
    memcpy(copy->text, text->at, bytes);
    target->passed_access[target->passed++] = copy;
}

static bool have_bytes_in_common(const char *a, const char *b)
{
    const struct window_piece *x = pieces_in(a), *y = pieces_in(b);
    for (uint32_t i = 0; i < access_in(a)->pieces; i++)
        for (uint32_t k = 0; k < access_in(b)->pieces; k++)
            if (x[i].at < y[k].at + y[k].bytes && y[k].at < x[i].at + x[i].bytes)
                return true;
    return false;
}

static bool may_overtake_passed(const struct message_text *text, const struct passed_access *passed)
{
    return accumulate_order_is_given_up(text->given_up & (uint32_t)passed->given_up, accumulate_in(passed->text), accumulate_in(text->at)) &&
           have_bytes_in_common(passed->text, text->at);
}

static bool may_overtake(const struct target *target, const struct message_text *text)
{
    if (target->passed == MOST_PASSED)
        return true;
    for (uint32_t i = 0; i < target->passed; i++)
        if (may_overtake_passed(text, target->passed_access[i]))
            return true;
    return false;
}

void either_order_note(const struct window *w, int member)
{
    struct target *target = &w->target[member];
    struct message_text *text = &target->atomic[target->atomics - 1];
    text->called = ++target->calls;
    text->given_up = w->given_up;
    if (!overtaking_is_known(w->slot, target->rank) && may_overtake(target, text))
        overtaking_note(w->slot, target->rank);
}

/* ---- all of it ---- */

uint32_t either_order_settle(struct window *w, int member, enum order_end end)
{
    struct target *target = &w->target[member];
    bool may_stay = end != ENDS_ALL && overtaking_is_known(w->slot, target->rank);
    uint32_t going = target->atomics, withheld_elsewhere = shim.withheld - count_late(target);
    if (target->atomics) {
        struct order_draft draft = draft_of(target);
        find_order_pairs(&draft);
        settle_pairs(&draft);
        make_row(&draft);
        find_musts(&draft, end);
        if (may_stay)
            choose_stayers(&draft);
        if (!is_in_order(&draft)) {
            going = arrange(&draft, target->atomic);
            count_overtaken(target->atomic, going, draft.n);
        }
        release_draft(&draft);
    }
    for (uint32_t i = 0; i < going && end != ENDS_ALL && !may_stay; i++)
        add_passed(target, &target->atomic[i]);
    forget_passed(target, end);
    shim.withheld = withheld_elsewhere + target->atomics - going;
    if (going == target->atomics)
        target->calls = 0; /* nobody is left to be compared with, and who polls comes back to the same state */
    return going;
}

void either_order_release(struct target *target)
{
    forget_passed(target, ENDS_ALL);
    free(target->passed_access);
    target->passed_access = NULL;
}
