/*
 * expose -- MPI_Win_post, start, complete and wait: epochs between an origin and the targets that it names.
 *
 * MPI_Win_start sends each target a message, which may block, and which what MPI_Win_post has posted receives.
 * Accesses are held back until then.  MPI_Win_complete tells each target how many messages to expect.
 */
#include <stdlib.h>
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/window/origin.h"
#include "shim/window/outbox.h"
#include "shim/window/private_copy.h"
#include "shim/window/remarks.h"

/* Who is in a group of the program's, as members of the window; raises what is wrong with it. */
static int check_epoch_group(const struct window *w, MPI_Group handle, const struct group **group)
{
    *group = group_find(handle);
    if (!*group)
        return error_raise_on_window(w->handle, MPI_ERR_GROUP, COMPLAINT_INVALID_ARGUMENT, "the group is none");
    for (int i = 0; i < (*group)->size; i++)
        if (group_index(w->comm->local, (*group)->rank[i]) < 0)
            return error_raise_on_window(w->handle, MPI_ERR_GROUP, COMPLAINT_INVALID_ARGUMENT,
                                         "rank %d is in the group, but not a member of the window",
                                         (int)(*group)->rank[i]);
    return MPI_SUCCESS;
}

/* ---- the origin ---- */

/* What the target is told: MPI_MODE_NOCHECK has to be given by both or by none. */
struct start_message {
    uint64_t unchecked;
    uint64_t place;
};

static void ask_target(const struct window *w, rank_t target, int assert)
{
    int32_t tag = window_tag(WINDOW_START, w->slot);
    struct start_message start = {.unchecked = (assert &MPI_MODE_NOCHECK) != 0, .place = (uintptr_t)shim.place};
    uint32_t mode = w->flavour == MPI_WIN_FLAVOR_SHARED ? OPF_SYNCHRONOUS : 0; /* loads and stores may follow */
    if (start.unchecked)
        keeper_send(&(struct keeper_mail){
            .to = target, .tag = tag, .flags = OPF_READY, .head = &start, .head_bytes = sizeof start});
    else
        keeper_send_waiting(w, &(struct waiting_mail){target, tag, mode, 0, &start, sizeof start});
}

int body_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    struct window *w = window_find(win);
    const struct group *targets;
    if (!w)
        return window_not_found();
    int rc = epoch_begins_start(w);
    if (rc == MPI_SUCCESS)
        rc = check_epoch_group(w, group, &targets);
    if (rc != MPI_SUCCESS)
        return rc;
    w->started = group_copy(targets);
    for (int i = 0; i < w->started->size; i++) {
        struct target *target = &w->target[group_index(w->comm->local, w->started->rank[i])];
        target->started = true;
        target->counted = 0;
    }
    for (int i = 0; i < w->started->size; i++)
        ask_target(w, w->started->rank[i], assert);
    if (w->flavour == MPI_WIN_FLAVOR_SHARED)
        private_copy_refresh(w);
    return MPI_SUCCESS;
}

int body_Win_complete(MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    if (!w->started)
        return epoch_error(w, "there was no MPI_Win_start");
    origin_check(w, -1);
    private_copy_publish(w);
    outbox_let_go(w, -1, false);
    for (int i = 0; i < w->started->size; i++) {
        int member = group_index(w->comm->local, w->started->rank[i]);
        struct target *target = &w->target[member];
        outbox_send(w, member, ACCESS_STARTED);
        keeper_send(&(struct keeper_mail){.to = target->rank,
                                          .tag = window_tag(WINDOW_COMPLETE, w->slot),
                                          .head = &target->counted,
                                          .head_bytes = sizeof target->counted});
        target->started = false;
    }
    free(w->started);
    w->started = NULL;
    keeper_hear(w, -1, false);
    origin_return(w, -1);
    remark_event(w, -1, WINDOW_COMPLETED);
    return MPI_SUCCESS;
}

/* ---- the target ---- */

