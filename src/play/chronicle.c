#include "play/chronicle.h"

#include <string.h>

#include "base/log.h"
#include "call/calls.h"
#include "call/file_use.h"
#include "play/keepers.h"
#include "play/told_records.h"

enum {
    CHAPTER = 1 << 12, /* entries after which one may end: few enough for a cache, many enough to be worth a beginning */
    GOES_OVER = 1 << 14, /* and after which it may end though it is not over */
    MOST = 1 << 20,    /* entries of one that never ends */
};

/* What a rank did from one answer to the next. */
struct told_segment {
    uint32_t first;       /* number of its first operation */
    uint32_t item, items; /* of the answer that it begins with */
    size_t touch;         /* the first of its loads and stores */
    bool answered;        /* else it is the beginning, or a poll said no */
    bool unseen;          /* there were more loads and stores */
};

struct told_item {
    struct answer_item item;
    struct op_name message; /* RANK_NONE: none is known */
};

/* A window that a rank has: the operation that told of it, with its extent. */
struct open_window {
    struct op op;
    struct window_extent extent;
    struct op looked; /* the last operation at which the memory was looked at; its kind is OP_NONE: there was none */
};

struct told_rank {
    VEC(const struct op *) op; /* by number: in `records`, where equal remarks are one */
    VEC(struct told_segment) segment;
    VEC(struct told_item) item; /* of all segments */
    uint32_t answered;          /* items that belong to segments; those behind them are of the answer that is being put together */
    VEC(struct op_name) piece;  /* of all items: who was heard in collectives */
    local_touches_t touch;      /* of all segments */
    VEC(struct open_window) window;
    VEC(struct op) held;        /* requests for locks that are held */
    uint32_t started;           /* targets of epochs that MPI_Win_start has begun */
    context_t whole;            /* the last answer was from a collective in which it has heard all; 0: it was not */
    uint32_t whole_turn;
};

/* A keeper: its letters, and how many it had written when it had taken so many messages. */
struct told_keeper {
    VEC(struct op) letter;
    VEC(uint32_t) until;
};

struct window_name {
    context_t context;
    char *text; /* owns */
};

struct chronicle {
    int ranks;
    struct told_rank *rank; /* owns */
    struct told_records records, other; /* the other is empty but while a chapter goes over into the next one */
    VEC(struct told_keeper) keeper;
    VEC(struct pairing) met, taken; /* between ranks; and with keepers */
    VEC(struct window_name) name;
    size_t entries;
    size_t next_look;   /* entries from which on it is looked whether a chapter can end, */
    size_t next_over;   /* and whether it can go over into the next one */
    uint64_t under_way; /* messages to keepers that were not taken */
    uint64_t unread;    /* letters of keepers that nobody has received */
    bool windows, files; /* there were some */
    bool stopped;       /* it was too much: */
    rank_t last_rank;   /* the operation from which on nothing was written, */
    struct op last;     /* of that rank */

    /* While it is told: */
    VEC(struct history) history; /* by node, from 1 */
    VEC(struct told_touches {
        const struct local_touch *at;
        size_t n;
        bool all;
    }) touches; /* by node */
    VEC(node_id) node;
    VEC(const struct ret *) ret_of;
    VEC(uint32_t) until;
    struct ret *ret;             /* owns */
    struct answer_item *item;    /* owns */
    struct answer_piece *piece;  /* owns */
    struct trail *trail;         /* owns */
    const struct op *const **op; /* owns; by rank: those of struct told_rank */
};

static bool is_written(const struct play *play)
{
    return play->chronicle && !play->chronicle->stopped;
}

/* ---- writing ---- */

static uint32_t op_number(const struct told_rank *rank)
{
    return (uint32_t)rank->op.n;
}

static const struct op *told_op(const struct told_rank *rank, uint32_t number)
{
    return rank->op.at[number];
}

static bool keeps_tail(const struct op *op)
{
    return op->kind == OP_ACCESS || op->kind == OP_WINDOW || op->kind == OP_FILE_ACCESS || op->kind == OP_FILE;
}

