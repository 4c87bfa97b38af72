#include "shim/bodies/send_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "call/sound.h"
#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/core/module.h"
#include "shim/core/refusal.h"
#include "shim/library/library.h"

/* A message that may be in a buffer. */
struct message {
    struct request *send;     /* owned; NULL: it is over, or belongs to a flush */
    const struct request *of; /* what the program knows of it, as long as that is active */
    uint64_t bytes;
};

struct send_buffer {
    struct comm *comm; /* held: whose it is; NULL: that of the process, or */
    uint64_t session;  /* of this session; 0: it is of none */
    uint32_t number;   /* as tourney knows it */
    void *start;       /* NULL: none is attached */
    MPI_Count size;
    bool automatic;    /* the library takes as much room as there has to be */
    const void *place; /* where it was attached */
    struct {
        struct message *at; /* owned; in the order in which they were sent */
        size_t first, n, room;
        uint64_t bytes; /* of all */
    } pending;
    struct request *flush;    /* borrowed, as is what is behind: requests of flushes that are not over (struct flush) */
    struct send_buffer *next; /* that of another communicator or session */
};

/* The state of a request that is complete when all its parts are, which are messages. */
struct flush {
    struct send_buffer *buffer;
    size_t parts;
    struct request *next;
};

static struct send_buffer of_process, *of_others;

enum { MOST_BEYOND_SIZE = 64 }; /* messages that are kept though the buffer has no room for all of them */

/* The one that was attached to this communicator, or NULL. */
static struct send_buffer *buffer_of_comm(const struct comm *comm)
{
    struct send_buffer *b = of_others;
    while (b && b->comm != comm) /* which is not NULL */
        b = b->next;
    return b;
}

static struct send_buffer *buffer_of_session(uint64_t session)
{
    struct send_buffer *b = of_others;
    while (b && b->session != session)
        b = b->next;
    return b;
}

/* Where messages on it are copied to: its own, that of the session it comes from, or that of the process, the first that is attached. */
static struct send_buffer *buffer_for(const struct comm *comm)
{
    struct send_buffer *b = buffer_of_comm(comm);
    if (!(b && b->start) && comm->local->session)
        b = buffer_of_session(comm->local->session);
    return b && b->start ? b : &of_process;
}

uint32_t send_buffer_number(const struct comm *comm)
{
    return buffer_for(comm)->number;
}

static uint64_t room_with_overhead(uint64_t bytes)
{
    return bytes + MPI_BSEND_OVERHEAD;
}

/* A message that can never fit is an error (M6). */
int send_buffer_check(const struct comm *comm, uint64_t bytes)
{
    const struct send_buffer *b = buffer_for(comm);
    if (b->start && (b->automatic || room_with_overhead(bytes) <= (uint64_t)b->size))
        return MPI_SUCCESS;
    return b->start ? error_raise_for(comm, MPI_ERR_BUFFER, COMPLAINT_NONE, "the attached buffer is too small")
                    : error_raise_for(comm, MPI_ERR_BUFFER, COMPLAINT_NONE, "no buffer is attached");
}

/* Those of communicators go with them. */
void send_buffer_tell_attached(void)
{
    if (of_process.start && !of_process.automatic && module_kind_at(of_process.place) == MODULE_PROGRAM)
        complain_at(COMPLAINT_BUFFER_NOT_DETACHED, CALL_Buffer_attach, of_process.place, 1,
                    "the buffer that MPI_Buffer_attach got is not detached");
}

/* NULL: it is over. */
static struct request *take_first_pending(struct send_buffer *b)
{
    struct message *m = &b->pending.at[b->pending.first++];
    b->pending.n--;
    b->pending.bytes -= m->bytes;
    return m->send;
}

static void make_place(struct send_buffer *b)
{
    if (b->pending.first + b->pending.n < b->pending.room)
        return;
    if (b->pending.first <= b->pending.n) {
        b->pending.room = b->pending.room ? 2 * b->pending.room : 16;
        b->pending.at = shim_realloc(b->pending.at, b->pending.room * sizeof *b->pending.at);
    }
    memmove(b->pending.at, b->pending.at + b->pending.first, b->pending.n * sizeof *b->pending.at);
    b->pending.first = 0;
}

