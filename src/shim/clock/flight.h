/*
 * flight -- messages on their way in the real library.
 *
 * Every message goes on the shadow of its communicator: a header and the bytes (parcel.h).
 * Whoever receives it, by whatever receive, has its header, too, so nothing can be paired
 * wrongly ([Vo 2011], Figs. 2.14 and 2.15).
 */
#ifndef SHIM_CLOCK_FLIGHT_H
#define SHIM_CLOCK_FLIGHT_H

#include "shim/clock/block.h"
#include "shim/clock/choices.h"
#include "shim/clock/late_messages.h"
#include "shim/comm.h"

enum flight_kind { FLIGHT_SEND, FLIGHT_RECV, FLIGHT_TAKEN, FLIGHT_COLL, FLIGHT_DONE /* it needs nobody (D7) */ };

struct flight {
    enum flight_kind kind;
    uint32_t number;     /* of the request; 0: nobody will ask */
    uint64_t op;
    bool blocking, synchronous;
    bool cancelling;     /* the user has tried */
    bool given_up;       /* it was cancelled, and the library has never heard of it */
    enum cancel_outcome outcome; /* as it was decided */
    bool matched_told;   /* the synchronous sender knows */
    MPI_Request request; /* MPI_REQUEST_NULL: not begun */
    struct comm *comm;   /* held; FLIGHT_DONE: none */
    struct header *block; /* owned; the bytes behind it, unless they are */
    void *lent;          /* in memory of the program's */
    uint64_t bytes;      /* of the message, or room for it */
    rank_t peer;
    int32_t tag;
    uint32_t mode;       /* of a send: OPF_SYNCHRONOUS ... */
    uint64_t posted;     /* clock */
    struct wildcard *wildcard; /* borrowed */
    struct numbered_choice choice;      /* of the wildcard */
    void *state;         /* FLIGHT_COLL: collective_call.c; and what to do when the library's part of it is complete: */
    void (*finish)(struct flight *, uint64_t by);
    struct flight *next, **link; /* the list that it is in */
};

struct flight *flight_new(enum flight_kind, const struct op *, uint64_t op);
/* One that is over before anybody can ask for it; it holds nothing. */
void flight_init(struct flight *, enum flight_kind, const struct op *, uint64_t op);
struct flight *flight_find(uint32_t number);
bool flights_collective_on(const struct comm *);
void flight_drop(struct flight *);

/* Freed by the user, to be delivered some time. */
void flight_orphan(struct flight *);
/* A buffered send that the user was told to be complete, by operation `by`. */
void flight_let_go(struct flight *, uint64_t by);

/*
 * It will be cancelled in time, and is not given to the library: whatever it meets there could not be taken back.
 * If the rank does not do what it was taken to do, the library gets it after all.
 */
void flight_withhold(struct flight *);
/* Now it is. */
void flight_give_up(struct flight *);

/* Whether it is complete, whatever the library says. */
static inline bool flight_is_there(const struct flight *f)
{
    return f->kind == FLIGHT_TAKEN || f->kind == FLIGHT_DONE || f->given_up;
}

/* Gives it to the library. */
void flight_send(struct flight *);
void flight_recv(struct flight *);

/* Gives it to the library and waits, where nothing else can need attention. */
void flight_send_now(struct flight *, int *error);
void flight_recv_now(struct flight *, MPI_Status *, int *error);

/* What a matched probe has taken, of so many bytes: it is received at once, and the program is told when it asks. */
struct flight *flight_taken(const struct op *, uint64_t op, uint64_t bytes, MPI_Message *);
/* It has arrived as this, at this clock. */
void flight_is_taken(struct flight *, const struct arrival *, uint64_t clock);

/* The header of what has come; NULL: there is none. */
const struct header *flight_header(const struct flight *);

/* Whether anybody could wait for an answer of this rank while it waits for something else. */
bool flights_need_service(const struct flight *except);
/* Or anything is on its way that nobody waits for. */
bool flights_need_anything(void);
/* Answers them; and completes what nobody asks for any more. */
void flights_serve(void);
bool flights_have_orphans(void);
/* The next orphan that is complete; its status. */
struct flight *flights_next_orphan(MPI_Status *, int *error);

/* Waits by looking again and again, and serves others meanwhile. */
void flight_wait(MPI_Request *, MPI_Status *, int *error);
void flights_pause(unsigned *round); /* between two looks */

/* It is complete; `by` is the operation that waited.  Writes it down, with all that follows for clocks. */
struct arrived {
    rank_t source;
    int32_t tag;
    uint64_t bytes; /* more than there was room for: some more */
    bool cancelled;
};
struct arrived flight_complete(struct flight *, MPI_Status *, int error, uint64_t by);

/* At MPI_Finalize: what is still on its way is left to the library. */
void flights_close(void);

#endif
