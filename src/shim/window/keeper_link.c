#include "shim/window/keeper_link.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/entry.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/virtual/shown_memory.h"
#include "shim/virtual/window_locks.h"
#include "shim/virtual/window_mail.h"
#include "shim/window/direct.h"

static struct op keeper_op(enum op_kind kind, rank_t peer, int32_t tag, uint64_t bytes)
{
    return (struct op){.kind = kind, .peer = peer, .tag = tag, .context = KEEPER_CONTEXT, .bytes = bytes};
}

static void write_mail(const struct keeper_mail *mail, char *to)
{
    if (mail->head_bytes)
        memcpy(to, mail->head, mail->head_bytes);
    if (mail->rest_bytes)
        memcpy(to + mail->head_bytes, mail->rest, mail->rest_bytes);
}

void keeper_send(const struct keeper_mail *mail)
{
    struct op op = keeper_op(OP_SEND, mail->to, mail->tag, mail->head_bytes + mail->rest_bytes);
    op.flags = OPF_BUFFERED | OPF_BLOCKING | OPF_WENT_ON | mail->flags;
    if (mail->note) {
        op.call = mail->note->call;
        op.place = (uintptr_t)mail->note->place;
    }
    op.after = mail->flags & OPF_AFTER ? mail->after : 0;
    op.ticket = mail->ticket;
    op.overtakes = mail->overtakes;
    if (mail->payload || op.bytes > WIRE_INLINE) {
        op.payload = mail->payload ? mail->payload : arena_room(op.bytes);
        write_mail(mail, arena_at(op.payload));
        channel_begin(&op, 0);
    } else {
        write_mail(mail, channel_begin(&op, op.bytes));
    }
    channel_commit();
}

void keeper_tell(const struct window *w, struct window_message head, const void *rest, size_t bytes)
{
    keeper_send(&(struct keeper_mail){.to = window_memory_of(w, w->comm->rank),
                                      .tag = WINDOW_CALM,
                                      .flags = OPF_CALM,
                                      .head = &head,
                                      .head_bytes = sizeof head,
                                      .rest = rest,
                                      .rest_bytes = bytes});
}

void keeper_send_waiting(const struct window *w, const struct waiting_mail *mail)
{
    struct request *r = request_new(w->comm);
    bool complete = !(mail->mode & OPF_SYNCHRONOUS) && (ticket_is_granted(mail->ticket) || mail->bytes < channel_head()->slack);
    struct op op = keeper_op(OP_SEND, mail->to, mail->tag, mail->bytes);
    op.after = mail->mode & OPF_AFTER ? mail->to : 0;
    op.flags = mail->mode | (complete ? OPF_BLOCKING | OPF_WENT_ON : completion_blocking_flag(r));
    op.request = complete ? 0 : r->number;
    op.ticket = mail->ticket;
    request_activate(r, !complete, complete);
    channel_post(&op, mail->body, mail->bytes);
    complete_blocking(r, MPI_STATUS_IGNORE);
}

void keeper_remark(const struct window *w, int member, enum window_tenure tenure)
{
    struct op op = keeper_op(OP_TENURE, window_lock_of(w, member), 0, 0);
    op.flags = OPF_WENT_ON;
    op.tenure = tenure;
    channel_post(&op, NULL, 0);
}

static struct request *receive_from_keeper(struct request *r, rank_t from, int32_t tag, uint64_t room, uint32_t flags,
                                           void (*finish)(struct request *, const struct completion *))
{
    struct op op = keeper_op(OP_RECV, from, tag, room);
    op.flags = flags;
    op.call = r->call; /* which may be another one than the call that sends it (either_order.h) */
    op.place = (uintptr_t)r->made;
    op.request = r->number;
    r->finish = finish;
    request_activate(r, true, false);
    channel_post(&op, NULL, 0);
    return r;
}

