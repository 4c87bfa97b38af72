/*
 * keeper_link -- sending to the keepers of a window and hearing from them (call/window.h).
 */
#ifndef SHIM_WINDOW_KEEPER_LINK_H
#define SHIM_WINDOW_KEEPER_LINK_H

#include "shim/request.h"
#include "shim/window/window.h"

/* A body of one or two parts; its operation is sent without anybody waiting for it. */
struct keeper_mail {
    rank_t to;
    int32_t tag;
    uint32_t flags;                 /* OPF_CALM ... */
    rank_t after;                   /* with OPF_AFTER */
    uint64_t ticket;                /* of shown_lock.h or shown_memory.h */
    uint64_t payload;               /* room in the arena for the body; 0: where it fits */
    uint32_t overtakes;             /* as in struct op */
    const struct access_note *note; /* the call that made it; NULL: this one */
    const void *head, *rest;
    size_t head_bytes, rest_bytes;
};
void keeper_send(const struct keeper_mail *);

/* Tells the memory of this rank's own part something calm. */
void keeper_tell(const struct window *, struct window_message, const void *rest, size_t bytes);

/*
 * Sends something of at most WIRE_INLINE bytes, and waits as a standard send does (M7), or, OPF_SYNCHRONOUS, until it
 * is received. OPF_AFTER: not before what was sent there earlier.  One with a ticket that was granted does not wait.
 */
struct waiting_mail {
    rank_t to;
    int32_t tag;
    uint32_t mode;
    uint64_t ticket;
    const void *body;
    size_t bytes;
};
void keeper_send_waiting(const struct window *, const struct waiting_mail *);

/* Says what the lock of a member is not asked for. */
void keeper_remark(const struct window *, int member, enum window_tenure);

/* A receive on the context of keepers, for something of this communicator; `finish` takes it. */
struct request *keeper_receive(struct comm *, rank_t from, int32_t tag, uint64_t room,
                               void (*finish)(struct request *, const struct completion *));

/*
 * The answer to accesses of this rank that is to come from the memory of a target.  Its request is the program's if
 * that has the handle, and deleted with it; else keeper_hear deletes it.
 */
struct reply {
    struct window *window;
    int member;
    struct reply *next, *before; /* among those awaited at its member */
    const void *heard_by;        /* a call that waits for it already */
    struct request *request;
    struct message_text accesses; /* what it answers; its text is no more */
};

/*
 * How accesses are sent: `counted` ones are told to the target by other means, and answered only if they have results,
 * or if nobody but the target knows which memory is there.
 */
struct access_way {
    bool counted;
    bool held; /* until the keeper `after` has received what this rank sent to it before, */
    bool shared; /* or, of that, what was for shared locks */
    rank_t after;
};

/*
 * Sends accesses, which are taken, to the memory of a member, as one message.  The answer that is to come, if there is one, is among those
 * awaited there.
 */
void keeper_access(struct window *, int member, int32_t tag, struct message_text *, struct access_way);

/* Shows a member the accesses that wait for a fence, which brings them to its memory; from now on nobody comes to the memory before they do. */
struct window_fence;
void keeper_show_counted(struct window *, int member, const struct window_fence *);

/* Whether some are awaited to accesses that change what is there. */
bool keeper_awaits_writes(const struct window *, int member);

/* Waits for answers that were awaited at this member, or (-1) at all: those with results, or all. */
void keeper_hear(struct window *, int member, bool results_only);

/* False: nobody has changed the memory of this rank since it last asked, as far as it may know. */
bool keeper_may_have_news(const struct window *);
bool keeper_may_have_counted_news(const struct window *); /* besides what members send each other in a fence */

/* Tells the memory of a member what this rank has stored there (WINDOW_EXCHANGE), and wants no answer. */
void keeper_publish(struct window *, int member, const struct message_text *);

/*
 * An exchange that is answered with what others have changed, once so many accesses that count are there; `take` gets that.  Several are begun before they are
 * heard, so that the rank sleeps once for all of them.
 */
typedef void keeper_take(struct window *, int member, const struct window_answer *, void *data);
struct keeper_exchange {
    struct window *window;
    int member;
    keeper_take *take;
    void *data;
    struct request *request; /* owned, from keeper_exchange_begin to keeper_exchanges_hear */
};
void keeper_exchange_begin(struct keeper_exchange *, const struct message_text *, uint64_t expected);
void keeper_exchanges_hear(struct keeper_exchange *const *, uint32_t n);

#endif
