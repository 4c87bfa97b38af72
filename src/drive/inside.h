/*
 * inside -- what the drive remembers.  Private to src/drive.
 */
#ifndef DRIVE_INSIDE_H
#define DRIVE_INSIDE_H

#include "drive/answer.h"
#include "drive/checkpoint.h"
#include "drive/drive.h"
#include "drive/early.h"
#include "drive/effort.h"
#include "drive/follow.h"
#include "drive/images.h"
#include "drive/keeper_nodes.h"
#include "drive/savepoints.h"
#include "drive/steady.h"
#include "world/herd.h"

enum {
    HERD_KEPT = 100,   /* processes asleep at one time, beside two for each rank, where it began and where it is */
    HERD_SPARE = 24,   /* of those that there can be, left for what is about to start */
    MOST_KILLS = 3,    /* of one rank in a row, by somebody else: beyond that it is given up */
    FEW_COPIES = 4,    /* of copies of copies that matter little */
    MOST_SPOILED = 8,  /* processes with savepoints of one rank that came to nothing: beyond that there are no more */
    LONG_SEGMENT = 2000, /* microseconds: beyond that another copy, to run aside, costs less than it saves */
};

struct opening; /* opening.h */
struct starts;  /* starts.h */

/* That somebody sleeps at a node; or else that its payloads are there. */
struct wish {
    node_id node;
    bool process;
};

/* Whose copy an animal is, of a copy of whom, and so on.  Times are microseconds, of all of these together. */
struct descent {
    int copies;   /* how often it was copied on the way from the one that was started */
    bool left;    /* it is where another one left it that has gone on */
    int64_t run;  /* since the start */
    int64_t away; /* since it was where another one stayed */
    int64_t lost; /* in copies that took long since they were copies of copies */
};

enum { MOST_MILESTONES = 8 }; /* of a rank */

/* Nodes where somebody stays behind on a long way (milestones.c), in the order of that. */
struct milestones {
    struct milestone {
        node_id node;
        int64_t at; /* microseconds that it took the rank to come there */
    } of[MOST_MILESTONES];
    uint32_t n;
};

struct drive {
    struct herd herd;
    struct checkpoints checkpoints;
    struct keeper_nodes keepers;
    node_id at[HERD_MAX];      /* which node an animal sleeps at */
    bool is_copy[HERD_MAX];    /* it did not come up by itself */
    struct descent descent[HERD_MAX];
    struct milestones *milestones; /* owns; by rank */
    uint64_t clock;
    struct drive_cost cost;
    struct reading reading;
    struct stacks stacks;
    struct touches touches;
    bool once_more; /* its runs were searched before */
    struct letter letter;
    struct segment_ahead early;
    struct starts *starts;     /* owns */
    struct opening *opening;   /* owns */
    struct images images;
    struct savepoints savepoints;
    bool no_savepoints;
    int in_hand;               /* the animal that goes on from a node, or whose segment is looked at; -1: none */
    int *spoiled;              /* owns; by rank: processes with savepoints that were lost */
    struct steady steady;
    struct follow follow;
    VEC(struct wish) wishes;   /* what is needed for one comes later, and is granted first */
    VEC(node_id) way;          /* scratch of goes_again */
    bool *twinned;             /* owns; by rank: two have been given the same answer */
    rank_t diverged;           /* who did not do the same again, if somebody did not */
    int kills;                 /* how often in a row somebody else has killed a rank */
    rank_t killed;             /* who was given up for that; RANK_NONE: nobody */
    struct drive_difference difference; /* and what it did */
    struct kept_segment differing, first; /* their lists */
    struct drive_difference noise; /* the first time that a rank made the same calls with other data */
    struct kept_segment noisy;
    VEC(node_id) path;         /* scratch of drive_run_anew */
    enum obstacle *uncopied;   /* owns; by rank: why it could not be copied */
    bool stopped_merging;      /* nothing is merged any more, since a rank could not be copied */
    struct drive_doubts *doubts; /* owns; by rank */
    uint64_t runs;             /* segments that the search has asked for */
    struct effort effort;
    int64_t usual;             /* microseconds that segments of late took to read */
    int64_t copying;           /* and copies to be made */
    bool lacks;                /* scratch of drive_lacks_for */
    int *shown;                /* owns; by rank: the animal that is shown, -1: none yet; NULL: nothing is shown */
};

