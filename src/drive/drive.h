/*
 * drive -- runs ranks for the search: processes behind struct runner.
 *
 * A node of a rank's history is, if we are lucky, a process asleep in the call at
 * its end.  Going on from there with an answer takes the process along; where
 * other answers are likely to be asked for, a copy goes on and the original stays.
 * A node whose process is gone is reached again from the nearest one above it, by
 * giving the answers on the way once more; every segment run again is compared
 * with what was seen the first time.
 *
 * Nodes can be adopted from an earlier session.  Their payloads are not kept by
 * anybody; when an answer hands one over, the rank that sent it is run again.
 */
#ifndef DRIVE_DRIVE_H
#define DRIVE_DRIVE_H

#include <sys/types.h>

#include "call/made_files.h"
#include "call/wire.h"
#include "drive/stacks.h"
#include "drive/touches.h"
#include "explore/runner.h"
#include "flow/relevance.h"
#include "world/doubt.h"
#include "world/world.h"

struct drive;

struct drive *drive_new(const struct world_options *);
void drive_free(struct drive *);
struct runner drive_runner(struct drive *);

/* The process asleep at a node, started again if need be and there is time; 0: it cannot be had. */
pid_t drive_process(struct drive *, node_id);

/* If that is kept, what a rank wrote last to standard error, to be freed; NULL: it is not. */
char *drive_heard(const struct drive *, rank_t);

/* The one that is there already; 0: none. */
pid_t drive_sleeper(const struct drive *, node_id);

/*
 * Whether a rank does the same once more, as far as to this node: it is started anew, by a process that nobody copies, and
 * given the recorded answers.
 */
enum anew {
    ANEW_SAME,
    ANEW_OTHERWISE, /* drive_difference says what */
    ANEW_UNKNOWN,   /* there was no time for it */
};
enum anew drive_run_anew(struct drive *, node_id);

/* Whether a copy of the rank's process had a part in the history up to this node. */
bool drive_is_of_copies(const struct drive *, node_id);

/* The first bytes of a message that were others the first time: eight of them, from a multiple of eight on, as far as there are so many. */
struct differing_bytes {
    uint64_t at;         /* in what was sent */
    uint64_t of;         /* that has so many bytes; 0: none differ, or it is not known any more what it was */
    uint32_t count;
    uint8_t then[8], now[8];
};

/* What a rank did when it was last run again and did not do the same. */
struct drive_difference {
    node_id node;           /* whose segment was another one the first time; NODE_NONE: there is no difference */
    rank_t rank;
    struct segment segment; /* what it did now; borrowed until the runner is asked again */
    struct differing_bytes bytes; /* of the first message that was another one */
    struct segment first;   /* and the first time, if nobody has heard of that before; no operations: the tree has them */
};
const struct drive_difference *drive_difference(const struct drive *);

/* The same of the first rank that made the same calls again, with other data: what it had brought the first time was taken. */
const struct drive_difference *drive_noise(const struct drive *);

/* From where the operation with this index in a node was called; borrowed.  None: not known, or not asked for. */
struct stack drive_stack(const struct drive *, node_id, uint32_t index);

/* What ranks loaded and stored in windows, by node; nobody has looked if that was not asked for. */
struct local_touches drive_touches(struct drive *);

/* Whether all runs have them, as the program tells of them itself. */
bool drive_tells_touches(const struct drive *);

/* And where it was not looked at what ranks did, so far. */
const unseen_touches_t *drive_unseen_touches(const struct drive *);

/* How it sleeps there, for its image (world/image.h); NULL: no process is there now. */
const struct wire_sleep *drive_sleep(const struct drive *, node_id);

/*
 * A history once more, before the eyes of the user: from its beginning, node by node,
 * each rank by one process that nobody copies.  Every process of the search is ended
 * first, and none is run afterwards.
 */
void drive_show_begin(struct drive *);
/*
 * Runs the rank of the node on from the parent, where drive_show left it, or starts it;
 * after `stop` operations it is left asleep in the call, 0: only where the node ends.
 * False: it is not the segment that was seen the first time (nor is a part of it).
 */
bool drive_show(struct drive *, node_id, uint32_t stop, struct segment *);
/* The process; 0: there is none, or it has ended. */
pid_t drive_shown(const struct drive *, rank_t);

/* The signal that asked tourney to end, or 0: then the runner runs nothing more. */
int drive_signal(void);

/* Why a rank was not copied but run again from its start; OBSTACLE_NONE: it was, or nobody tried. */
enum obstacle drive_uncopied(const struct drive *, rank_t);

/* Whether some rank was not asked which of several requests a call names (D7). */
bool drive_saw_preference(const struct drive *);
/* Whether a rank has read what its MPI library measures of itself. */
bool drive_saw_measurements(const struct drive *);

/* A rank had several threads when it called MPI_Init, which took no turns, although they could have called MPI. */
bool drive_saw_early_threads(const struct drive *);

/* A thread waited in a probe beside others of its rank, where deadlocks that need less slack were looked for. */
bool drive_saw_probes_beside(const struct drive *);

/* A thread of a rank had not come to rest when that was to sleep, and was taken not to communicate. */
bool drive_saw_restless_thread(const struct drive *);

/* Whether nothing was merged from then on, as was wanted before: what is in the way of a copy is not seen in images either. */
bool drive_stopped_merging(const struct drive *);
/* The same because the memory of a rank could not be looked at. */
bool drive_lacks_images(const struct drive *);

/* What was not done with a rank, and why; DOUBT_NONE: it was, or there was no need to. */
struct drive_doubts {
    enum doubt unmerged; /* histories of it were not compared: they could not be known to be the same */
    enum doubt untried;  /* it was not run again to see whether it does the same */
    bool changed_files;  /* it has made, changed or removed some, and all runs share them */
};
struct drive_doubts drive_doubts(const struct drive *, rank_t);

/* How ranks were followed step by step (flow/relevance.h); false: they were not, or cannot be on this machine. */
bool drive_followed(const struct drive *, struct relevance_cost *);

/* A rank that was killed again and again, so that what it does is not known; RANK_NONE: nobody. */
rank_t drive_killed(const struct drive *);

/*
 * Ranks that others start (call/dynamic.h): how many there should have been from the beginning, if it is known now that there were too few,
 * so that the drive cannot go on; 0: there were enough.  And their numbers so far.
 */
int drive_wants_spawnable(const struct drive *);

/* What a search with threads that take turns has to begin anew with (world/thread_lessons.h), to be freed; NULL: nothing new was learned. */
char *drive_new_lessons(const struct drive *);
bool drive_has_new_lessons(const struct drive *);
bool drive_saw_turns(const struct drive *);
const spawn_places_t *drive_places(const struct drive *);
/* Adds files that were not there before, and are not in the list. */
void drive_made_files(const struct drive *, made_files_t *);

/* The MPI library that ranks have loaded, "mpich", "openmpi" or "abi"; NULL: none has come up. */
const char *drive_mpi(const struct drive *);

struct drive_cost {
    uint64_t copies; /* made */
    uint64_t starts; /* of programs from main() */
    uint64_t again;  /* segments run again */
};
struct drive_cost drive_cost(const struct drive *);

#endif