/* `tail` may be that of the operation. */
static void write_told_op(struct chronicle *c, rank_t r, const struct op *op, const void *tail, size_t bytes)
{
    vec_push(&c->rank[r].op, told_records_keep(&c->records, op, tail, bytes));
    c->entries++;
}

/* Of its number it matters that there is one: at a keeper, atomic accesses are in their order. */
static void write_done_op(struct chronicle *c, rank_t r, const struct op *op)
{
    struct op done = *op;
    done.ticket = op->ticket != 0;
    write_told_op(c, r, &done, NULL, 0);
}

static void begin_segment(struct chronicle *c, rank_t r, bool answered)
{
    struct told_rank *rank = &c->rank[r];
    struct told_segment segment = {
        .first = op_number(rank), .item = rank->answered, .touch = rank->touch.n, .answered = answered};
    segment.items = (uint32_t)rank->item.n - rank->answered;
    rank->answered = (uint32_t)rank->item.n;
    vec_push(&rank->segment, segment);
    c->entries++;
}

/* Operations that ranks have not heard the end of. */
static void write_pending(struct play *play)
{
    struct chronicle *c = play->chronicle;
    for (size_t i = 1; i < play->items.n; i++)
        item_at(play, (uint32_t)i)->told = 0;
    for (rank_t r = 0; r < play->all_ranks; r++)
        for (size_t k = 0; k < play->player[r].slot.n; k++) {
            if (!play->player[r].slot.at[k])
                continue;
            struct item *item = item_at(play, play->player[r].slot.at[k]);
            write_told_op(c, r, &item->op, NULL, 0);
            item->told = op_number(&c->rank[r]);
        }
}

static void begin_chronicle(struct play *play)
{
    struct chronicle *c = play->chronicle = xcalloc(1, sizeof *c);
    c->ranks = play->all_ranks;
    c->rank = xcalloc((size_t)play->all_ranks, sizeof *c->rank);
    c->next_look = CHAPTER;
    c->next_over = GOES_OVER;
    for (rank_t r = 0; r < play->all_ranks; r++)
        begin_segment(c, r, false);
    write_pending(play);
}

/* ---- what is carried from one chapter to the next ---- */

static struct window_name *find_window_name(struct chronicle *c, context_t context)
{
    for (size_t i = 0; i < c->name.n; i++)
        if (c->name.at[i].context == context)
            return &c->name.at[i];
    return NULL;
}

static void note_window_name(struct chronicle *c, context_t context, const char *text, const char *otherwise)
{
    struct window_name *name = find_window_name(c, context);
    if (!name) {
        vec_push(&c->name, ((struct window_name){.context = context}));
        name = &vec_last(&c->name);
    }
    free(name->text);
    name->text = xstrdup(text ? text : otherwise);
}

const char *chronicle_name(const struct play *play, context_t context)
{
    const struct window_name *name = play->chronicle ? find_window_name(play->chronicle, context) : NULL;
    return name ? name->text : NULL;
}

static struct open_window *find_open_window(struct told_rank *rank, context_t context)
{
    for (size_t i = 0; i < rank->window.n; i++)
        if (rank->window.at[i].op.context == context)
            return &rank->window.at[i];
    return NULL;
}

static void close_window(struct told_rank *rank, context_t context)
{
    struct open_window *window = find_open_window(rank, context);
    if (!window)
        return;
    size_t at = (size_t)(window - rank->window.at);
    memmove(window, window + 1, (--rank->window.n - at) * sizeof *window);
}

static bool event_looks(const struct op *op)
{
    return op->event == WINDOW_FENCED || op->event == WINDOW_POSTED || op->event == WINDOW_WAITED || op->event == WINDOW_SYNCED;
}

static void note_window_event(struct play *play, rank_t r, const struct op *op)
{
    struct told_rank *rank = &play->chronicle->rank[r];
    struct open_window *window = find_open_window(rank, op->context);
    if (op->event == WINDOW_OPENED) {
        struct open_window new = {.op = *op};
        memcpy(&new.extent, op_tail(op), sizeof new.extent);
        vec_push(&rank->window, new);
        note_window_name(play->chronicle, op->context, play_context_name(play, op->context), "a window");
    } else if (op->event == WINDOW_CLOSED) {
        close_window(rank, op->context);
    } else if (window && event_looks(op)) {
        window->looked = *op;
    }
}