struct how_to_depart {
    bool brief;  /* hardly anything follows */
    bool itself; /* not by going back: a copy is to be compared with it */
};

static inline struct checkpoint *checkpoint(const struct drive *drive, node_id node)
{
    return checkpoint_of(&drive->checkpoints, node);
}

/* Whether nobody has started the rank yet (births.h). */
static inline bool is_birth(const struct drive *drive, node_id node)
{
    return node && checkpoint(drive, node)->unborn;
}

/* Whether it is the first node that a process of its rank comes to. */
static inline bool begins_process(const struct drive *drive, node_id node)
{
    node_id parent = checkpoint(drive, node)->parent;
    return parent == NODE_NONE || is_birth(drive, parent);
}

static inline node_id parent_of(const struct drive *drive, node_id node)
{
    bulk_pass();
    return checkpoint(drive, node)->parent;
}

/* What was handed over long ago is put aside, while nobody can be reading it, and memory is given back. */
static inline void let_cool(struct drive *drive)
{
    if (!drive->early.run.n)
        payloads_put_aside(&drive->checkpoints.payloads);
    bulk_pass();
}

static inline bool is_spawned(const struct drive *drive, rank_t rank)
{
    const struct world_options *options = &drive->herd.options;
    return rank >= options->ranks - options->spawnable && rank < dynamic_registry(options->ranks);
}

static inline bool is_registry(const struct drive *drive, rank_t rank)
{
    return drive->herd.options.spawnable && rank == dynamic_registry(drive->herd.options.ranks);
}

static inline bool is_keeper(const struct drive *drive, rank_t rank)
{
    return rank >= drive->herd.options.ranks || is_registry(drive, rank);
}

static inline void note_doubt(enum doubt *doubt, enum doubt why)
{
    if (!*doubt)
        *doubt = why;
}

/* ---- animals.c ---- */

void drive_settle_animal(struct drive *drive, int animal, node_id node);
/* One that was made of another and waits for going back does not outlive it. */
int drive_find_waiting(const struct drive *drive, int base);
void drive_end_animal(struct drive *drive, int animal);
/* Something came in between, and the way back is lost. */
void drive_spoil_savepoints(struct drive *drive, int animal);
void drive_let_animal_go(struct drive *drive, int animal);
/*
 * An animal that has nothing more to do where it is.  If it can go back it waits for that; if not, its base is of no use either where
 * nobody will ask for it.
 */
void drive_retire_animal(struct drive *drive, int animal);
/* An animal whose rank has come to an end: whether it can go back depends on how. */
void drive_dismiss_animal(struct drive *drive, int animal, enum segment_end how);
/* `node` is the first that it comes to. */
int drive_start_animal(struct drive *drive, node_id node);
/* One that is to go back with its next answer goes back at once. */
void drive_return_now(struct drive *drive, int animal);
/* A copy of the animal that sleeps at a node; -1: there can be none. */
int drive_copy_animal_here(struct drive *drive, node_id node, bool returns);
/* Whoever sleeps at a node is let go if copies of it take so long, by how often it was copied itself, that it is better to come there anew. */
void drive_renew_animal(struct drive *drive, node_id node);
/* That is no doing of the program's, and can be tried again. */
bool drive_is_killed(struct drive *drive, int animal);
/* Whether a rank that was killed is to be tried again. */
bool drive_has_patience(struct drive *drive, rank_t rank);

/* ---- departures.c ---- */

/*
 * Who has a savepoint at the node goes back there.  Where it sleeps now a copy stays, if somebody may ask for that node.  False: it cannot go back
 * any more, and nobody has the node now.  That may turn out just here: what it did to the kernel is heard of in another thread.
 */
bool drive_visit_node(struct drive *drive, node_id node);
/* -1 also if nobody has the node any more. */
int drive_copy_animal(struct drive *drive, node_id node);
/*
 * Takes the animal that sleeps at a node, which was visited, away; if possible, a copy stays.  To copy a copy of a copy and so on takes the
 * kernel longer each time, for every mapping is listed with all of its ancestors.  So who has come to a node goes on by itself, and a copy is left
 * there, that on a long way all of these are copies of one; but where others go on from time and again, whoever was left there stays, and copies go.
 * Who is soon no more is a copy, too.
 */
