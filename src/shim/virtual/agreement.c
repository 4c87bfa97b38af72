#include "shim/virtual/agreement.h"

#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/virtual/coll.h"

struct agreement {
    int members;
    size_t *start;
    char *said;
};

/* Pieces come by rising position; a member that said nothing may have none. */
static void gather_what_was_said(struct request *r, const struct completion *done)
{
    struct agreement *a = r->state;
    const struct piece *piece = completion_pieces(done);
    size_t total = 0;
    for (uint32_t k = 0; k < done->pieces; k++)
        total += piece[k].bytes;
    a->said = shim_alloc(total);

    uint32_t position = 0;
    size_t used = 0;
    for (uint32_t k = 0; k < done->pieces; k++) {
        while (position <= piece[k].from)
            a->start[position++] = used;
        memcpy(a->said + used, arena_at(piece[k].payload), piece[k].bytes);
        used += piece[k].bytes;
    }
    while (position <= (uint32_t)a->members)
        a->start[position++] = used;
}

char *agree(struct comm *c, const void *mine, size_t bytes, size_t *start)
{
    struct agreement agreement = {.members = comm_members(c), .start = start};
    struct op_slice slice = {.to = SLICE_FOR_ALL, .bytes = bytes};
    struct collective_part join = {.root = -1, .until = comm_members(c), .slice = &slice, .slices = bytes > 0};
    struct request *r = request_new(c);
    r->state = &agreement;
    r->finish = gather_what_was_said;
    void *room = coll_begin(r, &join, true);
    if (bytes)
        memcpy(room, mine, bytes);
    coll_commit();
    complete_blocking(r, MPI_STATUS_IGNORE);
    return agreement.said;
}