static void note_lock_message(struct told_rank *rank, const struct op *op)
{
    if (!window_op_releases(op)) {
        vec_push(&rank->held, *op);
        return;
    }
    for (size_t i = 0; i < rank->held.n; i++)
        if (rank->held.at[i].peer == op->peer) {
            rank->held.at[i] = vec_last(&rank->held);
            rank->held.n--;
            return;
        }
}

static void note_message_to_window(struct play *play, rank_t r, const struct op *op)
{
    struct chronicle *c = play->chronicle;
    if (op->peer < c->ranks) {
        int32_t kind = window_tag_kind(op->tag);
        c->rank[r].started += kind == WINDOW_START ? 1 : kind == WINDOW_COMPLETE ? -1u : 0;
        return;
    }
    c->under_way++;
    if (keeper_is_lock(c->ranks, op->peer))
        note_lock_message(&c->rank[r], op);
}

static void stop_writing(struct chronicle *c, rank_t r, const struct op *op)
{
    LOG(play, "there is too much to remember of windows and files: no access is compared any more");
    c->stopped = true;
    c->last_rank = r;
    c->last = *op;
    c->last.size = sizeof c->last;
}

static void write_touch(struct play *play, rank_t r, const struct window_touch *touch)
{
    struct told_rank *rank = &play->chronicle->rank[r];
    struct told_segment *segment = &vec_last(&rank->segment);
    if (touch->flags & TOUCH_UNSEEN) {
        segment->unseen = true;
        play->reader.unseen(play->reader.data, r, touch->place);
    } else if (touch->count && touch->bytes) {
        size_t before = rank->touch.n;
        local_touches_add(&rank->touch, touch, op_number(rank) - segment->first, touch->bytes);
        play->chronicle->entries += rank->touch.n - before;
    }
}

/* What the rank has loaded and stored before the operation that it posts. */
static void write_touches(struct play *play, rank_t r)
{
    const struct told_before *before = &world_rank(play->world, r)->before;
    for (uint32_t i = 0; i < before->touch_records; i++) {
        const struct window_touch *touch = op_tail(before->touches[i]);
        for (uint32_t k = 0; k < before->touches[i]->items; k++)
            write_touch(play, r, &touch[k]);
    }
}

/* What ranks tell of accesses that they make themselves (call/shown_memory.h) also if nobody compares them. */
static bool is_beside_the_point(const struct play *play, const struct op *op)
{
    return op_tells_done(op) && !(play->chronicle && play->chronicle->windows);
}

void chronicle_post(struct play *play, rank_t r, const struct op *op)
{
    if (is_beside_the_point(play, op))
        return;
    if (!play->chronicle && play->reader.read && (op->kind == OP_WINDOW || op->kind == OP_FILE))
        begin_chronicle(play);
    if (!is_written(play))
        return;
    struct chronicle *c = play->chronicle;
    if (c->entries >= MOST) {
        stop_writing(c, r, op);
        return;
    }
    c->rank[r].whole = 0;
    write_touches(play, r);
    if (op_tells_done(op))
        write_done_op(c, r, op);
    else
        write_told_op(c, r, op, op_tail(op), keeps_tail(op) ? op_tail_size(op) : 0);
    c->windows |= op->kind == OP_WINDOW;
    c->files |= op->kind == OP_FILE;
    if (op->kind == OP_WINDOW)
        note_window_event(play, r, op);
    else if (op->kind == OP_FILE && op->event == FILE_OPENED)
        note_window_name(c, op->context, play_context_name(play, op->context), "a file");
    else if (op->kind == OP_SEND && op->context == KEEPER_CONTEXT)
        note_message_to_window(play, r, op);
    else if (op->kind == OP_CONTEXT_NAME && find_window_name(c, op->context))
        note_window_name(c, op->context, op_tail(op), NULL);
}

uint32_t chronicle_last(const struct play *play, rank_t r)
{
    return is_written(play) ? op_number(&play->chronicle->rank[r]) : 0;
}

