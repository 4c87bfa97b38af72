#include "shim/virtual/mail.h"

#include <stddef.h>
#include <string.h>

/* What this rank knows of the messages from one other. */
struct sender {
    uint64_t looked; /* bytes of the mailbox that were looked at */
    uint64_t seen;   /* the last message that it was shown or given */
    uint64_t missed; /* how many before that it was not shown, and not given yet */
};

static struct {
    struct mailbox *boxes;
    rank_t own;
    int ranks;
    uint64_t behind; /* what was begun last */
    struct sender sender[MAIL_RANKS];
} mail;

void mail_open(struct mailbox *boxes, rank_t own, int ranks)
{
    mail.boxes = boxes;
    mail.own = own;
    mail.ranks = ranks;
}

bool mail_is_open(void)
{
    return mail.boxes != NULL;
}

static struct mailbox *box_from(rank_t from)
{
    return &mail.boxes[mailbox_number(from, mail.own, mail.ranks)];
}

static struct mailbox *box_to(rank_t to)
{
    return &mail.boxes[mailbox_number(mail.own, to, mail.ranks)];
}

static struct mail *mail_at(struct mailbox *box, uint64_t position)
{
    return (struct mail *)(box->ring + position % MAIL_ROOM);
}

/* ---- the sender ---- */

/* A mail is contiguous: what is left of the ring before its end is filled up.  At least the fields up to `nth` fit there. */
static void fill_up(struct mail *rest, uint32_t left)
{
    rest->size = left;
    rest->nth = 0;
    atomic_store_explicit(&rest->state, MAIL_TAKEN, memory_order_relaxed);
}

static bool note_left_out(struct mailbox *box, uint64_t nth)
{
    if (nth)
        atomic_store_explicit(&box->left_out, nth, memory_order_release);
    return false;
}

struct mail *mail_begin(rank_t to, size_t bytes)
{
    struct mailbox *box = box_to(to);
    uint32_t size = (uint32_t)((offsetof(struct mail, op) + bytes + 63) & ~(size_t)63);
    uint64_t put = atomic_load_explicit(&box->put, memory_order_relaxed);
    uint32_t left = MAIL_ROOM - put % MAIL_ROOM, skip = left < size ? left : 0;
    if (put + skip + size - atomic_load_explicit(&box->got, memory_order_acquire) > MAIL_ROOM)
        return NULL;
    if (skip)
        fill_up(mail_at(box, put), skip);
    mail.behind = put + skip + size;
    struct mail *new = mail_at(box, put + skip);
    new->size = size;
    new->nth = 0;
    new->whole = true;
    new->claimed = 0;
    atomic_store_explicit(&new->state, MAIL_NEW, memory_order_relaxed);
    return new;
}

void mail_commit(rank_t to)
{
    atomic_store_explicit(&box_to(to)->put, mail.behind, memory_order_release);
}

bool mail_put(rank_t to, const struct op *record, uint64_t nth, bool whole)
{
    size_t bytes = whole ? record->size : sizeof *record;
    struct mail *new = mail_begin(to, bytes);
    if (!new)
        return note_left_out(box_to(to), nth);
    new->nth = nth;
    new->whole = whole;
    memcpy(&new->op, record, bytes);
    mail_commit(to);
    return true;
}

uint64_t mail_shown(rank_t to)
{
    const struct mailbox *box = box_to(to);
    return atomic_load_explicit(&box->left_out, memory_order_relaxed) ? UINT64_MAX : atomic_load_explicit(&box->put, memory_order_relaxed);
}

bool mail_withdraw(rank_t to, uint32_t request)
{
    struct mailbox *box = box_to(to);
    uint64_t put = atomic_load_explicit(&box->put, memory_order_relaxed);
    struct mail *found = NULL;
    /* The receiver moves `got`, but leaves what it passes over as it is; only this rank writes there again. */
    for (uint64_t at = atomic_load(&box->got); at < put; at += mail_at(box, at)->size)
        if (mail_at(box, at)->nth && mail_at(box, at)->op.request == request)
            found = mail_at(box, at);
    uint32_t new = MAIL_NEW;
    return found && atomic_compare_exchange_strong(&found->state, &new, MAIL_WITHDRAWN);
}

