#include "shim/window/direct.h"

#include <stdlib.h>
#include <string.h>

#include "call/arithmetic.h"
#include "shim/channel.h"
#include "shim/virtual/shown_memory.h"
#include "shim/virtual/window_locks.h"
#include "shim/virtual/window_mail.h"

enum {
    PIECES = 64,    /* of one message; more are sent */
    IN_A_ROW = 128, /* so many with results are made without tourney; then one is sent, so that those who poll come to rest some time */
};

/* ---- may it be made here? ---- */

static bool is_lock_held(const struct target *target)
{
    return target->lock != LOCK_NONE && (target->unchecked || target->granted || ticket_is_granted(target->ticket));
}

static uint32_t pieces_of_text(const struct message_text *text)
{
    uint32_t pieces = 0;
    const char *at = text->at;
    for (uint32_t i = 0; i < text->accesses; i++) {
        const struct window_access *access = (const void *)at;
        pieces += access->pieces;
        at += sizeof *access + access->pieces * sizeof(struct window_piece) + op_round(access->bytes);
    }
    return pieces;
}

static bool is_direct(const struct window *w, int member, const struct message_text *text)
{
    const struct target *target = &w->target[member];
    return target->shown && !text->request && pieces_of_text(text) <= PIECES;
}

/* ---- it is made ---- */

struct direct_work {
    char *there;   /* the public copy */
    char *scratch; /* for what an atomic access finds */
    char few[64];
    const struct window_access *access;
    const struct window_piece *piece;
    const char *data;
    char *result; /* where it is kept until it is heard; NULL: it has none */
    struct window_done done;
    struct window_piece written[PIECES];
};

static void read_there(const struct direct_work *work, char *to)
{
    for (uint32_t i = 0; i < work->access->pieces; to += work->piece[i++].bytes)
        memcpy(to, work->there + work->piece[i].at, work->piece[i].bytes);
}

static void write_there(struct direct_work *work, const char *from)
{
    for (uint32_t i = 0; i < work->access->pieces; from += work->piece[i++].bytes) {
        const struct window_piece *piece = &work->piece[i];
        work->done.changed |= memcmp(work->there + piece->at, from, piece->bytes) != 0;
        memcpy(work->there + piece->at, from, piece->bytes);
        work->written[work->done.pieces++] = *piece;
    }
}

/* One of the accumulate family, which is alone in its message. */
static void combine_there(struct direct_work *work)
{
    read_there(work, work->scratch);
    if (work->result)
        memcpy(work->result, work->scratch, work->access->extent);
    if (arithmetic_apply(work->access, work->scratch, work->data))
        write_there(work, work->scratch);
}

static void work_on_access(struct direct_work *work)
{
    if (work->access->kind == WINDOW_PUT)
        write_there(work, work->data);
    else if (work->access->kind == WINDOW_GET)
        read_there(work, work->result);
    else
        combine_there(work);
}

static void work_on_text(struct direct_work *work, const struct message_text *text, char *results)
{
    const char *at = text->at;
    for (uint32_t i = 0; i < text->accesses; i++) {
        work->access = (const void *)at;
        work->piece = (const void *)(work->access + 1);
        work->data = (const char *)(work->piece + work->access->pieces);
        work->result = text->note[i].result.bytes ? results : NULL;
        work_on_access(work);
        results += op_round(text->note[i].result.bytes);
        at = work->data + op_round(work->access->bytes);
    }
}

static void tell_done(const struct window *w, int member, const struct direct_work *work, uint64_t ticket)
{
    struct op op = {.kind = OP_WINDOW,
                    .flags = OPF_WENT_ON,
                    .peer = w->target[member].rank,
                    .slot = (int32_t)w->slot,
                    .event = WINDOW_DONE,
                    .context = w->comm->context,
                    .ticket = ticket};
    size_t pieces = work->done.pieces * sizeof *work->written;
    char *to = channel_begin(&op, sizeof work->done + pieces);
    memcpy(to, &work->done, sizeof work->done);
    memcpy(to + sizeof work->done, work->written, pieces);
    channel_commit();
}

/* The private copy of this rank's own part: of windows whose public copy is shown it is one piece. */
static const struct private_copy *own_copy(const struct window *w)
{
    return &w->copy[0];
}

/* What this rank has changed in its own part is in its memory, too. */
static void bring_own_changes(const struct window *w, int member, const struct direct_work *work)
{
    for (uint32_t i = 0; member == w->comm->rank && i < work->done.pieces; i++) {
        struct window_piece piece = work->written[i];
        memcpy(own_copy(w)->memory + piece.at, work->there + piece.at, piece.bytes);
        memcpy(own_copy(w)->twin + piece.at, own_copy(w)->memory + piece.at, piece.bytes);
    }
}

