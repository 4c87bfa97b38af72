/*
 * window_info -- MPI_Win_set_info: what info keys say of a window after it was made (MPI-4.0, 12.2.7).
 *
 * What a program promises, or gives up, holds from then on, for any library may rely on it.  What takes that back counts only if the library that is
 * there has heeded it, as MPI_Win_get_info tells: MPI lets it ignore keys that come later.  Keys that are not given stay what they were.
 *
 * The call is collective, and needs nobody: it takes its turn, and may wait for all (M7).
 */
#include "shim/core/library_code.h"
#include "shim/objects/info_value.h"
#include "shim/virtual/coll.h"
#include "shim/window/window.h"

/* What an info object says of these keys. */
struct window_keys {
    bool has_order, has_operators, has_locks;
    uint32_t given_up;
    bool same_operator, no_locks;
};

static struct window_keys keys_in(MPI_Info info)
{
    return (struct window_keys){.has_order = info_has(info, "accumulate_ordering"),
                                .has_operators = info_has(info, "accumulate_ops"),
                                .has_locks = info_has(info, "no_locks"),
                                .given_up = info_order_given_up(info),
                                .same_operator = info_says(info, "accumulate_ops", "same_op"),
                                .no_locks = info_says(info, "no_locks", "true")};
}

static void heed_order(struct window *w, const struct window_keys *said, const struct window_keys *in_force)
{
    uint32_t not_taken_back = said->has_order && in_force->has_order ? in_force->given_up : UINT32_MAX;
    w->given_up = said->given_up | (w->given_up & not_taken_back);
    w->was_given_up |= w->given_up != 0;
}

/* Whether a promise holds: one that was given now, or before and was not taken back. */
static bool is_still_promised(bool before, bool given, bool now, bool told, bool in_force)
{
    bool taken_back = given && !now && told && !in_force;
    return now || (before && !taken_back);
}

static void heed_keys(struct window *w, const struct window_keys *said, const struct window_keys *in_force)
{
    uint32_t given_up = w->given_up;
    bool same_operator = w->same_operator, told = in_force->has_locks;
    heed_order(w, said, in_force);
    w->same_operator = is_still_promised(same_operator, said->has_operators, said->same_operator, in_force->has_operators,
                                         in_force->same_operator);
    w->no_more_locks = is_still_promised(w->no_more_locks, said->has_locks, said->no_locks, told, in_force->no_locks);
    w->no_locks = is_still_promised(w->no_locks, said->has_locks, false, told, in_force->no_locks);
    w->keys_changed |= w->given_up != given_up || w->same_operator != same_operator;
}

/* What is said is read first: MPICH leaves the first word of a list in the info object that it is given. */
int body_Win_set_info(MPI_Win win, MPI_Info info)
{
    MPI_Info heeded;
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    struct window_keys said = keys_in(info);
    int rc = real.Win_set_info(win, info);
    if (rc == MPI_SUCCESS)
        rc = real.Win_get_info(win, &heeded);
    if (rc != MPI_SUCCESS)
        return rc;
    struct window_keys in_force = keys_in(heeded);
    real_must(Info_free, &heeded);
    coll_pass(w->comm, -1);
    heed_keys(w, &said, &in_force);
    return MPI_SUCCESS;
}
