/*
 * entry -- what happens around every MPI call of the program.
 *
 * The generated wrappers use this and nothing else: they ask whether the real
 * library is calling itself, open an entry, bring the arguments into the form
 * of the body, run the body and close the entry.  Entries nest: callbacks that
 * a body runs (copy functions, error handlers, operators) may call MPI.
 */
#ifndef SHIM_BODIES_ENTRY_H
#define SHIM_BODIES_ENTRY_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "call/calls.h"

struct entry {
    enum call call;
    const void *place;    /* return address of the call */
    struct entry *outer;  /* the entry in which this one happens, or NULL */
    void *scratch;        /* owned; released by entry_end */
};

/* Whether the code at this address is the MPI library, not the program. */
bool entry_is_internal(const void *place);

void entry_begin(struct entry *entry, enum call call, const void *place);
void entry_end(struct entry *entry);

/* Whether this thread is in a call. */
bool entry_is_open(void);

/* Stops the run: this call is not taken over. */
_Noreturn void entry_refuse(enum call call, const void *place);
/* One that the library of this process does not have. */
_Noreturn void entry_miss(enum call call, const void *place);

/*
 * Ends the entry of a call that has a null pointer for the parameter of this name: raises the error on `comm`, or, that
 * being none, on MPI_COMM_WORLD, and returns what the call returns.  Open MPI has this class for it, MPICH MPI_ERR_ARG.
 */
int entry_null(struct entry *entry, MPI_Comm comm, int error_class, const char *parameter);

/* Lets other threads of this rank make their calls for a moment. */
void entry_yield(void);

/* The same by halves: others have the turn between them (turns.h).  And what is posted is this thread's call again. */
void entry_let_others_in(void);
void entry_come_back(void);
void entry_resume_call(void);

/* Memory until entry_end.  Never NULL. */
void *entry_scratch(struct entry *entry, size_t bytes);

/* How long a count or displacement array of a collective is. */
enum array_extent {
    ARRAY_PEERS,         /* the group, or the remote group of an intercommunicator */
    ARRAY_PEERS_AT_ROOT, /* the same at the root, elsewhere 0 */
    ARRAY_MEMBERS,       /* the local group */
    ARRAY_IN_NEIGHBOURS, /* those that send to this rank */
    ARRAY_OUT_NEIGHBOURS /* those that this rank sends to */
};

/* Never negative; 0 if `comm` is not a communicator: the body will complain. */
int entry_array_length(MPI_Comm comm, enum array_extent which, int root);

/* Wide copies in scratch; NULL if there is nothing to copy. */
static inline const MPI_Count *entry_counts(struct entry *entry, const int *counts, int length)
{
    if (!counts || length <= 0)
        return NULL;
    MPI_Count *wide = entry_scratch(entry, (size_t)length * sizeof *wide);
    for (int i = 0; i < length; i++)
        wide[i] = counts[i];
    return wide;
}

static inline const MPI_Aint *entry_displs(struct entry *entry, const int *displs, int length)
{
    if (!displs || length <= 0)
        return NULL;
    MPI_Aint *wide = entry_scratch(entry, (size_t)length * sizeof *wide);
    for (int i = 0; i < length; i++)
        wide[i] = displs[i];
    return wide;
}

#endif
