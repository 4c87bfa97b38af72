#include "shim/clock/match_clock.h"

#include <stdlib.h>
#include <time.h>

#include "shim/clock/comm.h"
#include "shim/clock/sightings.h"
#include "shim/core/library_code.h"

/* How long to wait; less each time that it was in vain, so that a program which does this often is not slow. */
static double patience = 1;

static double seconds_since_boot(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void match_clock_tell(const struct header *message, uint64_t clock)
{
    struct header *note = shim_alloc(sizeof *note);
    if (sightings_any())
        clock_doubt();
    *note = (struct header){.op = message->op};
    clock_give(note, message->sender);
    for (uint32_t i = 0; i < note->entries; i++)
        if (note->entry[i].rank == shim.rank && note->entry[i].clock > clock)
            note->entry[i].clock = (uint32_t)clock;
    note->clock = clock;
    clock_mail(message->sender, TAG_MATCHED, note, sizeof *note);
}

/* Notes that came for other sends, which are not complete yet. */
static struct early {
    struct early *next;
    struct header note;
} *early;

static bool take_early_note(uint64_t op, struct header *note)
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

static bool take_matching_note(rank_t receiver, uint64_t op, struct header *note)
{
    int there = 0;
    for (;;) {
        if (take_early_note(op, note))
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

bool match_clock_hear(rank_t receiver, uint64_t op)
{
    struct header note;
    if (!take_matching_note(receiver, op, &note))
        return false;
    clock_take(&note);
    clock_learn(note.sender, note.clock);
    return true;
}

bool match_clock_is_awaited(double *until)
{
    double now = seconds_since_boot();
    if (*until == 0)
        *until = now + patience;
    if (now <= *until)
        return true;
    patience /= 2;
    clock_doubt();
    return false;
}
