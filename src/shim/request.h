/*
 * request -- what is pending.
 *
 * Every communication is a request, the blocking ones too: the user only never
 * sees their handle.  complete.c is how they end.
 */
#ifndef SHIM_REQUEST_H
#define SHIM_REQUEST_H

#include "shim/comm.h"
#include "shim/shim.h"

struct request;

/* A buffer of an operation: `filled`, or only read. */
typedef void request_buffer(struct request *, void *buf, MPI_Count, MPI_Datatype, bool filled);

struct request {
    MPI_Request handle;    /* the real one that backs it; MPI_REQUEST_NULL: it did not need one yet */
    bool visible;          /* the user has the handle */
    uint32_t number;       /* as tourney knows it */
    enum call call;        /* which made it */
    const void *made;      /* and where, if the user has the handle */
    bool persistent;
    bool started;          /* a persistent one, ever */
    bool cancelled;        /* the user has tried */
    const void *waited;    /* of a persistent one: where it was waited for before it was ever started */
    enum call waited_in;   /* the call in which it was waited for there */
    bool active;           /* from posting until a completion call has returned it */
    bool complete;         /* nothing needs to happen any more */
    bool known;            /* tourney has it pending: a completion call must name it */
    bool settled;          /* it was done, and became known so that it can be chosen (D7): there is nothing to deliver */
    bool orphan;           /* freed by the user while active */
    bool alone;            /* posted with OPF_BLOCKING: nothing else can happen in this rank */
    int index;             /* in the list of the completion call being served */
    struct request *half;  /* owned; the send of MPI_Isendrecv, without which it is not done; or NULL */
    struct comm *comm;     /* held */
    int error;             /* outcome: MPI_SUCCESS or an error class */
    MPI_Status status;     /* outcome */

    /* Point to point: the buffer, and what a persistent one does when started. */
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype; /* held */
    int peer, tag;
    uint32_t mode;         /* OPF_SYNCHRONOUS ... */
    MPI_Request sent;      /* of a message that was taken: what is behind the user's handle (message.h) */
    bool apart;            /* the buffer can be used by others before it is complete */
    bool lent;             /* of a receive: the buffer is filled by somebody else, some time before it is complete */

    /*
     * What kind of request it is.  `start` posts a persistent one (again);
     * `finish` takes what tourney delivers; `discard` frees `state`.  NULL:
     * nothing to do.  `buffers` shows those that the user lent.
     */
    int (*start)(struct request *);
    void (*finish)(struct request *, const struct completion *);
    void (*discard)(struct request *);
    void (*buffers)(struct request *, request_buffer *);
    void *state;
    bool guarded;          /* guard.h knows it */
    bool checked;          /* guard.h has looked at its buffers once more */
};

void request_tell_leaks(void); /* at MPI_Finalize */

/* A persistent one that was never started is waited for, or it is started after all: for those who stay in a deadlock. */
void request_tell_unstarted(const struct request *, bool waited);
void request_close(void);

/* A new inactive request of the current call; holds the communicator. */
struct request *request_new(struct comm *);
MPI_Request request_handle(struct request *); /* gives it a handle at first */
struct request *request_find(MPI_Request);    /* NULL: MPI_REQUEST_NULL, or the real library's own */
bool request_is_stale(MPI_Request);           /* a copy of a handle whose request is over */
struct request *request_by_number(uint32_t);
void request_delete(struct request *);
uint32_t request_next_number(void);           /* of the next one that is made */

/*
 * It is posted, or about to be.  `complete`: it needs nothing any more, such as
 * a buffered send or anything with MPI_PROC_NULL.
 */
void request_activate(struct request *, bool known, bool complete);

/* An active one is complete, its half included, and tourney has been told so. */
bool request_is_done(const struct request *);

/* Tells tourney of one that is done, as something that calls which choose may name or not (D7). */
void request_settle(struct request *);

/* What tourney answered for it. */
void request_deliver(struct request *, const struct completion *);

/* Nobody will ask for this active send: it may go on by itself. */
void request_forget(struct request *);

/* An active one is withdrawn, if that comes in time; completing it tells. */
void request_cancel(struct request *);

/* An active complete request has been returned to the user: it is over, or inactive again. */
void request_release(struct request *);

/*
 * For blocking calls: what to post with the operation that this request is, given
 * that it is not complete at once.  OPF_BLOCKING, and tourney waits for it; or
 * nothing, if other threads must not be kept out meanwhile.
 */
uint32_t request_blocking_flag(struct request *);
/* Waits until it is complete and deletes it; the outcome, through the communicator's error handler. */
int request_finish_blocking(struct request *, MPI_Status *);

void status_empty(MPI_Status *);
void status_null_peer(MPI_Status *);
void status_set(MPI_Status *, int source, int tag, uint64_t bytes, bool cancelled);
void status_tell(MPI_Status *, int source, int tag, uint64_t bytes); /* or MPI_STATUS_IGNORE; MPI_ERROR stays */
void status_copy(MPI_Status *to, const MPI_Status *from); /* `to` may be MPI_STATUS_IGNORE; MPI_ERROR stays */

#endif
