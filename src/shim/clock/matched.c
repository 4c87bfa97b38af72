#include "shim/clock/matched.h"

#include <stdlib.h>
#include <time.h>

#include "shim/clock/comm.h"
#include "shim/clock/seen.h"
#include "shim/library.h"

/* How long to wait; less each time that it was in vain, so that a program which does this often is not slow. */
static double patience = 1;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Of a wildcard the match itself, too: what the sender does next comes after it. */
static uint64_t clock_at_match(const struct flight *receive)
{
    return receive->posted + (receive->wildcard != NULL);
}

void matched_tell(struct flight *receive)
{
    struct header *note = shim_alloc(sizeof *note), *got = receive->block;
    uint64_t clock = clock_at_match(receive);
    if (seen_any())
        clock_doubt();
    *note = (struct header){.op = got->op};
    clock_give(note, got->sender);
    for (uint32_t i = 0; i < note->entries; i++)
        if (note->entry[i].rank == shim.rank && note->entry[i].clock > clock)
            note->entry[i].clock = (uint32_t)clock;
    note->clock = clock;
    clock_mail(got->sender, TAG_MATCHED, note, sizeof *note);
    receive->matched_told = true;
}

/* Notes that came for other sends, which are not complete yet. */
static struct early {
    struct early *next;
    struct header note;
} *early;

static bool take_early(uint64_t op, struct header *note)
{
    for (struct early **at = &early, *e; (e = *at); at = &e->next)
        if (e->note.op == op) {
            *note = e->note;
            *at = e->next;
            free(e);
            return true;
        }
    return false;
}

static bool take(rank_t receiver, uint64_t op, struct header *note)
{
    int there = 0;
    for (;;) {
        if (take_early(op, note))
            return true;
        real_must(Iprobe, receiver, TAG_MATCHED, comm_of_clocks(), &there, MPI_STATUS_IGNORE);
        if (!there)
            return false;
        struct early *e = shim_alloc(sizeof *e);
        real_must(Recv, &e->note, sizeof e->note, MPI_BYTE, receiver, TAG_MATCHED, comm_of_clocks(), MPI_STATUS_IGNORE);
        e->next = early;
        early = e;
    }
}

static void learn(const struct header *note)
{
    clock_take(note);
    clock_learn(note->sender, note->clock);
}

void matched_hear(const struct flight *send)
{
    struct header note;
    unsigned round = 0;
    double until = 0;
    while (!take(send->peer, send->op, &note)) {
        if (until == 0)
            until = seconds() + patience;
        if (seconds() > until) {
            patience /= 2;
            clock_doubt();
            return;
        }
        flights_serve();
        flights_pause(&round);
    }
    learn(&note);
}
