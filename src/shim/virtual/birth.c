#include "shim/virtual/birth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/core/library_code.h"
#include "shim/virtual/coll.h"

enum { WORLD_OF_CHILDREN = 9 }; /* beyond CONTEXT_SALTS */

static struct {
    struct birth *birth; /* owned; NULL: of the first world */
    bool met;            /* the parents, and there was a communicator */
    MPI_Comm parents;    /* it; MPI_COMM_NULL: it was freed */
} origin = {.parents = MPI_COMM_NULL};

void birth_open(void)
{
    const char *place = getenv(DYNAMIC_ENV_BIRTH);
    uint64_t at, bytes;
    if (!place)
        return;
    if (sscanf(place, "%" SCNu64 ":%" SCNu64, &at, &bytes) != 2)
        shim_give_up(DYNAMIC_ENV_BIRTH " is damaged");
    origin.birth = shim_alloc(bytes);
    memcpy(origin.birth, arena_at(at), bytes);
    if (!birth_is_sound(origin.birth, bytes, shim.size))
        shim_give_up("what this rank is to be is damaged");
    shim.application = (int)origin.birth->application;
}

const struct birth *birth_of_rank(void)
{
    return origin.birth;
}

context_t birth_world_context(void)
{
    return context_derive(origin.birth->between, 0, CONTEXT_SALTS + WORLD_OF_CHILDREN);
}

static struct group *group_of_parents(void)
{
    struct group *g = group_new((int)origin.birth->parents);
    memcpy(g->rank, birth_parents(origin.birth), origin.birth->parents * sizeof *g->rank);
    return g;
}

void birth_meet_parents(void)
{
    if (!origin.birth || origin.met)
        return;
    origin.met = true;
    real_must(Comm_dup, shim.self, &origin.parents);
    real_must(Comm_set_errhandler, origin.parents, MPI_ERRORS_ARE_FATAL);
    real_must(Comm_set_name, origin.parents, "MPI_COMM_PARENT");
    struct comm *c = comm_new(NULL, origin.birth->between, group_copy(comm_world_group()), group_of_parents(), origin.parents);
    comm_announce_name(c, "MPI_COMM_PARENT");
    coll_exchange(c, NULL, 0, NULL);
}

void birth_forget_parents(MPI_Comm handle)
{
    if (handle == origin.parents)
        origin.parents = MPI_COMM_NULL;
}

int body_Comm_get_parent(MPI_Comm *parent)
{
    *parent = origin.parents;
    return MPI_SUCCESS;
}
