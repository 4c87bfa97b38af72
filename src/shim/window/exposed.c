/* All windows that others may access at any time, around calls that communicate (private_copies.h). */
#include "shim/private_copies.h"
#include "shim/window/epoch.h"
#include "shim/window/outbox.h"
#include "shim/window/private_copy.h"

/* Nobody hears of anything in these: what they want is sent by calls that follow. */
static bool is_only_queued(enum call call)
{
    return call == CALL_Put || call == CALL_Get || call == CALL_Rput || call == CALL_Win_detach;
}

static bool is_atomic_access(enum call call)
{
    return call == CALL_Accumulate || call == CALL_Get_accumulate || call == CALL_Fetch_and_op || call == CALL_Compare_and_swap ||
           call == CALL_Raccumulate || call == CALL_Rget_accumulate;
}

/* These know what they complete. */
static bool is_end_of_accesses(enum call call)
{
    return call == CALL_Win_flush || call == CALL_Win_flush_all || call == CALL_Win_flush_local || call == CALL_Win_flush_local_all ||
           call == CALL_Win_unlock || call == CALL_Win_unlock_all || call == CALL_Win_complete;
}

void private_copies_publish(void)
{
    struct window *w;
    if (is_only_queued(shim.call))
        return;
    if (!is_atomic_access(shim.call) && !is_end_of_accesses(shim.call) && shim.call != CALL_Rget)
        outbox_let_go(NULL, -1, false);
    for (uint32_t i = 0; (w = window_nth(i)); i++) {
        bool passive = epoch_is_passive(w);
        if (passive)
            private_copy_publish(w);
        w->watched = passive;
    }
}

/* What was fetched into memory that two windows have in common is published to the other one at once. */
static void publish_what_came(void)
{
    struct window *w;
    for (uint32_t i = 0; (w = window_nth(i)); i++)
        if (epoch_is_passive(w) && !w->asking)
            private_copy_publish(w);
}

void private_copies_refresh(void)
{
    struct private_copy_questions asked = {0};
    struct window *w;
    for (uint32_t i = 0; (w = window_nth(i)); i++)
        if (epoch_is_passive(w) && !w->asking && keeper_may_have_news(w))
            private_copy_ask(w, &asked);
    bool several = asked.n > 1;
    private_copy_hear(&asked);
    if (several && asked.changed)
        publish_what_came();
    shim.has_news = false;
}