/* ---- the receiver ---- */

static void note_number(struct sender *sender, uint64_t nth)
{
    if (nth <= sender->seen)
        return;
    sender->missed += nth - sender->seen - 1;
    sender->seen = nth;
}

static void look(rank_t from)
{
    struct mailbox *box = box_from(from);
    struct sender *sender = &mail.sender[from];
    uint64_t left_out = atomic_load_explicit(&box->left_out, memory_order_acquire); /* what was shown before is there now */
    uint64_t put = atomic_load_explicit(&box->put, memory_order_acquire);
    while (sender->looked < put) {
        const struct mail *new = mail_at(box, sender->looked);
        note_number(sender, new->nth);
        sender->looked += new->size;
    }
    if (left_out > sender->seen) {
        sender->missed += left_out - sender->seen;
        sender->seen = left_out;
    }
}

uint64_t mail_looked(rank_t from)
{
    return mail.sender[from].looked;
}

bool mail_has_come(rank_t from, uint64_t looked)
{
    struct mailbox *box = box_from(from);
    return atomic_load_explicit(&box->put, memory_order_acquire) != looked ||
           atomic_load_explicit(&box->left_out, memory_order_acquire) > mail.sender[from].seen;
}

bool mail_holds_any(rank_t from)
{
    struct mailbox *box = box_from(from);
    return atomic_load_explicit(&box->put, memory_order_acquire) != atomic_load_explicit(&box->got, memory_order_relaxed);
}

static bool is_taken(struct mail *m)
{
    return atomic_load_explicit(&m->state, memory_order_relaxed) == MAIL_TAKEN;
}

static struct mail *first_from(rank_t from, uint64_t position)
{
    struct mailbox *box = box_from(from);
    for (; position < mail.sender[from].looked; position += mail_at(box, position)->size)
        if (!is_taken(mail_at(box, position)))
            return mail_at(box, position);
    return NULL;
}

struct mail *mail_first_seen(rank_t from)
{
    return first_from(from, atomic_load_explicit(&box_from(from)->got, memory_order_relaxed));
}

struct mail *mail_first(rank_t from)
{
    look(from);
    return mail_first_seen(from);
}

struct mail *mail_next(rank_t from, const struct mail *before)
{
    struct mailbox *box = box_from(from);
    uint64_t got = atomic_load_explicit(&box->got, memory_order_relaxed);
    uint64_t behind = ((uint64_t)((const char *)before - box->ring) - got) % MAIL_ROOM;
    return first_from(from, got + behind + before->size);
}

bool mail_has_gap(rank_t from)
{
    return mail.sender[from].missed > 0;
}

bool mail_take(struct mail *m)
{
    uint32_t new = MAIL_NEW;
    return atomic_compare_exchange_strong(&m->state, &new, MAIL_TAKEN);
}

void mail_give_back(struct mail *m)
{
    atomic_store(&m->state, MAIL_NEW);
}

void mail_clear(rank_t from)
{
    struct mailbox *box = box_from(from);
    uint64_t got = atomic_load_explicit(&box->got, memory_order_relaxed), before = got;
    while (got < mail.sender[from].looked && is_taken(mail_at(box, got)))
        got += mail_at(box, got)->size;
    if (got != before)
        atomic_store_explicit(&box->got, got, memory_order_release);
}

/* A message is shown before it is posted, so what was not shown by now was left out. */
void mail_was_delivered(rank_t from, uint32_t nth)
{
    struct sender *sender = &mail.sender[from];
    for (struct mail *m = mail_first(from); m; m = mail_next(from, m))
        if (m->nth && (uint32_t)m->nth == nth) {
            atomic_store(&m->state, MAIL_TAKEN); /* if it was withdrawn, that was too late */
            mail_clear(from);
            return;
        }
    uint64_t whole = sender->seen + (int64_t)(int32_t)(nth - (uint32_t)sender->seen);
    if (whole > sender->seen)
        note_number(sender, whole);
    else
        sender->missed--;
}
