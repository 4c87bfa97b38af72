#include "shim/window/window_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/core/refusal.h"
#include "shim/library/maker.h"
#include "shim/objects/info_value.h"
#include "shim/objects/object.h"
#include "shim/virtual/coll.h"
#include "shim/virtual/window_locks.h"
#include "shim/window/epoch.h"
#include "shim/window/origin.h"
#include "shim/window/outbox.h"
#include "shim/window/private_copy.h"
#include "shim/window/remarks.h"
#include "shim/window/slots.h"
#include "shim/window/window_ask.h"

_Static_assert(WINDOW_SLOTS == 16384, "said in words, too");

/* Members with so many windows tell of all slots. */
static uint32_t choose_among_all_slots(struct comm *comm)
{
    enum { WORDS = WINDOW_SLOTS / 64 };
    int members = comm_members(comm);
    uint64_t mine[WORDS], *all = shim_alloc((size_t)members * sizeof mine);
    memset(all, 0, (size_t)members * sizeof mine);
    slots_used(mine, WORDS);
    coll_exchange(comm, mine, sizeof mine, all);
    uint64_t taken = UINT64_MAX;
    uint32_t word = 0;
    for (; word < WORDS && taken == UINT64_MAX; word++) {
        taken = 0;
        for (int i = 0; i < members; i++)
            taken |= all[(size_t)i * WORDS + word];
    }
    free(all);
    if (taken == UINT64_MAX)
        refuse_because("with more than 16384 windows and files open at a time");
    return 64 * (word - 1) + (uint32_t)__builtin_ctzll(~taken);
}

/* The lowest that is free at all members, who agree on the way to find it. */
static uint32_t choose_slot(struct comm *comm, const struct window_part *part)
{
    uint64_t taken = 0;
    for (int i = 0; i < comm_members(comm); i++)
        taken |= part[i].used;
    return ~taken ? (uint32_t)__builtin_ctzll(~taken) : choose_among_all_slots(comm);
}

static struct target *targets_of(const struct comm *comm, const struct window_part *part)
{
    struct target *target = shim_alloc((size_t)comm->local->size * sizeof *target);
    memset(target, 0, (size_t)comm->local->size * sizeof *target);
    for (int i = 0; i < comm->local->size; i++) {
        target[i].rank = comm->local->rank[i];
        target[i].bytes = part[i].bytes;
        target[i].unit = part[i].unit;
    }
    return target;
}

/* All members have said what they bring, in the last turn of the parent. */
static int window_new(struct comm *parent, const struct window_part *part, int flavour, MPI_Info info,
                      struct window **made)
{
    enum { SALT = 0x71d0 };
    MPI_Comm handle;
    uint32_t slot = choose_slot(parent, part);
    int error = comm_back(parent, &handle);
    if (error != MPI_SUCCESS)
        return error;
    struct window *w = shim_alloc(sizeof *w);
    *w = (struct window){.handle = MPI_WIN_NULL, .flavour = flavour};
    w->comm = comm_new(parent, context_derive(parent->context, parent->turns - 1, SALT), group_copy(parent->local),
                       NULL, handle);
    object_freed(OBJECT_COMM, HANDLE_KEY(handle)); /* never was the program's */
    w->same_operator = info_says(info, "accumulate_ops", "same_op");
    w->given_up = info_order_given_up(info);
    w->was_given_up = w->given_up != 0;
    w->slot = slot;
    w->target = targets_of(w->comm, part);
    w->shows_locks = window_lock_is_shown(slot, w->comm->local->rank, w->comm->local->size);
    window_enter(w);
    char name[MPI_MAX_OBJECT_NAME];
    snprintf(name, sizeof name, "window %u", w->slot);
    window_announce_name(w, name);
    *made = w;
    return MPI_SUCCESS;
}

static void window_delete(struct window *w)
{
    origin_return(w, -1);
    for (int i = 0; i < window_members(w); i++)
        outbox_release(&w->target[i]);
    while (w->copies)
        private_copy_remove(w, w->copies - 1);
    free(w->copy);
    free(w->target);
    if (w->block)
        real_must(Free_mem, w->block);
    window_leave(w);
    comm_drop(w->comm);
    free(w);
}