void chronicle_match(struct play *play, const struct item *send, const struct item *recv)
{
    if (!is_written(play))
        return;
    struct chronicle *c = play->chronicle;
    bool by_keeper = send->rank >= c->ranks, at_keeper = recv->rank >= c->ranks;
    c->under_way -= at_keeper && !by_keeper && c->under_way;
    c->unread -= by_keeper && send->told && c->unread;
    if (!send->told || (!recv->told && !at_keeper))
        return;
    struct pairing pairing = {
        .send = {send->rank, send->told - 1}, .recv = {recv->rank, recv->told ? recv->told - 1 : 0}, .made = true};
    if (by_keeper || at_keeper)
        vec_push(&c->taken, pairing);
    else
        vec_push(&c->met, pairing);
    c->entries++;
}

static struct told_keeper *told_keeper(struct chronicle *c, rank_t keeper)
{
    while (c->keeper.n <= (size_t)(keeper - c->ranks))
        vec_push(&c->keeper, ((struct told_keeper){0}));
    return &c->keeper.at[keeper - c->ranks];
}

/* Letters that it has written before are those of the messages that it had taken before. */
static void note_taking(struct chronicle *c, rank_t keeper)
{
    struct told_keeper *told = told_keeper(c, keeper);
    vec_push(&told->until, (uint32_t)told->letter.n);
}

void chronicle_taken(struct play *play, rank_t keeper, const struct item *send)
{
    if (is_written(play) && keeper >= play->chronicle->ranks && send->told) /* of a window, and else it is not part of the account */
        note_taking(play->chronicle, keeper);
}

void chronicle_done(struct play *play, rank_t r, rank_t keeper)
{
    if (!is_written(play) || !play->chronicle->windows)
        return;
    struct chronicle *c = play->chronicle;
    vec_push(&c->taken, ((struct pairing){.send = {r, op_number(&c->rank[r]) - 1}, .recv = {keeper, 0}, .made = true}));
    (void)told_keeper(c, keeper);
    c->entries++;
}

uint32_t chronicle_letter(struct play *play, rank_t keeper, const struct op *op)
{
    if (!is_written(play) || keeper < play->chronicle->ranks) /* the registry of names is no keeper of a window */
        return 0;
    struct told_keeper *told = told_keeper(play->chronicle, keeper);
    vec_push(&told->letter, *op);
    vec_last(&told->letter).size = sizeof *op;
    play->chronicle->entries++;
    play->chronicle->unread++;
    return (uint32_t)told->letter.n;
}

/* ---- answers ---- */

static struct told_item *add_told_item(struct chronicle *c, rank_t r, uint32_t request, uint32_t flags)
{
    struct told_rank *rank = &c->rank[r];
    vec_push(&rank->item, ((struct told_item){.item = {.request = request,
                                                       .flags = flags,
                                                       .source = RANK_NONE,
                                                       .first_piece = (uint32_t)rank->piece.n},
                                              .message = {RANK_NONE, 0}}));
    c->entries++;
    return &vec_last(&rank->item);
}

void chronicle_complete(struct play *play, rank_t r, uint32_t request, uint32_t flags)
{
    if (is_written(play))
        add_told_item(play->chronicle, r, request, flags);
}

void chronicle_see(struct play *play, rank_t r, uint32_t request, const struct item *send)
{
    if (!is_written(play))
        return;
    struct told_item *item = add_told_item(play->chronicle, r, request, ANSWERED_SEEN);
    item->item.source = send->rank;
    if (send->told)
        item->message = (struct op_name){send->rank, send->told - 1};
}

void chronicle_hear(struct play *play, rank_t r, const struct item *part)
{
    if (!is_written(play) || !part->told)
        return;
    struct told_rank *rank = &play->chronicle->rank[r];
    vec_push(&rank->piece, ((struct op_name){part->rank, part->told - 1}));
    vec_last(&rank->item).item.pieces++;
    play->chronicle->entries++;
}

void chronicle_heard_all(struct play *play, rank_t r, context_t context, uint32_t turn)
{
    if (!is_written(play))
        return;
    play->chronicle->rank[r].whole = context;
    play->chronicle->rank[r].whole_turn = turn;
}

