/*
 * looks -- the images of processes, taken where it may pay.
 *
 * A rank can only come to be the same in two histories after it had a choice.  So
 * it is looked at from its first open call on, and from there wherever it sleeps:
 * a process must be looked at before it is copied (world/image.h).  One for which the
 * kernel keeps what cannot be known (world/kernel_watch.h) has no image.
 *
 * If looking takes much of the time and never shows two histories to be one, it is
 * given up for good.
 */
#ifndef DRIVE_LOOKS_H
#define DRIVE_LOOKS_H

#include "world/herd.h"
#include "world/image.h"

/* The files of a process when it was last looked at. */
struct looks_files {
    struct map_key sum;
    uint64_t reads, heard; /* as long as it reads no more, and no system call is heard of, that is the sum */
    bool known;
};

struct looks {
    bool off;
    struct image *image[HERD_MAX]; /* owns; by animal, NULL: not looked at yet */
    struct looks_files files[HERD_MAX]; /* the same */
    bool ran[HERD_MAX];            /* by animal: it was answered since it was looked at */
    int64_t begun, spent;          /* microseconds */
    uint64_t taken, merged;
};

void looks_init(struct looks *);
void looks_release(struct looks *);

/* An animal is answered; is about to be copied; was copied; or it is no more. */
void looks_answered(struct looks *, int animal);
void looks_before_copy(struct looks *, struct herd *, int animal);
void looks_copied(struct looks *, int original, int copy);
void looks_gone(struct looks *, int animal);

/* Looks at one that sleeps.  False: there is no image. */
bool looks_take(struct looks *, struct herd *, int animal, struct map_key *image);

#endif
