/*
 * request -- what is pending.
 *
 * Every communication is a request, the blocking ones too: the user only never
 * sees their handle.  What is done with them is in bodies/requests.h.
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
    bool partitioned;      /* of MPI_Psend_init or MPI_Precv_init: it is neither cancelled nor freed while it is active */
    bool started;          /* a persistent one, ever */
    bool cancelled;        /* the user has tried */
    const void *waited;    /* of a persistent one: where it was waited for before it was ever started */
    enum call waited_in;   /* the call in which it was waited for there */
    bool active;           /* from posting until a completion call has returned it */
    bool complete;         /* nothing needs to happen any more */
    bool known;            /* tourney has it pending: a completion call must name it */
    bool settled;          /* it was done, and became known so that it can be chosen (D7): there is nothing to deliver */
    bool deniable;         /* the same; but a test may say no until it has said yes (W20) */
    bool orphan;           /* freed by the user while active */
    bool silent;           /* what it delivers says nothing of what others did (private_copies.h) */
    bool awaited;          /* by a thread that lets others in meanwhile */
    bool in_collective;    /* that of a blocking one, while which no other may begin on the communicator */
    bool sure;             /* where threads take turns: it needs nobody else, as things are, but that is asked (turns.h) */
    bool in_call;          /* of a blocking call that is guarded, since other threads go on meanwhile */
    bool alone;            /* posted with OPF_BLOCKING: nothing else can happen in this rank */
    int index;             /* in the list of the completion call being served */
    struct request *half;  /* owned; the send of MPI_Isendrecv, without which it is not done; or NULL.  May have one itself */
    struct request *also;  /* of one-sided operations: the handle is the program's, the buffers are lent by this one, and each
                              knows the other; NULL: there is none */
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
    void (*asked)(struct request *, bool awaited); /* a completion call names an active one; `awaited`: and returns only when it is done */
    void (*released)(struct request *);            /* a persistent one was returned to the user: it is inactive */
    void *state;
    int guarded;           /* so many buffers of it guard.h knows */
    bool checked;          /* guard.h has looked at its buffers once more */
};

#endif
