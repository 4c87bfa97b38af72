/*
 * job_remarks -- what ranks did with windows in a job that made a run of the search (outcome/window_remark.h).
 *
 * A run of the search is put together from histories, which several jobs may have shown.  Who got a lock first is the library's choice in each of
 * them; so all remarks on a run are those of one job, which has shown all its histories.
 */
#ifndef DIST_JOB_REMARKS_H
#define DIST_JOB_REMARKS_H

#include "dist/store.h"

/* The job that was chosen last. */
struct job_remarks {
    const struct store *store; /* borrows */
    uint32_t job;
};

bool job_remarks_choose(struct job_remarks *, const struct account *);
struct node_remarks job_remarks_tell(const struct job_remarks *, node_id);

#endif