static void take_start(struct request *r, const struct completion *c)
{
    const struct window *w = r->state;
    struct start_message start;
    if (c->bytes != sizeof start)
        return;
    memcpy(&start, arena_at(c->payload), sizeof start);
    if (start.unchecked != w->post_unchecked)
        complain_at(COMPLAINT_RMA_ASSERT, CALL_Win_start, (const void *)(uintptr_t)start.place, 1,
                    "MPI_Win_start is %s MPI_MODE_NOCHECK, and the MPI_Win_post that it goes with is %s",
                    start.unchecked ? "given" : "not given", start.unchecked ? "not" : "given it");
}

static void take_count(struct request *r, const struct completion *c)
{
    struct window *w = r->state;
    uint64_t counted = 0;
    if (c->bytes == sizeof counted)
        memcpy(&counted, arena_at(c->payload), sizeof counted);
    w->expected += counted;
}

int body_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    struct window *w = window_find(win);
    const struct group *origins;
    if (!w)
        return window_not_found();
    int rc = epoch_begins_post(w);
    if (rc == MPI_SUCCESS)
        rc = check_epoch_group(w, group, &origins);
    if (rc != MPI_SUCCESS)
        return rc;
    private_copy_publish(w);
    if (w->stored && assert &MPI_MODE_NOSTORE && w->flavour != MPI_WIN_FLAVOR_SHARED)
        complain(COMPLAINT_RMA_ASSERT,
                 "MPI_Win_post was given MPI_MODE_NOSTORE, but this rank has stored to its window");
    w->stored = false;
    w->posted = group_copy(origins);
    w->post_place = shim.place;
    keeper_remark(w, w->comm->rank, WINDOW_EXPOSED);
    w->post_unchecked = (assert &MPI_MODE_NOCHECK) != 0;
    w->post_no_put = assert &MPI_MODE_NOPUT;
    w->arrival = shim_alloc(2 * (size_t)w->posted->size * sizeof *w->arrival);
    for (int i = 0; i < w->posted->size; i++) {
        rank_t origin = w->posted->rank[i];
        struct request **arrival = &w->arrival[2 * i];
        arrival[0] =
            keeper_receive(w->comm, origin, window_tag(WINDOW_START, w->slot), sizeof(struct start_message), take_start);
        arrival[1] = keeper_receive(w->comm, origin, window_tag(WINDOW_COMPLETE, w->slot), sizeof(uint64_t), take_count);
        arrival[0]->state = arrival[1]->state = w;
    }
    remark_event(w, -1, WINDOW_POSTED);
    return MPI_SUCCESS;
}

/* All origins are complete: what they sent has to reach the memory, too. */
static void end_exposure(struct window *w)
{
    for (int i = 0; i < 2 * w->posted->size; i++)
        request_delete(w->arrival[i]);
    free(w->arrival);
    w->arrival = NULL;
    free(w->posted);
    w->posted = NULL;
    w->stored = false;
    if (private_copy_await(w, w->expected, false) && w->post_no_put && w->flavour != MPI_WIN_FLAVOR_SHARED)
        complain_beside(COMPLAINT_RMA_ASSERT, CALL_Win_post, w->post_place, shim.place,
                        "MPI_Win_post was given MPI_MODE_NOPUT, but others have changed the window of this rank");
    keeper_remark(w, w->comm->rank, WINDOW_CONCEALED);
    remark_event(w, -1, WINDOW_WAITED);
}

static int check_posted(struct window *w)
{
    return w->posted ? MPI_SUCCESS : epoch_error(w, "there was no MPI_Win_post");
}

int body_Win_wait(MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = check_posted(w);
    if (rc != MPI_SUCCESS)
        return rc;
    complete_all(w->arrival, 2 * w->posted->size);
    end_exposure(w);
    return MPI_SUCCESS;
}

int body_Win_test(MPI_Win win, int *flag)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = check_posted(w);
    if (rc != MPI_SUCCESS)
        return rc;
    *flag = complete_if_all_are(w->arrival, 2 * w->posted->size);
    if (*flag)
        end_exposure(w);
    return MPI_SUCCESS;
}
