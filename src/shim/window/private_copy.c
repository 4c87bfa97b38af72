#include "shim/window/private_copy.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/entry.h"
#include "shim/virtual/window_mail.h"
#include "shim/window/direct.h"
#include "shim/window/keeper_link.h"
#include "shim/window/remarks.h"

void private_copy_add(struct window *w, int member, uint64_t at, void *memory, uint64_t bytes)
{
    if (w->copies == w->copy_room) {
        w->copy_room = w->copy_room ? 2 * w->copy_room : 1;
        w->copy = shim_realloc(w->copy, w->copy_room * sizeof *w->copy);
    }
    struct private_copy *copy = &w->copy[w->copies++];
    *copy =
        (struct private_copy){.member = member, .at = at, .bytes = bytes, .memory = memory, .twin = shim_alloc(bytes)};
    if (bytes)
        memcpy(copy->twin, memory, bytes);
}

void private_copy_remove(struct window *w, uint32_t index)
{
    free(w->copy[index].twin);
    memmove(&w->copy[index], &w->copy[index + 1], (--w->copies - index) * sizeof *w->copy);
}

/* ---- what was stored ---- */

/* Bytes that differ and follow each other, in several parts of a window. */
struct changes {
    struct window_piece *piece; /* owned */
    uint32_t pieces, room;
    uint32_t first; /* of the part that is being compared */
    uint64_t bytes;
};

static void add_change(struct changes *changes, uint64_t at, uint64_t bytes)
{
    struct window_piece *last = changes->pieces > changes->first ? &changes->piece[changes->pieces - 1] : NULL;
    changes->bytes += bytes;
    if (last && last->at + last->bytes == at) {
        last->bytes += bytes;
        return;
    }
    if (changes->pieces == changes->room) {
        changes->room = changes->room ? 2 * changes->room : 16;
        changes->piece = shim_realloc(changes->piece, changes->room * sizeof *changes->piece);
    }
    changes->piece[changes->pieces++] = (struct window_piece){at, bytes};
}

/* To the last byte: what was not stored may have been changed by others meanwhile. */
static void compare_bytes(struct changes *changes, const struct private_copy *copy, uint64_t from, uint64_t until)
{
    const char *memory = copy->memory, *twin = copy->twin;
    for (uint64_t i = from; i < until; i++) {
        if (memory[i] == twin[i])
            continue;
        uint64_t start = i;
        while (i < until && memory[i] != twin[i])
            i++;
        add_change(changes, copy->at + start, i - start);
    }
}

static void compare_with_twin(struct changes *changes, const struct private_copy *copy)
{
    enum { LARGE = 1 << 16, SMALL = 64 };
    changes->first = changes->pieces;
    if (copy->bytes == 0 || memcmp(copy->memory, copy->twin, copy->bytes) == 0)
        return;
    for (uint64_t large = 0; large < copy->bytes; large += LARGE) {
        uint64_t end = large + LARGE < copy->bytes ? large + LARGE : copy->bytes;
        if (memcmp(copy->memory + large, copy->twin + large, end - large) == 0)
            continue;
        for (uint64_t small = large; small < end; small += SMALL) {
            uint64_t until = small + SMALL < end ? small + SMALL : end;
            if (memcmp(copy->memory + small, copy->twin + small, until - small) != 0)
                compare_bytes(changes, copy, small, until);
        }
    }
}

/* The memory of a member's part at this displacement, as far as it goes; NULL: there is no copy of it here. */
static struct private_copy *copy_at(struct window *w, int member, uint64_t at)
{
    for (uint32_t i = 0; i < w->copies; i++) {
        struct private_copy *copy = &w->copy[i];
        if (copy->member == member && copy->at <= at && at - copy->at < copy->bytes)
            return copy;
    }
    return NULL;
}

/* One put of all that has changed; from now on it is the public copy. */
static void write_changes(struct window *w, int member, const struct changes *changes, struct message_text *text)
{
    struct window_access put = {
        .kind = WINDOW_PUT, .pieces = changes->pieces, .bytes = changes->bytes, .extent = changes->bytes};
    char *to =
        message_text_add(text, &put, changes->piece, (struct access_note){.call = shim.call, .place = shim.place});
    for (uint32_t i = 0; i < changes->pieces; i++) {
        const struct window_piece *piece = &changes->piece[i];
        struct private_copy *copy = copy_at(w, member, piece->at);
        memcpy(to, copy->memory + (piece->at - copy->at), piece->bytes);
        memcpy(copy->twin + (piece->at - copy->at), to, piece->bytes);
        to += piece->bytes;
    }
}

/* ---- what others have changed ---- */

static void take_window_news(struct window *w, int member, struct window_piece piece, const char *from)
{
    while (piece.bytes) {
        struct private_copy *copy = copy_at(w, member, piece.at);
        if (!copy)
            return; /* it was detached meanwhile */
        uint64_t skip = piece.at - copy->at;
        uint64_t bytes = piece.bytes < copy->bytes - skip ? piece.bytes : copy->bytes - skip;
        memcpy(copy->memory + skip, from, bytes);
        memcpy(copy->twin + skip, from, bytes);
        piece.at += bytes;
        piece.bytes -= bytes;
        from += bytes;
    }
}