struct request *keeper_receive(struct comm *comm, rank_t from, int32_t tag, uint64_t room,
                               void (*finish)(struct request *, const struct completion *))
{
    return receive_from_keeper(request_new(comm), from, tag, room, 0, finish);
}

/* ---- answers to accesses ---- */

static void await_reply(struct target *target, struct reply *reply)
{
    reply->before = target->last_awaited;
    if (target->last_awaited)
        target->last_awaited->next = reply;
    else
        target->awaited = reply;
    target->last_awaited = reply;
}

/* The window may be freed before the program asks for a request of its own. */
static void forget_reply(struct reply *reply)
{
    if (!reply->window)
        return;
    struct target *target = &reply->window->target[reply->member];
    *(reply->before ? &reply->before->next : &target->awaited) = reply->next;
    *(reply->next ? &reply->next->before : &target->last_awaited) = reply->before;
    reply->next = reply->before = NULL;
    reply->window = NULL;
}

static void discard_reply(struct request *r)
{
    struct reply *reply = r->state;
    if (!reply)
        return;
    forget_reply(reply);
    message_text_release(&reply->accesses);
    free(reply);
}

static void tell_fault(const struct reply *reply, uint32_t number)
{
    const struct access_note *note = &reply->accesses.note[number];
    complain_at(COMPLAINT_RMA_BOUNDS, note->call, note->place, 1,
                "%s accesses memory that rank %d has not attached to its window", call_name(note->call),
                (int)reply->window->target[reply->member].rank);
}

/*
 * Whether the answer to what brings no results is known before tourney gives it: the lock is held, and the memory is there.  What happens
 * then to the accesses themselves is tourney's matter, who reads on only when they are done.
 */
static bool is_answer_certain(const struct window *w, int member, const struct message_text *text)
{
    const struct target *target = &w->target[member];
    return text->results == 0 && w->flavour != MPI_WIN_FLAVOR_DYNAMIC && w->shows_locks && target->lock != LOCK_NONE &&
           (target->unchecked || ticket_is_granted(target->ticket));
}

static void hear_from_memory(const struct window *w, struct target *target)
{
    window_mail_count(target->rank, w->slot);
    target->granted = target->lock != LOCK_NONE;
}

/* The results, one after the other.  Of accesses to what is not there, none counts. */
static void finish_reply(struct request *r, const struct completion *c)
{
    struct reply *reply = r->state;
    static const struct window_answer nothing;
    const struct window_answer *answer = c->payload ? arena_at(c->payload) : &nothing; /* OPF_CERTAIN */
    if (reply->window)
        hear_from_memory(reply->window, &reply->window->target[reply->member]);
    const char *from = (const char *)(answer + 1);
    if (answer->fault && answer->fault <= reply->accesses.accesses) {
        tell_fault(reply, answer->fault - 1);
        r->error = MPI_ERR_RMA_RANGE;
        return;
    }
    for (uint32_t i = 0; i < reply->accesses.accesses; i++) {
        const struct access_result *result = &reply->accesses.note[i].result;
        if (!result->bytes)
            continue;
        type_unpack(from, result->bytes, result->buf, result->count, type_find(result->datatype));
        from += op_round(result->bytes);
    }
}

/* Where ranks have the memory between them; `matters`: to those who come later.  The ticket of the message. */
static uint64_t count_message_to(const struct window *w, int member, bool matters)
{
    if (!matters || !w->target[member].shown)
        return 0;
    shown_memory_count_message(w->target[member].rank, w->slot);
    return TICKET_OF_MEMORY;
}

static uint64_t take_queue_ticket(struct target *target)
{
    uint64_t ticket = target->queue_ticket;
    target->queue_ticket = 0;
    return ticket;
}

void keeper_show_counted(struct window *w, int member, const struct window_fence *fence)
{
    struct target *target = &w->target[member];
    struct window_message head = {.kind = WINDOW_ACCESS, .flags = WINDOW_COUNTED, .accesses = target->queue.accesses};
    target->queue_ticket = count_message_to(w, member, target->queue.writes);
    window_mail_show(fence, &head, target->queue.at, target->queue.bytes);
}

