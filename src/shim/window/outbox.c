#include "shim/window/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "shim/request.h"
#include "shim/window/direct.h"
#include "shim/window/either_order.h"

static void keep_atomic(struct target *target, struct message_text *text)
{
    if (target->atomics == target->atomic_room) {
        target->atomic_room = target->atomic_room ? 2 * target->atomic_room : 4;
        target->atomic = shim_realloc(target->atomic, target->atomic_room * sizeof *target->atomic);
    }
    target->atomic[target->atomics++] = *text;
    *text = (struct message_text){0};
}

static void forget_sent(struct target *target, uint32_t sent)
{
    target->atomics -= sent;
    memmove(target->atomic, target->atomic + sent, target->atomics * sizeof *target->atomic);
}

static void send_kept(struct window *w, int member, enum order_end end, struct access_way way)
{
    struct target *target = &w->target[member];
    uint32_t n = either_order_is_played(w) ? either_order_settle(w, member, end) : target->atomics;
    for (uint32_t i = 0; i < n; i++) {
        keeper_access(w, member, WINDOW_ATOMIC, &target->atomic[i], way);
        target->counted += way.counted;
    }
    forget_sent(target, n);
}

/* A completion call names one that was kept: mostly it was sent when that call began (exposed.c), but not within a callback. */
static void send_asked(struct request *r, bool awaited)
{
    (void)awaited;
    if (!r->known)
        outbox_let_go(NULL, -1, false);
}

void outbox_take(struct window *w, int member, enum access_epoch epoch, int32_t tag, struct message_text *text)
{
    struct target *target = &w->target[member];
    bool in_either_order = tag == WINDOW_ATOMIC && either_order_is_played(w);
    if (epoch == ACCESS_FENCE || in_either_order) {
        if (text->request)
            text->request->asked = send_asked;
        keep_atomic(target, text);
        if (in_either_order)
            either_order_note(w, member);
        return;
    }
    struct access_way way = epoch_way(w, member, epoch);
    if (epoch == ACCESS_LOCKED && direct_access(w, member, tag, text))
        return;
    target->counted += way.counted;
    keeper_access(w, member, tag, text, way);
}

void outbox_send(struct window *w, int member, enum access_epoch epoch)
{
    struct target *target = &w->target[member];
    if (target->queue.accesses == 0)
        return;
    struct access_way way = epoch_way(w, member, epoch);
    if (epoch == ACCESS_LOCKED && direct_access(w, member, WINDOW_CALM, &target->queue))
        return;
    target->counted += way.counted;
    keeper_access(w, member, WINDOW_CALM, &target->queue, way);
}

uint64_t outbox_count(const struct window *w, int member)
{
    const struct target *target = &w->target[member];
    return (target->queue.accesses > 0) + (uint64_t)target->atomics;
}

void outbox_send_counted(struct window *w, int member)
{
    static const struct access_way way = {.counted = true};
    struct target *target = &w->target[member];
    if (target->queue.accesses)
        keeper_access(w, member, WINDOW_CALM, &target->queue, way);
    send_kept(w, member, ENDS_ALL, way);
}

static void let_go_of_window(struct window *w, int from, int until, enum order_end end)
{
    for (int i = from; i < until; i++) {
        if (!w->started && w->target[i].lock == LOCK_NONE)
            continue; /* what waits there waits for a fence */
        send_kept(w, i, end, epoch_way(w, i, w->started ? ACCESS_STARTED : ACCESS_LOCKED));
    }
}

void outbox_let_go(const struct window *completed, int member, bool locally)
{
    struct window *w;
    for (uint32_t i = 0; (w = window_nth(i)); i++) {
        int all = window_members(w), from = member < 0 ? 0 : member, until = member < 0 ? all : member + 1;
        if (!either_order_is_played(w))
            continue;
        let_go_of_window(w, 0, w == completed ? from : all, ENDS_NOTHING);
        if (w != completed)
            continue;
        let_go_of_window(w, from, until, locally ? ENDS_RESULTS : ENDS_ALL);
        let_go_of_window(w, until, all, ENDS_NOTHING);
    }
}

void outbox_release(struct target *target)
{
    message_text_release(&target->queue);
    for (uint32_t i = 0; i < target->atomics; i++)
        message_text_release(&target->atomic[i]);
    free(target->atomic);
    either_order_release(target);
    direct_release(target);
}