/*
 * The real window is one of this process alone, which has the same memory where that is possible: Fortran's bindings
 * ask the library for its attributes.
 */
static void back_window(struct window *w, MPI_Info info, MPI_Win *win)
{
    void *nowhere;
    bool apart = library_maker->allocates_windows_with_threads && shim.thread_level == MPI_THREAD_MULTIPLE;
    int error = apart ? real.Win_allocate(0, w->unit, info, shim.self, &nowhere, win)
                      : real.Win_create(w->base, w->size, w->unit, info, shim.self, win);
    if (error != MPI_SUCCESS)
        refuse_because("by the MPI library of a single process");
    w->handle = *win;
    object_made(OBJECT_WINDOW, HANDLE_KEY(*win));
}

static void open_memory(const struct window *w, const void *memory)
{
    bool dynamic = w->flavour == MPI_WIN_FLAVOR_DYNAMIC;
    struct window_message open = {
        .kind = WINDOW_OPEN, .flags = dynamic ? WINDOW_DYNAMIC : 0, .bytes = window_own_bytes(w)};
    keeper_tell(w, open, memory, window_own_bytes(w));
}

/* The same, with a public copy that all members reach (call/shown_memory.h). */
static void open_shown_memory(const struct window *w, const void *memory)
{
    struct window_message open = {.kind = WINDOW_OPEN, .flags = WINDOW_SHOWN, .bytes = window_own_bytes(w)};
    uint64_t mine = arena_room(sizeof open + open.bytes);
    uint64_t *all = shim_alloc((size_t)window_members(w) * sizeof *all);
    memset(all, 0, (size_t)window_members(w) * sizeof *all);
    keeper_send(&(struct keeper_mail){.to = window_memory_of(w, w->comm->rank),
                                      .tag = WINDOW_CALM,
                                      .flags = OPF_CALM,
                                      .payload = mine,
                                      .head = &open,
                                      .head_bytes = sizeof open,
                                      .rest = memory,
                                      .rest_bytes = open.bytes});
    coll_exchange(w->comm, &mine, sizeof mine, all);
    for (int i = 0; i < window_members(w); i++)
        w->target[i].shown = all[i] ? (char *)arena_at(all[i]) + sizeof open : NULL;
    free(all);
}

static bool shows_memory(const struct window *w)
{
    return w->shows_locks && (w->flavour == MPI_WIN_FLAVOR_CREATE || w->flavour == MPI_WIN_FLAVOR_ALLOCATE);
}

static int check_window_part(const struct comm *comm, MPI_Comm handle, MPI_Aint size, MPI_Aint disp_unit)
{
    if (!comm)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(handle));
    if (comm_is_inter(comm))
        return error_argument(comm, MPI_ERR_COMM, "the communicator is an intercommunicator");
    if (size < 0)
        return error_argument(comm, MPI_ERR_SIZE, "the size is %lld", (long long)size);
    if (disp_unit <= 0)
        return error_argument(comm, MPI_ERR_DISP, "the displacement unit is %lld", (long long)disp_unit);
    return MPI_SUCCESS;
}

static struct window_part *exchange_parts(struct comm *comm, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info)
{
    struct window_part mine = {.bytes = (uint64_t)size,
                               .unit = (uint64_t)disp_unit,
                               .apart = info_says(info, "alloc_shared_noncontig", "true"),
                               .promises = (info_says(info, "no_locks", "true") ? PART_IS_NEVER_LOCKED : 0) |
                                           (info_says(info, "same_size", "true") ? PART_HAS_SAME_SIZE : 0) |
                                           (info_says(info, "same_disp_unit", "true") ? PART_HAS_SAME_UNIT : 0)};
    slots_used(&mine.used, 1);
    size_t bytes = (size_t)comm_members(comm) * sizeof mine;
    struct window_part *all = memset(shim_alloc(bytes), 0, bytes); /* a member that is in another call brings nothing */
    coll_exchange(comm, &mine, sizeof mine, all);
    return all;
}