void keeper_access(struct window *w, int member, int32_t tag, struct message_text *text, struct access_way way)
{
    bool answered =
        !way.counted || text->results > 0 || w->flavour == MPI_WIN_FLAVOR_DYNAMIC; /* is the memory there? */
    struct window_message head = {.kind = WINDOW_ACCESS,
                                  .flags = (way.counted ? WINDOW_COUNTED : 0) | (answered ? WINDOW_WANTS_ANSWER : 0),
                                  .accesses = text->accesses};
    rank_t memory = window_memory_of(w, member);
    bool certain = is_answer_certain(w, member, text);
    uint64_t ticket = text == &w->target[member].queue ? take_queue_ticket(&w->target[member]) : 0;
    if (!ticket)
        ticket = count_message_to(w, member, tag == WINDOW_ATOMIC || text->writes);
    keeper_send(&(struct keeper_mail){
        .to = memory,
        .tag = tag == WINDOW_ATOMIC ? window_tag(tag, window_access_class((const void *)text->at)) : tag,
        .flags = (tag == WINDOW_CALM ? OPF_CALM : 0) | (way.held ? OPF_AFTER : 0) | (way.shared ? OPF_AFTER_SHARED : 0) | (answered ? OPF_ASKS : 0),
        .after = way.after,
        .ticket = ticket,
        .overtakes = text->overtakes,
        .note = tag == WINDOW_ATOMIC ? text->note : NULL,
        .head = &head,
        .head_bytes = sizeof head,
        .rest = text->at,
        .rest_bytes = text->bytes});
    if (!answered) {
        message_text_release(text);
        return;
    }
    struct reply *reply = shim_alloc(sizeof *reply);
    *reply = (struct reply){.window = w, .member = member, .accesses = *text};
    free(reply->accesses.at);
    reply->accesses.at = NULL;
    *text = (struct message_text){0};
    int32_t answer = tag == WINDOW_CALM ? WINDOW_ANSWER : WINDOW_ATOMIC_ANSWER;
    struct request *r = reply->accesses.request ? reply->accesses.request : request_new(w->comm);
    reply->request = receive_from_keeper(r, memory, answer, WINDOW_ANSWER_ROOM, certain ? OPF_CERTAIN : 0, finish_reply);
    reply->request->state = reply;
    reply->request->discard = discard_reply;
    reply->request->silent = reply->accesses.results == 0;
    await_reply(&w->target[member], reply);
}

bool keeper_awaits_writes(const struct window *w, int member)
{
    for (const struct reply *reply = w->target[member].awaited; reply; reply = reply->next)
        if (reply->accesses.writes)
            return true;
    return false;
}

static bool is_reply_meant(const struct reply *reply, bool results_only)
{
    return !results_only || reply->accesses.results > 0;
}

/* Those for which no other thread waits already; from now on this one does. */
static uint32_t take_awaited(const struct window *w, int from, int until, bool results_only, struct request **into)
{
    uint32_t n = 0;
    for (int i = from; i < until; i++)
        for (struct reply *reply = w->target[i].awaited; reply; reply = reply->next) {
            if (!is_reply_meant(reply, results_only) || reply->heard_by)
                continue;
            if (into) {
                into[n] = reply->request;
                reply->heard_by = into;
            }
            n++;
        }
    return n;
}

/* They have come.  One whose handle the program has waits to be asked for; one that it has freed is gone already. */
static void release_replies(struct target *target, const void *heard_by)
{
    for (struct reply *reply = target->awaited, *next; reply; reply = next) {
        next = reply->next;
        if (reply->heard_by != heard_by)
            continue;
        forget_reply(reply);
        if (!reply->request->visible)
            request_delete(reply->request);
    }
}

