#include "shim/virtual/window_mail.h"

#include <string.h>
#include <sys/syscall.h>

#include "arch/system_call.h"
#include "shim/channel.h"
#include "shim/virtual/mail.h"

enum { PATIENCE = 64 }; /* times that others get the processor: they have joined the fence, and are about to send */

static struct {
    struct wire_head *head;
    rank_t own;
} shown;

void window_mail_open(struct wire_head *head, rank_t own)
{
    shown.head = head;
    shown.own = own;
}

bool window_mail_is_open(void)
{
    return shown.head;
}

/* ---- what is counted ---- */

static _Atomic uint32_t *count_at(rank_t owner, uint32_t slot)
{
    struct wire_channel *channel = (struct wire_channel *)((char *)shown.head + wire_channel_offset(owner));
    return &channel->windows_changed[window_share(slot)];
}

void window_mail_count(rank_t owner, uint32_t slot)
{
    if (window_mail_is_open())
        atomic_fetch_add(count_at(owner, slot), 1);
}

uint32_t window_mail_counted(uint32_t slot)
{
    return window_mail_is_open() ? atomic_load(count_at(shown.own, slot)) : 0;
}

/* ---- what is shown ---- */

/* The message of a closing fence: those of other epochs are held back, or answered to whoever sent them. */
static bool belongs_to_fence(const struct op *record)
{
    struct window_message message;
    if (record->context != KEEPER_CONTEXT || record->peer < shown.head->ranks || record->flags & OPF_AFTER ||
        keeper_is_lock(shown.head->ranks, record->peer))
        return false;
    memcpy(&message, record->payload ? arena_at(record->payload) : op_tail(record), sizeof message);
    return message.kind == WINDOW_ACCESS && message.flags & WINDOW_COUNTED;
}

/* Those whom others have started show nothing, and are shown nothing. */
static bool is_shown_mail(rank_t r)
{
    return mail_is_open() && r < shown.head->first_ranks;
}

void window_mail_show(const struct op *record)
{
    rank_t owner = belongs_to_fence(record) ? keeper_owner(shown.head->ranks, record->peer) : shown.own;
    bool whole = !record->payload && record->size <= MAIL_MOST && record->flags & OPF_CALM;
    if (owner != shown.own && is_shown_mail(owner))
        (void)mail_put(owner, record, 0, whole);
}

static bool is_shown_access(const struct mail *m, const struct window_senders *senders)
{
    return m->op.kind == OP_SEND && m->op.context == KEEPER_CONTEXT && m->op.peer == senders->memory;
}

const struct mail *window_mail_next(const struct window_senders *senders, rank_t from, const struct mail *after)
{
    if (!is_shown_mail(from))
        return NULL;
    const struct mail *m = after ? mail_next(from, after) : mail_first(from);
    while (m && !is_shown_access(m, senders))
        m = mail_next(from, m);
    return m;
}

/* How many there are; UINT64_MAX: some are not whole. */
static uint64_t count_shown(const struct window_senders *senders)
{
    uint64_t n = 0;
    for (int i = 0; i < senders->n; i++) {
        const struct mail *m = NULL;
        while (senders->rank[i] != shown.own && (m = window_mail_next(senders, senders->rank[i], m))) {
            if (!m->whole)
                return UINT64_MAX;
            n++;
        }
    }
    return n;
}

bool window_mail_await(const struct window_senders *senders, uint64_t accesses)
{
    uint64_t n = count_shown(senders);
    for (int left = PATIENCE; left > 0 && n < accesses; left--) {
        system_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        n = count_shown(senders);
    }
    return n == accesses;
}

void window_mail_drop(const struct window_senders *senders)
{
    for (int i = 0; i < senders->n; i++) {
        bool any = false;
        for (const struct mail *m = NULL; senders->rank[i] != shown.own && (m = window_mail_next(senders, senders->rank[i], m)); any = true)
            (void)mail_take((struct mail *)m);
        if (any)
            mail_clear(senders->rank[i]);
    }
}