void chronicle_answer(struct play *play, rank_t r)
{
    if (is_written(play))
        begin_segment(play->chronicle, r, true);
}

/* ---- telling ---- */

static struct history history_of_node(const void *data, node_id node)
{
    const struct chronicle *c = data;
    return c->history.at[node];
}

static const char *name_of_window(void *data, rank_t r, context_t context)
{
    const struct window_name *name = find_window_name(data, context);
    (void)r;
    return name ? name->text : NULL;
}

static size_t touches_of_node(void *data, node_id node, const struct local_touch **touch)
{
    const struct told_touches *told = &((const struct chronicle *)data)->touches.at[node];
    *touch = told->at;
    return told->n;
}

static bool is_node_looked_at(void *data, node_id node)
{
    return ((const struct chronicle *)data)->touches.at[node].all;
}

static void add_told_node(struct chronicle *c, struct history history, uint32_t until, struct told_touches touches)
{
    vec_push(&c->touches, touches);
    vec_push(&c->node, (node_id)c->history.n);
    vec_push(&c->ret_of, history.ret);
    vec_push(&c->until, until);
    vec_push(&c->history, history);
}

/* Where an answer, its items and their pieces go that are yet to be told. */
struct answers_told {
    struct ret *ret;
    struct answer_item *item;
    struct answer_piece *piece;
};

static void tell_item(struct chronicle *c, const struct told_rank *rank, const struct told_item *told, const struct ret *ret,
                      struct answers_told *to)
{
    *to->item = told->item;
    to->item->first_piece = (uint32_t)(to->piece - ret->piece);
    if (told->message.rank != RANK_NONE)
        to->item->message = told_op(&c->rank[told->message.rank], told->message.op);
    to->item++;
    for (uint32_t i = 0; i < told->item.pieces; i++) {
        struct op_name part = rank->piece.at[told->item.first_piece + i];
        *to->piece++ = (struct answer_piece){.part = told_op(&c->rank[part.rank], part.op)};
    }
}

static const struct ret *tell_answer(struct chronicle *c, const struct told_rank *rank, const struct told_segment *segment,
                                     struct answers_told *to)
{
    if (!segment->answered)
        return NULL;
    struct ret *ret = to->ret++;
    *ret = (struct ret){.flag = true, .items = segment->items, .item = to->item, .piece = to->piece};
    for (uint32_t i = 0; i < segment->items; i++)
        tell_item(c, rank, &rank->item.at[segment->item + i], ret, to);
    return ret;
}

static void tell_rank(struct chronicle *c, rank_t r, struct answers_told *to)
{
    const struct told_rank *rank = &c->rank[r];
    for (size_t i = 0; i < rank->segment.n; i++) {
        const struct told_segment *segment = &rank->segment.at[i];
        uint32_t end = i + 1 < rank->segment.n ? segment[1].first : op_number(rank);
        struct history history = {.rank = r, .count = end - segment->first, .ret = tell_answer(c, rank, segment, to)};
        size_t touched = i + 1 < rank->segment.n ? segment[1].touch : rank->touch.n;
        add_told_node(c, history, end,
                      (struct told_touches){rank->touch.at + segment->touch, touched - segment->touch, !segment->unseen});
    }
}

static void tell_keeper(struct chronicle *c, rank_t keeper)
{
    const struct told_keeper *told = &c->keeper.at[keeper - c->ranks];
    add_told_node(c, (struct history){.rank = keeper}, 0, (struct told_touches){0});
    for (size_t i = 0; i < told->until.n && told->letter.n; i++) { /* one who writes no letters, such as a lock, has nothing to tell */
        uint32_t first = told->until.at[i], end = i + 1 < told->until.n ? told->until.at[i + 1] : (uint32_t)told->letter.n;
        add_told_node(c, (struct history){.rank = keeper, .ops = told->letter.at + first, .count = end - first}, end,
                      (struct told_touches){0});
    }
}

