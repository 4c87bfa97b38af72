#include "shim/window/outbox.h"

#include <stdlib.h>

#include "shim/window/direct.h"

static void keep_atomic(struct target *target, struct message_text *text)
{
    if (target->atomics == target->atomic_room) {
        target->atomic_room = target->atomic_room ? 2 * target->atomic_room : 4;
        target->atomic = shim_realloc(target->atomic, target->atomic_room * sizeof *target->atomic);
    }
    target->atomic[target->atomics++] = *text;
    *text = (struct message_text){0};
}

struct reply *outbox_take(struct window *w, int member, enum access_epoch epoch, int32_t tag, struct message_text *text)
{
    struct target *target = &w->target[member];
    if (epoch == ACCESS_FENCE) {
        keep_atomic(target, text);
        return NULL;
    }
    struct access_way way = epoch_way(w, member, epoch);
    if (epoch == ACCESS_LOCKED && direct_access(w, member, tag, text))
        return NULL;
    target->counted += way.counted;
    return keeper_access(w, member, tag, text, way);
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
    for (uint32_t i = 0; i < target->atomics; i++)
        keeper_access(w, member, WINDOW_ATOMIC, &target->atomic[i], way);
    target->atomics = 0;
}

void outbox_release(struct target *target)
{
    message_text_release(&target->queue);
    for (uint32_t i = 0; i < target->atomics; i++)
        message_text_release(&target->atomic[i]);
    free(target->atomic);
    direct_release(target);
}
