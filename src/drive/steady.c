#include "drive/steady.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"

enum {
    STARTS = 3,           /* of all ranks together, at least one of each */
    COPIES = 3,           /* of the first way of each */
    PART = 10,            /* one part in so many of the time of the search may go on tries */
    FREE = 200 * 1000,    /* microseconds of tries that nobody minds */
};

void steady_init(struct steady *steady, int ranks)
{
    *steady = (struct steady){.ranks = ranks, .ends = xcalloc((size_t)ranks, sizeof *steady->ends)};
    steady->begun = microseconds();
}

void steady_release(struct steady *steady)
{
    free(steady->ends);
}

int steady_starts(const struct steady *steady, rank_t rank)
{
    int starts = STARTS / steady->ranks + (rank < STARTS % steady->ranks);
    return starts ? starts : 1;
}

/* Later ways are much like the first: the second, the fourth, the eighth and so on are tried once. */
struct steady_tries steady_tries(struct steady *steady, rank_t rank)
{
    uint32_t number = ++steady->ends[rank];
    if (number == 1)
        return (struct steady_tries){steady_starts(steady, rank), COPIES};
    return (struct steady_tries){0, (number & (number - 1)) == 0};
}

bool steady_spent(struct steady *steady, int64_t time)
{
    steady->spent += time;
    return steady->spent < FREE + (microseconds() - steady->begun) / PART;
}
