/*
 * comm -- communicators and groups of the virtual world.
 */
#ifndef SHIM_COMM_H
#define SHIM_COMM_H

#include "shim/shim.h"

struct group {
    uint64_t session; /* key of the handle of the one that it comes from (core/handle.h); 0: none */
    int size;
    rank_t rank[]; /* in MPI_COMM_WORLD */
};

enum topology { TOPOLOGY_NONE, TOPOLOGY_CART, TOPOLOGY_GRAPH, TOPOLOGY_DIST_GRAPH };

struct comm {
    MPI_Comm handle;      /* the real one that backs it */
    MPI_Comm shadow;      /* clock mode: a duplicate, for messages and what goes along with collectives */
    uint64_t agreed;      /* clock mode: up to which stamp of the clock its members know what this one knows */
    uint32_t silent;      /* by flow of data (clock/collective_call.c), a set: the last collective brought no news to anybody */
    context_t context;
    int references;       /* the user's handle, and each pending operation */
    int rank;             /* of this process in `local` */
    struct group *local;
    struct group *remote; /* an intercommunicator's, else NULL */
    bool local_first;     /* the order of positions: struct op_group */
    uint32_t turns;       /* collectives joined so far */
    bool in_collective;   /* a thread waits in one, and lets others in meanwhile */
    enum topology topology;
    struct shape *shape;  /* topology.h; shared with duplicates */
};

/* MPI_COMM_WORLD and MPI_COMM_SELF, at MPI_Init; all gone at MPI_Finalize. */
void comm_open(void);
void comm_close(void);

const struct group *comm_world_group(void); /* of MPI_COMM_WORLD, likewise.  In `virtual` */
struct comm *comm_self(void); /* MPI_COMM_SELF, also where the program does not have it */

/* Whether the program has the two: between MPI_Init and MPI_Finalize.  In `virtual`. */
void comm_show_world(bool);

/* Runs the delete callbacks of attributes on MPI_COMM_SELF, as MPI_Finalize has to do first. */
int comm_delete_self_attributes(void); /* what a callback of the program says, MPI_SUCCESS if all is well */

struct comm *comm_find(MPI_Comm); /* NULL: not a communicator */
const char *comm_what_is_wrong(MPI_Comm); /* with one that was not found */
void comm_hold(struct comm *);    /* by a pending operation */
void comm_drop(struct comm *);

static inline bool comm_is_inter(const struct comm *c)
{
    return c->remote != NULL;
}

/* Whom `dest`, `source` and roots count in. */
static inline const struct group *comm_peers(const struct comm *c)
{
    return c->remote ? c->remote : c->local;
}

/*
 * Positions are how tourney counts the members of a communicator (struct
 * op_group): the local and the remote group, in an order all members agree on.
 */
int comm_members(const struct comm *);
int comm_local_position(const struct comm *, int rank);
int comm_peer_position(const struct comm *, int rank); /* of a rank among the peers */
int comm_peer_of_world(const struct comm *, rank_t);   /* rank among the peers, -1: none */

/* Groups as values. */
struct group *group_new(int size);
struct group *group_copy(const struct group *); /* NULL of NULL */
int group_index(const struct group *, rank_t);  /* -1: not a member */
int group_compare(const struct group *, const struct group *); /* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL */
const struct group *group_find(MPI_Group);      /* NULL: not a group */
MPI_Group group_handle(struct group *);         /* takes it; a new user handle (MPI_GROUP_EMPTY for none) */

/*
 * A number that names a communicator, the same in every member, since each can
 * compute it alone: from the parent, the turn in which it was made, and a salt
 * that tells apart what one turn makes (colours of a split).  Salts from
 * CONTEXT_SALTS on are for contexts that no turn of the parent makes.
 */
#define CONTEXT_SALTS (UINT64_C(1) << 32)
context_t context_derive(context_t parent, uint64_t turn, uint64_t salt);

/* Of the communicator that the members of a group, and nobody else, are about to split off. */
context_t context_of_group(const struct comm *old, const struct group *, int tag);

/* The same of one that has no communicator before it: what its members have agreed on beforehand is in `base`. */
context_t context_of_members(context_t base, const struct group *);

/* Tells tourney who is in a context (OP_CONTEXT); `second` may be NULL. */
void context_announce(context_t, context_t parent, const struct group *first, const struct group *second);

/* One that stands for a communicator goes by its name in reports.  It will not be used again by this rank. */
void context_announce_name(context_t, const struct comm *);
void context_leave(context_t);

/*
 * Backing handles for new communicators, with the old one's error handler: a
 * bare one, or a duplicate that runs the user's attribute copy callbacks (`info`
 * NULL: with the hints of the old one).  Errors come back raised.
 */
int comm_back(const struct comm *old, MPI_Comm *handle);
int comm_back_like(const struct comm *old, const MPI_Info *info, MPI_Comm *handle);

/* Tells tourney the name of a communicator.  In `virtual`. */
void comm_announce_name(const struct comm *, const char *name);

/* A new communicator, announced to tourney.  Takes the groups and the handle. */
struct comm *comm_new(const struct comm *parent, context_t, struct group *local, struct group *remote, MPI_Comm handle);

#endif