static bool others_wait_for_some(const struct window *w, int from, int until, bool results_only)
{
    for (int i = from; i < until; i++)
        for (const struct reply *reply = w->target[i].awaited; reply; reply = reply->next)
            if (is_reply_meant(reply, results_only) && reply->heard_by)
                return true;
    return false;
}

void keeper_hear(struct window *w, int member, bool results_only)
{
    enum { AT_A_TIME = 4096 };
    int from = member < 0 ? 0 : member, until = member < 0 ? window_members(w) : member + 1;
    uint32_t n = take_awaited(w, from, until, results_only, NULL);
    if (n > 0) {
        struct request **awaited = shim_alloc(n * sizeof *awaited);
        take_awaited(w, from, until, results_only, awaited);
        for (uint32_t i = 0; i < n; i += AT_A_TIME)
            complete_all(awaited + i, (int)(n - i < AT_A_TIME ? n - i : AT_A_TIME));
        for (int i = from; i < until; i++)
            release_replies(&w->target[i], awaited);
        free(awaited);
    }
    while (others_wait_for_some(w, from, until, results_only))
        entry_yield();
    direct_hear(w, member);
}

/* ---- exchanges ---- */

/* Of a shared window the stores of others may change it, which nobody counts. */
bool keeper_may_have_counted_news(const struct window *w)
{
    return !window_mail_is_open() || w->flavour == MPI_WIN_FLAVOR_SHARED || window_mail_counted(w->slot) != w->heard_of;
}

bool keeper_may_have_news(const struct window *w)
{
    return w->target[w->comm->rank].shown ? direct_has_news(w) : keeper_may_have_counted_news(w);
}

static void finish_window_exchange(struct request *r, const struct completion *c)
{
    const struct keeper_exchange *exchange = r->state;
    exchange->take(exchange->window, exchange->member, arena_at(c->payload), exchange->data);
}

static void send_exchange(const struct window *w, int member, const struct message_text *text, uint64_t expected, bool asks)
{
    struct window_message head = {.kind = WINDOW_EXCHANGE,
                                  .flags = asks ? WINDOW_WANTS_ANSWER : 0,
                                  .accesses = text->accesses,
                                  .expected = expected};
    uint64_t ticket = count_message_to(w, member, text->accesses > 0);
    keeper_send(&(struct keeper_mail){.to = window_memory_of(w, member),
                                      .tag = WINDOW_CALM,
                                      .flags = OPF_CALM | (asks ? OPF_ASKS : 0),
                                      .ticket = ticket,
                                      .head = &head,
                                      .head_bytes = sizeof head,
                                      .rest = text->at,
                                      .rest_bytes = text->bytes});
}

void keeper_publish(struct window *w, int member, const struct message_text *text)
{
    send_exchange(w, member, text, 0, false);
}

void keeper_exchange_begin(struct keeper_exchange *exchange, const struct message_text *text, uint64_t expected)
{
    struct window *w = exchange->window;
    if (exchange->member == w->comm->rank)
        w->heard_of = window_mail_counted(w->slot);
    send_exchange(w, exchange->member, text, expected, true);
    exchange->request = keeper_receive(w->comm, window_memory_of(w, exchange->member), WINDOW_NEWS, WINDOW_ANSWER_ROOM,
                                       finish_window_exchange);
    exchange->request->state = exchange;
    exchange->request->silent = true;
}

void keeper_exchanges_hear(struct keeper_exchange *const *exchange, uint32_t n)
{
    enum { AT_A_TIME = 64 };
    struct request *request[AT_A_TIME];
    for (uint32_t first = 0; first < n; first += AT_A_TIME) {
        uint32_t some = n - first < AT_A_TIME ? n - first : AT_A_TIME;
        for (uint32_t i = 0; i < some; i++)
            request[i] = exchange[first + i]->request;
        complete_all(request, (int)some);
        for (uint32_t i = 0; i < some; i++)
            request_delete(request[i]);
    }
}
