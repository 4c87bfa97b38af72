#include "shim/clock/sightings.h"

struct probed_message {
    context_t context;
    rank_t source;
    int32_t tag;
    uint64_t op; /* the last probe that saw it */
};

static struct {
    struct probed_message *at; /* owned */
    size_t n, room;
} sights;

static struct probed_message *find_probed_message(const struct arrival *a)
{
    for (size_t i = 0; i < sights.n; i++) {
        struct probed_message *s = &sights.at[i];
        if (s->context == a->context && s->source == a->source && s->tag == a->tag)
            return s;
    }
    return NULL;
}

void sightings_note(const struct arrival *a)
{
    struct probed_message *s = find_probed_message(a);
    if (!s) {
        if (sights.n == sights.room) {
            sights.room = sights.room ? 2 * sights.room : 16;
            sights.at = shim_realloc(sights.at, sights.room * sizeof *sights.at);
        }
        s = &sights.at[sights.n++];
    }
    *s = (struct probed_message){a->context, a->source, a->tag, a->op};
}

void sightings_received(const struct arrival *a)
{
    struct probed_message *s = find_probed_message(a);
    if (s && s->op < a->op)
        *s = sights.at[--sights.n];
}

bool sightings_any(void)
{
    return sights.n > 0;
}