/*
 * Whether there is room is looked at where it is known who has received what (check/buffer_room.h); a buffered send never waits.
 * MPI_Buffer_detach waits for all that may lie here.  What many that came later leave no room for is taken to have left.
 */
void send_buffer_keep(struct request *send, const struct request *of, uint64_t bytes)
{
    struct send_buffer *b = buffer_for(send->comm);
    make_place(b);
    b->pending.at[b->pending.first + b->pending.n++] = (struct message){send, of, room_with_overhead(bytes)};
    b->pending.bytes += room_with_overhead(bytes);
    while (!b->automatic && b->pending.bytes > (uint64_t)b->size && b->pending.n > MOST_BEYOND_SIZE) {
        struct request *gone = take_first_pending(b);
        if (gone)
            request_forget(gone);
    }
}

/* The latest that a request has sent, for it may be persistent; NULL: that has left the buffer, or is being flushed. */
static struct message *message_of_request(struct send_buffer *b, const struct request *r)
{
    for (size_t i = b->pending.first + b->pending.n; i-- > b->pending.first;)
        if (b->pending.at[i].of == r)
            return b->pending.at[i].send ? &b->pending.at[i] : NULL;
    return NULL;
}

/* Who cancels never has to wait, whatever becomes of the message, so it can be asked at once. */
void send_buffer_cancel(struct request *r)
{
    struct send_buffer *b = buffer_for(r->comm);
    struct message *m = message_of_request(b, r);
    if (!m)
        return;
    request_cancel(m->send);
    complete_all(&m->send, 1);
    r->status = m->send->status;
    request_delete(m->send);
    m->send = NULL;
    b->pending.bytes -= m->bytes;
    m->bytes = 0;
}

static void tell_attached(const struct send_buffer *b)
{
    struct op op = {.kind = OP_ATTACHED,
                    .flags = OPF_WENT_ON,
                    .buffer = b->number,
                    .room = b->automatic ? UINT64_MAX : (uint64_t)b->size,
                    .overhead = MPI_BSEND_OVERHEAD};
    channel_post(&op, NULL, 0);
}

static int attach(struct send_buffer *b, void *buffer, MPI_Count size)
{
    bool automatic = buffer && buffer == library_traits.automatic_buffer;
    if (!buffer && size > 0)
        return error_argument(b->comm, MPI_ERR_ARG, "the buffer is a null pointer");
    if (b->start)
        return error_raise_for(b->comm, MPI_ERR_BUFFER, COMPLAINT_INVALID_ARGUMENT, "a buffer is attached already");
    b->start = buffer;
    b->place = shim.place;
    b->size = automatic ? 0 : size;
    b->automatic = automatic;
    tell_attached(b);
    return MPI_SUCCESS;
}

/* Those that flushes have taken are theirs, also when they are over. */
static void wait_for_flushes(struct send_buffer *b)
{
    for (struct request *r = b->flush; r; r = ((struct flush *)r->state)->next)
        for (struct request *part = r->half; part; part = part->half)
            complete_all(&part, 1);
}

static void wait_for_messages(struct send_buffer *b)
{
    enum { MOST = 256 };
    struct request *send[MOST];
    wait_for_flushes(b);
    while (b->pending.n) {
        int n = 0;
        while (b->pending.n && n < MOST) {
            send[n] = take_first_pending(b);
            n += send[n] != NULL;
        }
        complete_all(send, n);
        for (int i = 0; i < n; i++)
            request_delete(send[i]);
    }
    b->pending.first = 0;
}

/* Also if there is none (D4). */
static int detach(struct send_buffer *b, void *buffer, MPI_Count *size)
{
    if (!buffer)
        return error_argument(b->comm, MPI_ERR_ARG, "there is no place for the address of the buffer");
    wait_for_messages(b);
    *(void **)buffer = b->start;
    *size = b->size;
    bool attached = b->start;
    b->start = NULL;
    b->size = 0;
    b->automatic = false;
    b->place = NULL;
    if (attached)
        tell_attached(b);
    return MPI_SUCCESS;
}

