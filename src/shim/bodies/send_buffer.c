#include "shim/bodies/send_buffer.h"

#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/core/module.h"

static struct {
    void *start;
    MPI_Count size;
    const void *place; /* where it was attached */
} attached;

/* Messages that may be in it, in the order in which they were sent. */
static struct {
    struct message {
        struct request *send;     /* owned; NULL: it is over */
        const struct request *of; /* what the program knows of it, as long as that is active */
        uint64_t bytes;
    } *at; /* owned */
    size_t first, n, room;
    uint64_t bytes; /* of all */
} pending;

enum { MOST_BEYOND_SIZE = 64 }; /* messages that are kept though the buffer has no room for all of them */

static uint64_t room_with_overhead(uint64_t bytes)
{
    return bytes + MPI_BSEND_OVERHEAD;
}

/* A message that can never fit is an error (M6). */
int send_buffer_check(const struct comm *comm, uint64_t bytes)
{
    if (attached.start && room_with_overhead(bytes) <= (uint64_t)attached.size)
        return MPI_SUCCESS;
    return attached.start ? error_raise_for(comm, MPI_ERR_BUFFER, COMPLAINT_NONE, "the attached buffer is too small")
                          : error_raise_for(comm, MPI_ERR_BUFFER, COMPLAINT_NONE, "no buffer is attached");
}

void send_buffer_tell_attached(void)
{
    if (attached.start && module_kind_at(attached.place) == MODULE_PROGRAM)
        complain_at(COMPLAINT_BUFFER_NOT_DETACHED, CALL_Buffer_attach, attached.place, 1,
                    "the buffer that MPI_Buffer_attach got is not detached");
}

/* NULL: it is over. */
static struct request *take_first_pending(void)
{
    struct message *m = &pending.at[pending.first++];
    pending.n--;
    pending.bytes -= m->bytes;
    return m->send;
}

static void make_place(void)
{
    if (pending.first + pending.n < pending.room)
        return;
    if (pending.first <= pending.n) {
        pending.room = pending.room ? 2 * pending.room : 16;
        pending.at = shim_realloc(pending.at, pending.room * sizeof *pending.at);
    }
    memmove(pending.at, pending.at + pending.first, pending.n * sizeof *pending.at);
    pending.first = 0;
}

/*
 * Whether there is room is looked at where it is known who has received what (check/buffer_room.h); a buffered send never waits.
 * MPI_Buffer_detach waits for all that may lie here.  What many that came later leave no room for is taken to have left.
 */
void send_buffer_keep(struct request *send, const struct request *of, uint64_t bytes)
{
    make_place();
    pending.at[pending.first + pending.n++] = (struct message){send, of, room_with_overhead(bytes)};
    pending.bytes += room_with_overhead(bytes);
    while (pending.bytes > (uint64_t)attached.size && pending.n > MOST_BEYOND_SIZE) {
        struct request *gone = take_first_pending();
        if (gone)
            request_forget(gone);
    }
}

/* The latest that a request has sent, for it may be persistent; NULL: that has left the buffer. */
static struct message *message_of_request(const struct request *r)
{
    for (size_t i = pending.first + pending.n; i-- > pending.first;)
        if (pending.at[i].of == r)
            return pending.at[i].send ? &pending.at[i] : NULL;
    return NULL;
}

/* Who cancels never has to wait, whatever becomes of the message, so it can be asked at once. */
void send_buffer_cancel(struct request *r)
{
    struct message *m = message_of_request(r);
    if (!m)
        return;
    request_cancel(m->send);
    complete_all(&m->send, 1);
    r->status = m->send->status;
    request_delete(m->send);
    m->send = NULL;
    pending.bytes -= m->bytes;
    m->bytes = 0;
}

static void tell_attached(MPI_Count size)
{
    struct op op = {.kind = OP_ATTACHED, .flags = OPF_WENT_ON, .room = (uint64_t)size, .overhead = MPI_BSEND_OVERHEAD};
    channel_post(&op, NULL, 0);
}

int body_Buffer_attach(void *buffer, MPI_Count size)
{
    if (!buffer && size > 0)
        return error_argument(NULL, MPI_ERR_ARG, "the buffer is a null pointer");
    if (attached.start)
        return error_raise_for(NULL, MPI_ERR_BUFFER, COMPLAINT_INVALID_ARGUMENT, "a buffer is attached already");
    attached.start = buffer;
    attached.place = shim.place;
    attached.size = size;
    tell_attached(size);
    return MPI_SUCCESS;
}

static void wait_for_all(void)
{
    enum { MOST = 256 };
    struct request *send[MOST];
    while (pending.n) {
        int n = 0;
        while (pending.n && n < MOST) {
            send[n] = take_first_pending();
            n += send[n] != NULL;
        }
        complete_all(send, n);
        for (int i = 0; i < n; i++)
            request_delete(send[i]);
    }
    pending.first = 0;
}

/* Also if there is none (D4). */
int body_Buffer_detach(void *buffer, MPI_Count *size)
{
    if (!buffer)
        return error_argument(NULL, MPI_ERR_ARG, "there is no place for the address of the buffer");
    wait_for_all();
    *(void **)buffer = attached.start;
    *size = attached.size;
    if (attached.start)
        tell_attached(0);
    attached.start = NULL;
    attached.size = 0;
    attached.place = NULL;
    return MPI_SUCCESS;
}