/* Members are compared with this one, if it has promised; what a member that is in another call brings is nothing. */
static void check_sameness(const struct window *w, const struct window_part *part, uint64_t promise, const char *key, const char *of)
{
    const struct window_part *mine = &part[w->comm->rank];
    for (int i = 0; i < window_members(w) && mine->promises & promise; i++) {
        uint64_t here = promise == PART_HAS_SAME_SIZE ? mine->bytes : mine->unit;
        uint64_t there = promise == PART_HAS_SAME_SIZE ? part[i].bytes : part[i].unit;
        if (!part[i].unit)
            continue;
        if (here != there)
            complain(COMPLAINT_RMA_ASSERT, "%s is given the info key %s, but %s is %llu at rank %d and %llu at rank %d", call_name(shim.call),
                     key, of, (unsigned long long)here, (int)w->target[w->comm->rank].rank, (unsigned long long)there,
                     (int)w->target[i].rank);
        else if (!(part[i].promises & promise))
            complain(COMPLAINT_RMA_ASSERT, "%s is given the info key %s by some ranks only, and if one gives it, all must",
                     call_name(shim.call), key);
        else
            continue;
        return;
    }
}

/* What is promised by info keys (12.2.1). */
static void take_promises(struct window *w, const struct window_part *part)
{
    for (int i = 0; i < window_members(w); i++)
        w->no_locks |= (part[i].promises & PART_IS_NEVER_LOCKED) != 0;
    check_sameness(w, part, PART_HAS_SAME_SIZE, "same_size", "the size");
    check_sameness(w, part, PART_HAS_SAME_UNIT, "same_disp_unit", "the displacement unit");
}

int window_make(MPI_Comm handle, MPI_Aint size, MPI_Aint disp_unit, int flavour, MPI_Info info,
                window_memory *make_memory, void *memory, MPI_Win *win)
{
    struct comm *comm = comm_find(handle);
    struct window *w;
    int rc = check_window_part(comm, handle, size, disp_unit);
    if (rc != MPI_SUCCESS)
        return rc;
    struct window_part *part = exchange_parts(comm, size, disp_unit, info);
    rc = window_new(comm, part, flavour, info, &w);
    if (rc == MPI_SUCCESS) {
        take_promises(w, part);
        if (make_memory)
            memory = make_memory(w, part);
        else if (flavour == MPI_WIN_FLAVOR_CREATE)
            private_copy_add(w, w->comm->rank, 0, memory, window_own_bytes(w));
        w->base = memory;
        remark_opened(w);
        if (shows_memory(w)) {
            open_shown_memory(w, memory);
        } else {
            open_memory(w, memory);
            coll_exchange(w->comm, NULL, 0, NULL); /* nobody's access comes before the memory is there */
        }
        w->size = size;
        w->unit = (int)disp_unit;
        back_window(w, info, win);
    }
    free(part);
    return rc;
}

int body_Win_create(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    return window_make(comm, size, disp_unit, MPI_WIN_FLAVOR_CREATE, info, NULL, base, win);
}

int body_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    return window_make(comm, 0, 1, MPI_WIN_FLAVOR_DYNAMIC, info, NULL, MPI_BOTTOM, win);
}

/* Delete callbacks may use the window; MPI wants all accesses of all members to be over when it is gone. */
int body_Win_free(MPI_Win *win)
{
    struct window *w = window_find(*win);
    if (!w)
        return window_not_found();
    int rc = epoch_is_over(w);
    if (rc != MPI_SUCCESS)
        return rc;
    keeper_hear(w, -1, false);
    private_copy_publish(w);
    coll_exchange(w->comm, NULL, 0, NULL);
    if (!w->block)
        private_copy_refresh(w);
    keeper_tell(w, (struct window_message){.kind = WINDOW_CLOSE}, NULL, 0);
    remark_event(w, -1, WINDOW_CLOSED);
    object_freed(OBJECT_WINDOW, HANDLE_KEY(*win));
    rc = real.Win_free(win);
    window_delete(w);
    return rc;
}
