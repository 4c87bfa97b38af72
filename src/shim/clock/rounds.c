#include "shim/clock/rounds.h"

#include <string.h>

#include "shim/clock/choices.h"

/* The search wants to see 16384 polls of a rank that it calls stuck, in rounds of at most 64 (explore/spin.c). */
enum { LONGEST = 64, ENOUGH = 20000 };

static struct {
    uint64_t poll[LONGEST];     /* the last polls */
    uint64_t n;                 /* how many polls there were */
    uint64_t same[LONGEST + 1]; /* by period: how many of the last equal the one a period before */
    uint32_t at;                /* in a round that is hidden */
} turns;

void rounds_end(void)
{
    if (!turns.n)
        return;
    ledger_show();
    turns.n = 0;
    memset(turns.same, 0, sizeof turns.same);
}

/* The shortest period in which they have gone round often enough; 0: none. */
static uint32_t add_turn(uint64_t poll)
{
    uint32_t period = 0;
    for (uint32_t d = 1; d <= LONGEST && d <= turns.n; d++) {
        turns.same[d] = poll == turns.poll[(turns.n - d) % LONGEST] ? turns.same[d] + 1 : 0;
        if (!period && turns.same[d] >= ENOUGH)
            period = d;
    }
    turns.poll[turns.n++ % LONGEST] = poll;
    return period;
}

void rounds_note(uint64_t poll, uint64_t noes)
{
    uint32_t period = add_turn(causal_mix(poll, noes)), hidden = ledger_hidden();
    if (hidden && !turns.same[hidden]) {
        ledger_show();
    } else if (hidden && ++turns.at == hidden) {
        ledger_write_over();
        turns.at = 0;
    } else if (!hidden && period && choices_are_free()) {
        ledger_hide(period);
        turns.at = 0;
    }
}
