#include "check/window_past.h"

static void release_past_keeper(struct past_keeper *keeper)
{
    map_release(&keeper->location);
    vec_release(&keeper->atomic);
}

void window_past_release(struct window_past *past)
{
    vec_release(&past->clock);
    vec_release(&past->first);
    vec_release(&past->segments);
    vec_release(&past->meeting);
    vec_release_each(&past->keeper, release_past_keeper);
    vec_release(&past->talked);
}

uint32_t window_past_add_clock(struct window_past *past, const struct chapter_rest *rest, const uint32_t *clock)
{
    uint32_t at = (uint32_t)(past->clock.n / (size_t)past->width);
    for (rank_t r = 0; r < past->width; r++)
        vec_push(&past->clock, chapter_rest_place(rest, r, clock[r]));
    return at;
}
