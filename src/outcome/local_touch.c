#include "outcome/local_touch.h"

static void add_touched_piece(local_touches_t *to, const struct window_touch *touch, uint32_t before, uint64_t at,
                              uint64_t bytes)
{
    vec_push(to, ((struct local_touch){.before = before,
                                       .slot = touch->slot,
                                       .owner = touch->owner,
                                       .stores = touch->flags & TOUCH_STORES,
                                       .piece = {at, bytes},
                                       .place = touch->place}));
}

void local_touches_add(local_touches_t *to, const struct window_touch *touch, uint32_t before, uint64_t bytes)
{
    uint64_t step = (uint64_t)(touch->distance < 0 ? -touch->distance : touch->distance);
    uint64_t span = step * (touch->count - 1), low = touch->distance < 0 ? touch->at - span : touch->at;
    if (step <= bytes) {
        add_touched_piece(to, touch, before, low, span + bytes);
        return;
    }
    for (uint32_t i = 0; i < touch->count; i++)
        add_touched_piece(to, touch, before, low + i * step, bytes);
}
