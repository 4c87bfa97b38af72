#include "shim/virtual/window_mail.h"

#include <string.h>

#include "shim/channel.h"
#include "shim/virtual/mail.h"

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

/* Those whom others have started show nothing, and are shown nothing. */
static bool is_shown_mail(rank_t r)
{
    return mail_is_open() && r < shown.head->first_ranks;
}

void window_mail_show(const struct window_fence *fence, const struct window_message *message, const void *accesses, size_t bytes)
{
    rank_t owner = keeper_owner(shown.head->ranks, fence->memory);
    size_t size = op_round(sizeof(struct op) + sizeof *message + bytes);
    struct mail *mail = is_shown_mail(owner) && size <= MAIL_MOST ? mail_begin(owner, size) : NULL;
    if (!mail)
        return;
    mail->fence = fence->turn;
    mail->op = (struct op){.kind = OP_SEND, .size = (uint32_t)size, .context = KEEPER_CONTEXT, .peer = fence->memory, .ticket = fence->context};
    memcpy(&mail->op + 1, message, sizeof *message);
    memcpy((char *)(&mail->op + 1) + sizeof *message, accesses, bytes);
    mail_commit(owner);
}

static bool is_access_to(const struct mail *m, rank_t memory)
{
    return m->op.kind == OP_SEND && m->op.context == KEEPER_CONTEXT && m->op.peer == memory;
}

static bool is_of_fence(const struct mail *m, const struct window_fence *fence)
{
    return is_access_to(m, fence->memory) && m->op.ticket == fence->context && m->fence == fence->turn;
}

/* What was shown for a fence was shown before that was joined: who has shown nothing by now has nothing there. */
void window_mail_find_senders(struct window_senders *senders, const rank_t *members, int n)
{
    senders->n = 0;
    for (int i = 0; i < n; i++)
        if (members[i] != shown.own && is_shown_mail(members[i]) && mail_holds_any(members[i]))
            senders->rank[senders->n++] = members[i];
}

const struct mail *window_mail_next(const struct window_senders *senders, rank_t from, const struct mail *after)
{
    const struct mail *m = after ? mail_next(from, after) : mail_first(from);
    while (m && !is_of_fence(m, &senders->fence))
        m = mail_next(from, m);
    return m;
}

uint64_t window_mail_shown(const struct window_senders *senders)
{
    uint64_t n = 0;
    for (int i = 0; i < senders->n; i++) {
        const struct mail *m = NULL;
        while ((m = window_mail_next(senders, senders->rank[i], m)))
            n++;
    }
    return n;
}

/* All but what is for a later fence: of a window that had the slot before, or of a fence that this rank did not wait for, nobody wants to know. */
static bool is_done_with(const struct mail *m, const struct window_fence *fence)
{
    return is_access_to(m, fence->memory) && !(m->op.ticket == fence->context && m->fence > fence->turn);
}

static void drop_mails_from(const struct window_fence *fence, rank_t from)
{
    bool any = false;
    for (struct mail *m = mail_first(from); m; m = mail_next(from, m))
        if (is_done_with(m, fence))
            any |= mail_take(m);
    if (any)
        mail_clear(from);
}

void window_mail_drop(const struct window_senders *senders)
{
    for (int i = 0; i < senders->n; i++)
        drop_mails_from(&senders->fence, senders->rank[i]);
}
