/*
 * job_tales -- what the ranks of a job have told of themselves.
 */
#include <stdlib.h>

#include "base/die.h"
#include "base/mem.h"
#include "dist/job.h"
#include "dist/modules.h"

static void read_tale(const struct jobs *jobs, const struct helper_connection *peer, struct tale *tales,
                      struct modules *modules)
{
    struct tale tale;
    struct tale_end end = {.ended = peer->now.ended, .status = peer->now.status};
    switch (tale_read(&tale, peer->file.at, peer->file.n, jobs->options.ranks, end, modules)) {
    case TALE_IS_GOOD:
        break;
    case TALE_IS_NONE:
        tale_nothing(&tale, end);
        break;
    case TALE_IS_OF_MORE:
        die("the launcher has started more than %d ranks", jobs->options.ranks);
    case TALE_IS_DAMAGED:
        die("the file in which rank %d tells what it does is damaged", peer->now.rank);
    }
    rank_t r = tale.rank;
    for (rank_t free = 0; r < 0 && free < jobs->options.ranks; free++)
        if (tales[free].rank == RANK_NONE && !tales[free].segment.n)
            r = free; /* it never called MPI_Init: it may be any */
    if (r < 0 || tales[r].segment.n) {
        tale_release(&tale);
        return;
    }
    tales[r] = tale;
}

/* Those that have come up first, each in its place.  The last time, files are forgotten as they are read. */
struct tale *job_tales(const struct jobs *jobs, const struct job *job, struct modules *modules, bool last)
{
    struct tale *tales = xcalloc((size_t)jobs->options.ranks, sizeof *tales);
    for (rank_t r = 0; r < jobs->options.ranks; r++)
        tales[r].rank = RANK_NONE;
    for (int nameless = 0; nameless < 2; nameless++)
        for (size_t i = 0; i < jobs->peer.n; i++) {
            struct helper_connection *peer = jobs->peer.at[i];
            if (!peer_is_of(peer, job) || (peer->now.rank < 0) != nameless)
                continue;
            read_tale(jobs, peer, tales, modules);
            if (last)
                talk_forget(&peer->file);
        }
    return tales;
}

void job_free_tales(struct tale *tales, int ranks)
{
    for (rank_t r = 0; r < ranks; r++)
        tale_release(&tales[r]);
    free(tales);
}