/* All room is there before others have to wait. */
static void begin_work(struct direct_work *work, char *there, const struct message_text *text, bool atomic)
{
    const struct window_access *first = (const void *)text->at;
    work->there = there;
    work->done = (struct window_done){.sum = window_question(text->at, text->bytes)};
    work->scratch = atomic && first->extent > sizeof work->few ? shim_alloc(first->extent) : work->few;
}

static void end_work(struct direct_work *work)
{
    if (work->scratch != work->few)
        free(work->scratch);
}

/* ---- results ---- */

static char *room_for_results(struct direct_results *made, const struct message_text *text)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < text->accesses; i++)
        bytes += op_round(text->note[i].result.bytes);
    if (made->bytes + bytes > made->room) {
        made->room = 2 * (made->bytes + bytes);
        made->at = shim_realloc(made->at, made->room);
    }
    return made->at + made->bytes;
}

static void keep_result(struct direct_results *made, const struct access_result *result)
{
    if (made->n == made->list_room) {
        made->list_room = made->list_room ? 2 * made->list_room : 4;
        made->list = shim_realloc(made->list, made->list_room * sizeof *made->list);
    }
    made->list[made->n++] = *result;
    made->bytes += op_round(result->bytes);
}

/* The room of the text stays for the next one. */
static void keep_results(struct direct_results *made, struct message_text *text)
{
    for (uint32_t i = 0; i < text->accesses; i++)
        if (text->note[i].result.bytes)
            keep_result(made, &text->note[i].result);
    made->any = true;
    text->bytes = 0;
    text->accesses = text->results = 0;
    text->writes = false;
}

static void hear_results(struct window *w, struct target *target)
{
    struct direct_results *made = &target->made;
    const char *from = made->at;
    if (!made->any)
        return;
    for (uint32_t i = 0; i < made->n; i++) {
        const struct access_result *result = &made->list[i];
        type_unpack(from, result->bytes, result->buf, result->count, type_find(result->datatype));
        type_drop(result->datatype);
        from += op_round(result->bytes);
    }
    made->n = 0;
    made->bytes = 0;
    made->any = false;
    window_mail_count(target->rank, w->slot);
}

void direct_hear(struct window *w, int member)
{
    for (int i = member < 0 ? 0 : member; i < (member < 0 ? window_members(w) : member + 1); i++)
        hear_results(w, &w->target[i]);
}

void direct_release(struct target *target)
{
    for (uint32_t i = 0; i < target->made.n; i++)
        type_drop(target->made.list[i].datatype);
    free(target->made.list);
    free(target->made.at);
}

/* ---- the whole ---- */

/* False: what was sent comes first. */
static bool make_access_there(const struct window *w, const struct target *target, bool atomic, struct direct_work *work,
                              const struct message_text *text, char *results, uint64_t *ticket)
{
    *ticket = 0;
    if (!(atomic ? shown_memory_enter(target->rank, w->slot) : shown_memory_is_free(target->rank, w->slot)))
        return false;
    work_on_text(work, text, results);
    if (atomic)
        *ticket = shown_memory_leave(target->rank, w->slot);
    return true;
}

/* Who wants no result polls for nothing. */
static bool is_to_be_sent(struct window *w, const struct message_text *text)
{
    if (!text->results)
        return false;
    w->in_a_row = w->in_a_row < IN_A_ROW ? w->in_a_row + 1 : 0;
    return w->in_a_row == 0;
}

bool direct_access(struct window *w, int member, int32_t tag, struct message_text *text)
{
    struct target *target = &w->target[member];
    struct direct_work work;
    uint64_t ticket;
    if (!is_direct(w, member, text) || !is_lock_held(target) || is_to_be_sent(w, text))
        return false;
    begin_work(&work, target->shown, text, tag == WINDOW_ATOMIC);
    bool made = make_access_there(w, target, tag == WINDOW_ATOMIC, &work, text, room_for_results(&target->made, text), &ticket);
    if (made) {
        tell_done(w, member, &work, ticket);
        bring_own_changes(w, member, &work);
        keep_results(&target->made, text);
    }
    end_work(&work);
    return made;
}

bool direct_publish(struct window *w, const struct message_text *text)
{
    struct target *own = &w->target[w->comm->rank];
    if (!is_direct(w, w->comm->rank, text) || !shown_memory_is_free(own->rank, w->slot))
        return false;
    struct direct_work work;
    begin_work(&work, own->shown, text, false);
    work_on_text(&work, text, NULL);
    tell_done(w, w->comm->rank, &work, 0);
    return true;
}

bool direct_has_news(const struct window *w)
{
    const struct target *own = &w->target[w->comm->rank];
    return own->shown && own->bytes && memcmp(own->shown, own_copy(w)->twin, own->bytes) != 0;
}
