/*
 * names -- under which names ports are published (call/dynamic.h): what the registry knows.
 */
#ifndef WINDOW_NAMES_H
#define WINDOW_NAMES_H

#include "base/map.h"
#include "window/mail.h"

/* By rising name, so that equal ones are equal whatever came first. */
struct published_name {
    char *name, *port; /* owned */
};

/* All zero is none. */
struct published_names {
    VEC(struct published_name) at;
    uint64_t changes;
};

void published_names_copy(struct published_names *to, const struct published_names *from);
void published_names_release(struct published_names *);

/* Every message is answered; a wrong one is as one for a name that there is not. */
void published_names_take(struct published_names *, rank_t from, const void *message, size_t bytes, struct keeper_mail *);
void published_names_stir(const struct published_names *, struct map_key *sum);

#endif
