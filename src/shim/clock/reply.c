#include "shim/clock/reply.h"

#include "shim/bodies/completion.h"
#include "shim/clock/posting.h"

static struct {
    struct header **block; /* owned */
    size_t n, room;
} delivered;

static struct {
    struct answer answer;
    struct completion *completion; /* owned */
    size_t room;
} reply;

void reply_forget_delivered(void)
{
    while (delivered.n)
        block_free(delivered.block[--delivered.n]);
}

static void keep_delivered(struct header *block)
{
    if (delivered.n == delivered.room) {
        delivered.room = delivered.room ? 2 * delivered.room : 16;
        delivered.block = shim_realloc(delivered.block, delivered.room * sizeof *delivered.block);
    }
    delivered.block[delivered.n++] = block;
}

struct answer *reply_begin(void)
{
    reply.answer = (struct answer){.kind = ANSWER_GO};
    return &reply.answer;
}

void reply_add(struct completion c)
{
    if (reply.answer.completions == reply.room) {
        reply.room = reply.room ? 2 * reply.room : 16;
        reply.completion = shim_realloc(reply.completion, reply.room * sizeof *reply.completion);
    }
    reply.completion[reply.answer.completions++] = c;
}

const struct completion *answer_completions(const struct answer *answer)
{
    (void)answer;
    return reply.completion;
}

void reply_finish(struct flight *f, MPI_Status *status, int error)
{
    struct completion c = {.request = f->number, .source = RANK_NONE};
    if (f->kind == FLIGHT_COLL) {
        f->finish(f, posting.index);
    } else {
        struct arrived a = flight_complete(f, status, error, f->blocking ? f->op : posting.index);
        c.source = a.source;
        c.tag = a.tag;
        c.bytes = a.bytes;
        c.flags = a.cancelled ? COMPLETION_CANCELLED : 0;
        c.payload = f->block ? (uintptr_t)block_payload(f->block) : 0;
    }
    if (f->block)
        keep_delivered(f->block);
    f->block = NULL;
    reply_add(c);
    flight_drop(f);
}

void reply_finish_orphans(void)
{
    MPI_Status status;
    int error;
    for (struct flight *f; (f = flights_next_orphan(&status, &error));)
        reply_finish(f, &status, error);
}

/*
 * MPI does not say when a freed receive is complete; but libraries have what came before something that the rank
 * has heard of by then, if they are asked.
 */
void reply_hand_over_freed(void)
{
    enum { TRIES = 16 };
    reply_begin();
    for (int i = 0; i < TRIES && flights_have_orphans(); i++)
        reply_finish_orphans();
    completions_take(&reply.answer);
}

void reply_wait_for(struct flight *f)
{
    MPI_Status status;
    int error = MPI_SUCCESS;
    if (flight_is_there(f))
        ;
    else if (flights_need_service(f))
        flight_wait(&f->request, &status, &error);
    else
        error = real.Wait(&f->request, &status);
    reply_finish(f, &status, error);
}
