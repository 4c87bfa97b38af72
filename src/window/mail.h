/*
 * mail -- what a keeper waits for, and what it sends.
 */
#ifndef WINDOW_MAIL_H
#define WINDOW_MAIL_H

#include "base/mem.h"
#include "call/window.h"

/* Messages from whom, or from any source, and with which tag, or any. */
struct keeper_wait {
    rank_t from;
    int tag;
};

/* Letters to ranks, in the order in which they are sent. */
struct keeper_letter {
    rank_t to;
    int tag;
    size_t at, bytes; /* in `text` of */
};
struct keeper_mail {
    VEC(struct keeper_letter) letter;
    VEC(char) text;
};
static inline void keeper_mail_release(struct keeper_mail *mail)
{
    vec_release(&mail->letter);
    vec_release(&mail->text);
}

#endif
