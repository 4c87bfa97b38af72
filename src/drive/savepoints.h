/*
 * savepoints -- processes that go back to where they slept, in place of copies that are left there.
 *
 * A copy of a rank costs the kernel half a millisecond.  To put back what the rank has written since takes tens of
 * microseconds.  So of a rank with many ways one copy is made that has savepoints: it goes one way, comes back to where the
 * ways part, and goes the next.  Its original, the base, sleeps on: whatever was not written yet is as it is there.
 *
 * What was written is known from the kernel: pages that the process does not share any more with others (world/image.h), which
 * are looked for again if there were page faults since.  From then on they are part of each savepoint.  Hence the law: before such
 * a process is copied itself, its pages are looked for.
 *
 * There is no way back if the kernel keeps something else for the process than it did when it began: if a system call was heard of
 * (world/kernel_watch.h), or the rank has told of one that changed its mappings or moved on in a file (shim/virtual/savepoint.h).
 */
#ifndef DRIVE_SAVEPOINTS_H
#define DRIVE_SAVEPOINTS_H

#include "outcome/history.h"
#include "world/herd.h"
#include "world/image.h"

struct savepoint {
    node_id node;
    uint64_t block, bytes; /* in the arena; no bytes: all is as it is at the base */
    uint32_t spans;        /* that it holds */
    bool last;             /* nobody wants to go back there any more, as far as is known */
};

/* What one process has; all zero: nothing. */
struct savepoint_owner {
    bool able;
    int base;              /* the animal that it was made of; -1: that has gone on since */
    uint64_t heard;        /* of its system calls when it began */
    uint64_t faults;       /* when its pages were last looked for */
    bool looked;
    VEC(uint64_t) page;    /* that it has written, by address */
    uint64_t spans, first; /* blocks in the arena: struct saved_span each, and what they held at the base */
    uint32_t count;        /* of spans */
    uint64_t bytes;        /* of all savepoints */
    VEC(struct savepoint) at; /* the first one is at the base */
    int back;              /* where it goes back to with its next answer; -1: it does not */
    bool saves;            /* it makes the last one with its next answer */
};

struct savepoints {
    struct savepoint_owner of[HERD_MAX];
    VEC(int) owner;       /* those that have any */
    struct own_pages own; /* scratch */
};

void savepoints_release(struct savepoints *);

/* A copy of `base`, made to have savepoints, has the first one, at this node.  False: it cannot have any. */
bool savepoints_begin(struct savepoints *, struct herd *, int animal, int base, node_id);
void savepoints_end(struct savepoints *, struct herd *, int animal);

/* An animal goes on, goes back or ends: those that were made of it have no base any more. */
void savepoints_leave_base(struct savepoints *, int base);

static inline bool savepoints_has(const struct savepoints *savepoints, int animal)
{
    return savepoints->of[animal].at.n > 0;
}
struct savepoint *savepoints_find(struct savepoints *, int animal, node_id);
/* Whether there is one to which somebody may want to go back. */
bool savepoints_are_wanted(const struct savepoints *, int animal);

/* Whether it can go back now.  It sleeps. */
bool savepoints_can_return(struct savepoints *, struct herd *, int animal);
/* To be asked before it is copied; false: it must not go back any more. */
bool savepoints_before_copy(struct savepoints *, struct herd *, int animal);

/* With its next answer the one that sleeps makes a savepoint.  False: that would take too much. */
bool savepoints_make(struct savepoints *, struct herd *, int animal, node_id);
/* With its next answer it goes back to this one, the last one that there is now. */
void savepoints_return(struct savepoints *, struct herd *, int animal, const struct savepoint *);

/* What the rank is told to do with its next answer.  It is told. */
struct savepoint_order savepoints_order(struct savepoints *, int animal);

#endif