static struct answers_told room_for_answers(struct chronicle *c)
{
    size_t rets = 0, items = 0, pieces = 0;
    for (rank_t r = 0; r < c->ranks; r++) {
        rets += c->rank[r].segment.n;
        items += c->rank[r].item.n;
        pieces += c->rank[r].piece.n;
    }
    c->ret = xcalloc(rets, sizeof *c->ret);
    c->item = xcalloc(items, sizeof *c->item);
    c->piece = xcalloc(pieces, sizeof *c->piece);
    return (struct answers_told){c->ret, c->item, c->piece};
}

static void forget_telling(struct chronicle *c)
{
    vec_release(&c->history);
    vec_release(&c->touches);
    vec_release(&c->node);
    vec_release(&c->ret_of);
    vec_release(&c->until);
    free(c->ret);
    free(c->item);
    free(c->piece);
    free(c->trail);
    free(c->op);
    c->ret = NULL;
    c->item = NULL;
    c->piece = NULL;
    c->trail = NULL;
    c->op = NULL;
}

/* Trails are parts of the lists of all nodes, which do not move any more. */
static void tell_trails(struct chronicle *c, int players)
{
    struct answers_told to = room_for_answers(c);
    VEC(size_t) first = {0};
    vec_push(&c->history, ((struct history){0}));
    vec_push(&c->touches, ((struct told_touches){0}));
    for (rank_t p = 0; p < players; p++) {
        vec_push(&first, c->node.n);
        if (p < c->ranks)
            tell_rank(c, p, &to);
        else
            tell_keeper(c, p);
    }
    vec_push(&first, c->node.n);
    c->trail = xcalloc((size_t)players, sizeof *c->trail);
    for (rank_t p = 0; p < players; p++) {
        size_t at = first.at[p], n = first.at[p + 1] - at;
        c->trail[p] = (struct trail){.n = n,
                                     .node = c->node.at + at,
                                     .ret = c->ret_of.at + at,
                                     .posted = c->history.at[c->node.at[at + n - 1]].count,
                                     .until = c->until.at + at};
    }
    vec_release(&first);
}

/* `rest` is NULL: it does not go over. */
static enum chapter_end tell_chapter(struct play *play, struct chapter_rest *rest)
{
    struct chronicle *c = play->chronicle;
    int players = c->ranks + (int)c->keeper.n;
    tell_trails(c, players);
    c->op = xcalloc((size_t)c->ranks, sizeof *c->op);
    for (rank_t r = 0; r < c->ranks; r++)
        c->op[r] = c->rank[r].op.at;
    struct account account = {.trail = c->trail,
                              .pairings = c->met.n,
                              .pairing = c->met.at,
                              .window_pairings = c->taken.n,
                              .window_pairing = c->taken.at};
    struct told_run run = {.account = &account,
                           .windows = c->windows,
                           .files = c->files,
                           .ranks = c->ranks,
                           .players = players,
                           .history = history_of_node,
                           .op = c->op,
                           .context_name = name_of_window,
                           .data = c};
    struct local_touches touches = {touches_of_node, is_node_looked_at, c, true, NULL};
    enum chapter_end end = play->reader.read(play->reader.data, &run, world_tells_touches(play->world) ? &touches : NULL, rest);
    forget_telling(c);
    return end;
}

/* ---- chapters ---- */

/* Everybody has just come out of the same collective, having heard all others. */
static bool is_after_meeting_of_all(const struct chronicle *c)
{
    const struct told_rank *first = &c->rank[0];
    for (rank_t r = 0; r < c->ranks; r++) {
        const struct told_rank *rank = &c->rank[r];
        if (!rank->op.n) /* nobody has started it, and whoever does will know all of this */
            continue;
        if (!rank->whole || rank->whole != first->whole || rank->whole_turn != first->whole_turn || rank->started)
            return false;
    }
    return true;
}

static void carry_windows(struct chronicle *c, rank_t r)
{
    struct told_rank *rank = &c->rank[r];
    for (size_t i = 0; i < rank->window.n; i++) {
        const struct open_window *window = &rank->window.at[i];
        write_told_op(c, r, &window->op, &window->extent, sizeof window->extent);
        if (window->looked.kind != OP_NONE)
            write_told_op(c, r, &window->looked, NULL, 0);
    }
}