static void leave_flush(struct request *r)
{
    struct flush *flush = r->state;
    struct request **link = &flush->buffer->flush;
    while (*link != r)
        link = &((struct flush *)(*link)->state)->next;
    *link = flush->next;
    request_parts -= flush->parts;
    free(flush);
}

/* A request that has all messages as its parts: it is complete when they have left. */
static int begin_flush(struct send_buffer *b, struct comm *comm, MPI_Request *request)
{
    struct request *r = request_new(comm), **link = &r->half;
    struct flush *flush = shim_alloc(sizeof *flush);
    *flush = (struct flush){.buffer = b, .next = b->flush};
    r->state = flush;
    r->discard = leave_flush;
    b->flush = r;
    while (b->pending.n) {
        struct request *send = take_first_pending(b);
        if (!send)
            continue;
        *link = send;
        link = &send->half;
        flush->parts++;
    }
    request_parts += flush->parts;
    b->pending.first = 0;
    request_activate(r, false, true);
    *request = request_handle(r);
    return MPI_SUCCESS;
}

int body_Buffer_attach(void *buffer, MPI_Count size)
{
    return attach(&of_process, buffer, size);
}

int body_Buffer_detach(void *buffer, MPI_Count *size)
{
    return detach(&of_process, buffer, size);
}

int body_Buffer_flush(void)
{
    wait_for_messages(&of_process);
    return MPI_SUCCESS;
}

int body_Buffer_iflush(MPI_Request *request)
{
    return begin_flush(&of_process, comm_self(), request);
}

static struct send_buffer *add_send_buffer(struct comm *comm, uint64_t session)
{
    static uint32_t numbers;
    struct send_buffer *b = shim_alloc(sizeof *b);
    if (numbers + 1 >= OP_MOST_BUFFERS)
        refuse_because("for so many communicators and sessions");
    *b = (struct send_buffer){.comm = comm, .session = session, .number = ++numbers, .next = of_others};
    of_others = b;
    return b;
}

/* Made when first asked for; it stays, without room, when it is detached. */
static struct send_buffer *own_buffer_of_comm(struct comm *comm)
{
    struct send_buffer *b = buffer_of_comm(comm);
    if (b)
        return b;
    comm_hold(comm);
    return add_send_buffer(comm, 0);
}

static struct send_buffer *own_buffer_of_session(uint64_t session)
{
    struct send_buffer *b = buffer_of_session(session);
    return b ? b : add_send_buffer(NULL, session);
}

static int wrong_comm(MPI_Comm comm)
{
    return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
}

int body_Comm_attach_buffer(MPI_Comm comm, void *buffer, MPI_Count size)
{
    struct comm *c = comm_find(comm);
    return c ? attach(own_buffer_of_comm(c), buffer, size) : wrong_comm(comm);
}

int body_Comm_detach_buffer(MPI_Comm comm, void *buffer, MPI_Count *size)
{
    struct comm *c = comm_find(comm);
    return c ? detach(own_buffer_of_comm(c), buffer, size) : wrong_comm(comm);
}

int body_Comm_flush_buffer(MPI_Comm comm)
{
    struct comm *c = comm_find(comm);
    if (!c)
        return wrong_comm(comm);
    wait_for_messages(own_buffer_of_comm(c));
    return MPI_SUCCESS;
}

int body_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
    struct comm *c = comm_find(comm);
    return c ? begin_flush(own_buffer_of_comm(c), c, request) : wrong_comm(comm);
}

int send_buffer_attach_session(uint64_t session, void *buffer, MPI_Count size)
{
    return attach(own_buffer_of_session(session), buffer, size);
}

int send_buffer_detach_session(uint64_t session, void *buffer, MPI_Count *size)
{
    return detach(own_buffer_of_session(session), buffer, size);
}

void send_buffer_flush_session(uint64_t session)
{
    wait_for_messages(own_buffer_of_session(session));
}

int send_buffer_iflush_session(uint64_t session, MPI_Request *request)
{
    return begin_flush(own_buffer_of_session(session), comm_self(), request);
}

/* Its handle may be that of another one soon; what lies in the buffer goes its way. */
void send_buffer_leave_session(uint64_t session)
{
    struct send_buffer *b = buffer_of_session(session);
    if (b)
        b->session = 0;
}
