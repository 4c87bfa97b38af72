#include "shim/file/shared_pointer.h"

#include <stdlib.h>
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/refusal.h"
#include "shim/virtual/coll.h"
#include "shim/window/keeper_link.h"
#include "shim/window/slots.h"

enum { FILE_SLOTS = 16 }; /* said in words, too: files leave the others to windows */

static bool is_alone(const struct comm *comm)
{
    return comm->local->size == 1;
}

void shared_pointer_open(struct shared_pointer *pointer, const struct comm *comm, const uint64_t *used)
{
    uint64_t taken = 0;
    *pointer = (struct shared_pointer){.slot = SLOT_NONE};
    if (is_alone(comm))
        return;
    for (int i = 0; i < comm->local->size; i++)
        taken |= used[i];
    uint64_t free_slots = ~taken & ((UINT64_C(1) << FILE_SLOTS) - 1);
    if (!free_slots)
        return;
    pointer->slot = (uint32_t)__builtin_ctzll(free_slots);
    slots_take(pointer->slot);
}

void shared_pointer_close(const struct shared_pointer *pointer)
{
    if (pointer->slot != SLOT_NONE)
        slots_leave(pointer->slot);
}

static void take_position(struct request *r, const struct completion *c)
{
    memcpy(r->state, arena_at(c->payload), sizeof(int64_t));
}

/* The keeper is that of the first member, who is one of every open file that has the slot there. */
static int64_t ask_pointer_keeper(const struct shared_pointer *pointer, struct comm *comm, int64_t by)
{
    struct file_pointer_message wish = {
        .file = comm->context, .period = pointer->period, .start = pointer->start, .by = by};
    rank_t keeper = window_memory_keeper(shim.size, pointer->slot, comm->local->rank[0]);
    int64_t at = 0;
    keeper_send(&(struct keeper_mail){.to = keeper,
                                      .tag = window_tag(WINDOW_POINTER, file_pointer_class(&wish)),
                                      .flags = OPF_ASKS,
                                      .head = &wish,
                                      .head_bytes = sizeof wish});
    struct request *r = keeper_receive(comm, keeper, WINDOW_POINTER_ANSWER, sizeof at, take_position);
    r->state = &at;
    complete_all(&r, 1);
    request_delete(r);
    return at;
}

MPI_Offset shared_pointer_move(struct shared_pointer *pointer, struct comm *comm, int64_t by)
{
    MPI_Offset at = pointer->start;
    if (is_alone(comm)) {
        pointer->start += by;
        return at;
    }
    if (pointer->slot == SLOT_NONE)
        refuse_because("with more than 16 files open at a time");
    pointer->moved |= by != 0;
    return ask_pointer_keeper(pointer, comm, by);
}

void shared_pointer_set(struct shared_pointer *pointer, MPI_Offset at)
{
    pointer->start = at;
    pointer->moved = false;
    pointer->period++;
}

/* One member asks for all. */
void shared_pointer_settle(struct shared_pointer *pointer, struct comm *comm, bool moved)
{
    if (!moved)
        return;
    size_t bytes = (size_t)comm_members(comm) * sizeof(int64_t);
    int64_t mine = comm->rank == 0 ? ask_pointer_keeper(pointer, comm, 0) : 0;
    int64_t *all = memset(shim_alloc(bytes), 0, bytes);
    coll_exchange(comm, &mine, sizeof mine, all);
    shared_pointer_set(pointer, all[0]);
    free(all);
}