/* As if they had been granted at the beginning of the chapter. */
static void carry_locks(struct chronicle *c, rank_t r)
{
    struct told_rank *rank = &c->rank[r];
    for (size_t i = 0; i < rank->held.n; i++) {
        struct op_name request = {r, op_number(rank)};
        rank_t lock = rank->held.at[i].peer;
        write_told_op(c, r, &rank->held.at[i], NULL, 0);
        vec_push(&c->taken, ((struct pairing){.send = request, .recv = {lock, 0}, .made = true}));
        note_taking(c, lock);
    }
}

static void clear_chapter(struct chronicle *c)
{
    for (rank_t r = 0; r < c->ranks; r++) {
        struct told_rank *rank = &c->rank[r];
        vec_clear(&rank->op);
        vec_clear(&rank->segment);
        vec_clear(&rank->item);
        vec_clear(&rank->piece);
        vec_clear(&rank->touch);
        rank->answered = 0;
    }
    for (size_t i = 0; i < c->keeper.n; i++) {
        vec_clear(&c->keeper.at[i].letter);
        vec_clear(&c->keeper.at[i].until);
    }
    vec_clear(&c->met);
    vec_clear(&c->taken);
    told_records_clear(&c->records);
    c->entries = 0;
}

static void begin_chapter(struct play *play)
{
    struct chronicle *c = play->chronicle;
    clear_chapter(c);
    for (rank_t r = 0; r < c->ranks; r++) {
        begin_segment(c, r, false);
        carry_windows(c, r);
        carry_locks(c, r);
    }
    write_pending(play);
    c->next_look = c->entries + CHAPTER;
    c->next_over = c->entries + GOES_OVER;
}

/* ---- a chapter that goes over into the next one ---- */

/* What is not over, or has a place there. */
static void add_pending_to_rest(const struct play *play, struct chapter_rest *rest)
{
    for (size_t i = 1; i < play->items.n; i++) {
        const struct item *item = &play->items.at[i];
        if (item->told && item->rank < rest->ranks)
            chapter_rest_add(rest, (struct op_name){item->rank, item->told - 1}, true);
    }
}

static void renumber_items(struct play *play, const struct chapter_rest *rest)
{
    for (size_t i = 1; i < play->items.n; i++) {
        struct item *item = item_at(play, (uint32_t)i);
        if (item->told)
            item->told = item->rank < rest->ranks ? chapter_rest_place(rest, item->rank, item->told - 1) + 1 : 0;
    }
}

static bool renumber_name(const struct chapter_rest *rest, struct op_name *name)
{
    bool told = chapter_rest_tells(rest, *name);
    name->op = chapter_rest_place(rest, name->rank, name->op);
    return told;
}

/* Messages between ranks whose two sides are told again. */
static void keep_meetings(struct chronicle *c, const struct chapter_rest *rest)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->met.n; i++) {
        struct pairing pairing = c->met.at[i];
        bool sent = renumber_name(rest, &pairing.send), received = renumber_name(rest, &pairing.recv);
        if (sent && received)
            c->met.at[kept++] = pairing;
    }
    c->met.n = kept;
    c->entries += kept;
}

/* Operations that are kept stand at the beginning, each that is told again at the end of a segment. */
static void keep_ops(struct chronicle *c, rank_t r, const kept_ops_t *kept)
{
    static const struct op nothing = {.size = sizeof nothing, .kind = OP_NONE};
    struct told_rank *rank = &c->rank[r];
    for (size_t i = 0; i < kept->n; i++) {
        const struct op *op = rank->op.at[kept->at[i].number];
        rank->op.at[i] = kept->at[i].again ? told_records_keep(&c->other, op, op_tail(op), op_tail_size(op)) : &nothing;
    }
    rank->op.n = kept->n;
    c->entries += kept->n;
}

static void keep_segments(struct chronicle *c, rank_t r, const kept_ops_t *kept)
{
    struct told_rank *rank = &c->rank[r];
    vec_clear(&rank->segment);
    vec_clear(&rank->item);
    vec_clear(&rank->piece);
    rank->answered = 0;
    vec_push(&rank->segment, ((struct told_segment){0}));
    for (size_t i = 0; i < kept->n; i++)
        if (kept->at[i].again)
            vec_push(&rank->segment, ((struct told_segment){.first = (uint32_t)i + 1}));
    c->entries += rank->segment.n;
}

