/*
 * epoch -- who may access what now.
 *
 * A rank may access a window of others within an epoch: from fence to fence, from MPI_Win_start to MPI_Win_complete for
 * the targets that it named, or while it holds a lock.  What is forbidden is raised here, as rma-epoch.
 */
#ifndef SHIM_WINDOW_EPOCH_H
#define SHIM_WINDOW_EPOCH_H

#include "shim/core/error.h"
#include "shim/window/keeper_link.h"
#include "shim/window/window.h"

#define epoch_error(w, ...) error_raise_on_window((w)->handle, MPI_ERR_RMA_SYNC, COMPLAINT_RMA_EPOCH, __VA_ARGS__)

enum access_epoch { ACCESS_FENCE, ACCESS_STARTED, ACCESS_LOCKED };

/* Which epoch allows an access to this member; MPI_SUCCESS, or the error, raised. */
int epoch_of_access(struct window *, int member, enum access_epoch *);

/* How accesses of such an epoch, of MPI_Win_start or of a lock, are sent. */
struct access_way epoch_way(const struct window *, int member, enum access_epoch);

/* Whether this kind of epoch may begin now; if so, a fence before has not begun one. */
int epoch_begins_fence(struct window *);
int epoch_begins_start(struct window *);
int epoch_begins_post(struct window *);
int epoch_begins_lock(struct window *, int member); /* -1: MPI_Win_lock_all */

/* Whether this member is locked; else, raised. */
int epoch_needs_lock(struct window *, int member);

/* No epoch is open; else, raised. */
int epoch_is_over(struct window *);

/* Whether others may access this rank's part without its knowledge. */
bool epoch_is_passive(const struct window *);

#endif