int drive_depart(struct drive *drive, node_id node, bool stay, struct how_to_depart how);
/* Whether an animal that goes on from a node may come back to it without a copy. */
bool drive_can_have_savepoints(const struct drive *drive, node_id node);
/* Before an answer leads it to a node: it sees files as they were when the way first led there (world/original_files.h). */
void drive_show_files(struct drive *drive, int animal, node_id node);
/* Gives an animal an answer, and says where those to its next calls are, 0: nowhere (foretold.h); where in the arena it lies, if it is long. */
struct payload_block drive_send_answer(struct drive *drive, int animal, const struct ret *ret, uint64_t next);
struct segment drive_read_segment(struct drive *drive, int animal, node_id node, struct payload_block letter);
/* Gives the animal the answer that leads to the node, if it needs one, and reads what it does. */
struct segment drive_run_to(struct drive *drive, int animal, node_id node);

/* ---- wishes.c ---- */

struct segment drive_run_keeper(struct drive *drive, node_id node);
/* Wishes for the payloads that the answer leading to a node hands over; false: they are there. */
bool drive_wish_for_payloads(struct drive *drive, node_id node);
/* Somebody may have killed it in its sleep: it can be had again. */
bool drive_has_animal(struct drive *drive, node_id node);
/*
 * To run to a node takes the payloads of its answer, and somebody asleep at its
 * parent.  All these nodes are older than itself, so there is an end to it.  The
 * parent comes last: nothing happens between its arrival and its departure, so
 * that nobody takes its room.  False: a rank diverged on the way.
 */
bool drive_grant_wishes(struct drive *drive);
/* Whether payloads that an answer hands over are not there; NULL: it hands over nothing. */
bool drive_lacks_for(struct drive *drive, const struct ret *ret);
/* Sees to it that the answer leading to `to` can be given. */
bool drive_prepare_answer(struct drive *drive, node_id from, node_id to);
/* And that somebody sleeps there who gets it. */
bool drive_prepare_departure(struct drive *drive, node_id from, node_id to);
/* It sleeps there, and is not only to go back; false: nobody does any more. */
bool drive_summon_animal(struct drive *drive, node_id node);

/* ---- milestones.c ---- */

/* Whether somebody is to stay at a node from which a rank goes on. */
bool milestone_is_due(const struct drive *drive, node_id node);
/* Somebody stays there, if the copy could be made. */
void milestone_note(struct drive *drive, node_id node);

/* ---- differences.c ---- */

void drive_note_difference(struct drive *drive, node_id node, const struct segment *segment, const struct reading *now);
/*
 * Whether a rank that was run again has made the same calls.  What it brings may be the time of day: then others have heard what it was the
 * first time, which stays, and the verdict says so.  If that is not here any more, they would hear something else.
 */
bool drive_is_same_but_for_noise(struct drive *drive, node_id node, const struct segment *segment, const struct reading *now);
/* The same of a segment that has just been run for the first time: it will not come into the tree. */
void drive_note_other_beginning(struct drive *drive, const struct segment *first);

/* ---- looks.c ---- */

void drive_take_image(struct drive *drive, int animal, const struct checkpoint *there, struct segment *segment);
bool drive_look_once_more(void *data, node_id node, struct map_key *image);

/* ---- same_again.c ---- */

/* The first time that a rank goes on from an open call, a twin is given the same answer: it has to do the same. */
int drive_copy_twin(struct drive *drive, node_id from);
/* One that somebody kills is like any other: it says nothing of what the rank would have done. */
bool drive_is_like_twin(struct drive *drive, int animal, int twin, node_id to, const struct segment *segment);
/*
 * A rank has come to its end at a node, by this segment.  Whoever has left traces where others may find them is not run again for this:
 * what it finds then may be its own.
 */
void drive_note_traces(struct drive *drive, int animal, node_id node, const struct segment *segment);
/* Whether a rank that has come to its end at a node does so again. */
bool drive_is_steady(struct drive *drive, node_id node);
bool drive_prove_end(void *data, node_id node);

#endif
