/*
 * dynamic_mail -- messages on the context of which everybody is a member (call/dynamic.h).
 */
#ifndef SHIM_VIRTUAL_DYNAMIC_MAIL_H
#define SHIM_VIRTUAL_DYNAMIC_MAIL_H

#include "call/dynamic.h"
#include "shim/comm.h"

/* Nobody waits for it; `more` are further OPF_ flags.  `spawn` and `count` are for births. */
struct dynamic_letter {
    rank_t to;
    int32_t tag;
    uint32_t more;
    const void *body;
    size_t bytes;
    uint32_t spawn, count;
};
void dynamic_send(const struct dynamic_letter *);

/* The same, but returns when it was received. */
void dynamic_send_waiting(struct comm *, const struct dynamic_letter *);

/* What comes from there, or from anybody (RANK_ANY), to be freed; blocking. */
void *dynamic_receive(struct comm *, rank_t from, int32_t tag, size_t *bytes, rank_t *source);

#endif