static void go_over(struct play *play, const struct chapter_rest *rest)
{
    struct chronicle *c = play->chronicle;
    c->entries = rest->remembered;
    for (rank_t r = 0; r < c->ranks; r++) {
        keep_ops(c, r, &rest->kept[r]);
        keep_segments(c, r, &rest->kept[r]);
    }
    keep_meetings(c, rest);
    renumber_items(play, rest);
    for (size_t i = 0; i < c->keeper.n; i++) {
        vec_clear(&c->keeper.at[i].letter);
        vec_clear(&c->keeper.at[i].until);
    }
    vec_clear(&c->taken);
    struct told_records emptied = c->records;
    c->records = c->other;
    c->other = emptied;
    told_records_clear(&c->other);
    c->next_look = c->entries + CHAPTER;
    c->next_over = 2 * c->entries + GOES_OVER;
}

static bool is_answer_under_way(const struct chronicle *c)
{
    for (rank_t r = 0; r < c->ranks; r++)
        if (c->rank[r].answered != c->rank[r].item.n || c->rank[r].started)
            return true;
    return false;
}

/* Of files, and of loads and stores, all is told once more until it is over. */
static bool may_go_over(const struct play *play)
{
    const struct chronicle *c = play->chronicle;
    return c->entries >= c->next_over && c->windows && !c->files && !c->unread && !world_tells_touches(play->world) && !is_answer_under_way(c);
}

void chronicle_go_over(struct play *play)
{
    struct chronicle *c = play->chronicle;
    if (!is_written(play) || !may_go_over(play))
        return;
    struct chapter_rest rest;
    chapter_rest_init(&rest, c->ranks);
    add_pending_to_rest(play, &rest);
    if (tell_chapter(play, &rest) == CHAPTER_GOES_OVER) {
        go_over(play, &rest);
        LOG(play, "a chapter goes over into the next one, with %zu entries", c->entries);
    } else {
        c->next_over = c->entries + c->entries / 2;
    }
    chapter_rest_release(&rest);
}

static bool may_be_over(const struct chronicle *c)
{
    return c->entries >= c->next_look && !c->under_way && is_after_meeting_of_all(c);
}

void chronicle_turn_page(struct play *play)
{
    if (!is_written(play))
        return;
    if (!may_be_over(play->chronicle))
        return;
    if (tell_chapter(play, NULL) == CHAPTER_OVER) {
        LOG(play, "a chapter of accesses to windows and files is over");
        begin_chapter(play);
    } else {
        play->chronicle->next_look *= 2;
    }
}

void chronicle_end(struct play *play)
{
    if (!play->chronicle)
        return;
    tell_chapter(play, NULL);
    if (play->chronicle->stopped)
        play->reader.stopped(play->reader.data, play->chronicle->last_rank, &play->chronicle->last);
}

static void release_told_rank(struct told_rank *rank)
{
    vec_release(&rank->op);
    vec_release(&rank->segment);
    vec_release(&rank->item);
    vec_release(&rank->piece);
    vec_release(&rank->touch);
    vec_release(&rank->window);
    vec_release(&rank->held);
}

void chronicle_free(struct play *play)
{
    struct chronicle *c = play->chronicle;
    if (!c)
        return;
    for (rank_t r = 0; r < c->ranks; r++)
        release_told_rank(&c->rank[r]);
    for (size_t i = 0; i < c->keeper.n; i++) {
        vec_release(&c->keeper.at[i].letter);
        vec_release(&c->keeper.at[i].until);
    }
    for (size_t i = 0; i < c->name.n; i++)
        free(c->name.at[i].text);
    vec_release(&c->keeper);
    vec_release(&c->met);
    vec_release(&c->taken);
    vec_release(&c->name);
    told_records_release(&c->records);
    told_records_release(&c->other);
    free(c->rank);
    free(c);
    play->chronicle = NULL;
}