void private_copy_take(struct window *w, struct window_piece piece, const char *from)
{
    take_window_news(w, w->comm->rank, piece, from);
}

static void take_changes(struct window *w, int member, const struct window_answer *answer, void *data)
{
    bool *changed = data;
    const struct window_piece *piece = (const struct window_piece *)(answer + 1);
    const char *from = (const char *)(piece + answer->pieces);
    for (uint32_t i = 0; i < answer->pieces; i++) {
        take_window_news(w, member, piece[i], from);
        from += piece[i].bytes;
        *changed = true;
    }
}

/* ---- both ---- */

/* What this rank has stored to the part of a member since the last time. */
static struct message_text find_stores(struct window *w, int member)
{
    struct changes changes = {0};
    struct message_text text = {0};
    for (uint32_t i = 0; i < w->copies; i++)
        if (w->copy[i].member == member)
            compare_with_twin(&changes, &w->copy[i]);
    if (changes.pieces) {
        write_changes(w, member, &changes, &text);
        remark_stores(w, member, changes.piece, changes.pieces);
    }
    w->stored |= changes.pieces > 0;
    free(changes.piece);
    return text;
}

/* `text`, which is taken: what the rank has stored there. */
static void ask_member(struct window *w, int member, uint64_t expected, struct message_text text,
                       struct private_copy_questions *asked)
{
    struct keeper_exchange *exchange = shim_alloc(sizeof *exchange);
    if (asked->n == asked->room) {
        asked->room = asked->room ? 2 * asked->room : 4;
        asked->at = shim_realloc(asked->at, asked->room * sizeof *asked->at);
    }
    asked->at[asked->n++] = exchange;
    *exchange = (struct keeper_exchange){.window = w, .member = member, .take = take_changes, .data = &asked->changed};
    w->asking = true;
    if (member == w->comm->rank && text.accesses && direct_publish(w, &text))
        message_text_release(&text);
    keeper_exchange_begin(exchange, &text, expected);
    message_text_release(&text);
}

static bool has_copy_of(const struct window *w, int member)
{
    for (uint32_t i = 0; i < w->copies; i++)
        if (w->copy[i].member == member && w->copy[i].bytes)
            return true;
    return false;
}

static int first_part(const struct window *w)
{
    return w->flavour == MPI_WIN_FLAVOR_SHARED ? 0 : w->comm->rank;
}

static int end_of_parts(const struct window *w)
{
    return w->flavour == MPI_WIN_FLAVOR_SHARED ? window_members(w) : w->comm->rank + 1;
}

void private_copy_publish(struct window *w)
{
    for (int i = first_part(w); i < end_of_parts(w); i++) {
        if (!has_copy_of(w, i))
            continue;
        struct message_text text = find_stores(w, i);
        if (text.accesses && !(i == w->comm->rank && direct_publish(w, &text)))
            keeper_publish(w, i, &text);
        message_text_release(&text);
    }
}

/* What was shown at a fence and taken ahead may be on its way to the public copy, which has to have it before it tells what is there. */
static uint64_t taken_ahead(const struct window *w, int member)
{
    return window_mail_is_open() && member == w->comm->rank ? w->expected : 0;
}

void private_copy_ask(struct window *w, struct private_copy_questions *asked)
{
    while (w->asking)
        entry_yield();
    for (int i = first_part(w); i < end_of_parts(w); i++)
        if (has_copy_of(w, i))
            ask_member(w, i, taken_ahead(w, i), find_stores(w, i), asked);
}

/* tourney may not have read yet what is there already (direct.h): then the rank has to ask again. */
static void doubt_news(struct window *w)
{
    if (direct_has_news(w))
        w->heard_of--;
}

void private_copy_hear(struct private_copy_questions *asked)
{
    keeper_exchanges_hear(asked->at, asked->n);
    for (uint32_t i = 0; i < asked->n; i++) {
        asked->at[i]->window->asking = false;
        doubt_news(asked->at[i]->window);
        free(asked->at[i]);
    }
    free(asked->at);
    asked->at = NULL;
    asked->n = asked->room = 0;
}

bool private_copy_refresh(struct window *w)
{
    struct private_copy_questions asked = {0};
    private_copy_ask(w, &asked);
    private_copy_hear(&asked);
    return asked.changed;
}

bool private_copy_await(struct window *w, uint64_t expected, bool published)
{
    struct private_copy_questions own = {0}, others = {0};
    while (w->asking)
        entry_yield();
    ask_member(w, w->comm->rank, expected, published ? (struct message_text){0} : find_stores(w, w->comm->rank), &own);
    private_copy_hear(&own);
    for (int i = first_part(w); i < end_of_parts(w); i++)
        if (i != w->comm->rank && has_copy_of(w, i))
            ask_member(w, i, 0, find_stores(w, i), &others);
    private_copy_hear(&others);
    return own.changed;
}
