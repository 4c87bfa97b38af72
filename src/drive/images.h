/*
 * images -- the images of processes, taken where it may pay.
 *
 * A rank can only come to be the same in two histories after it was answered in two ways.  So
 * it is looked at from its first open call on, or, if others had the choice, from where it is given
 * a second answer, and from there wherever it sleeps: a process must be looked at before it is copied
 * (world/image.h).  Of those that others send on different ways the first history is thus not looked at: that
 * costs one history, and no rank is looked at that has just one.  One for which the
 * kernel keeps what cannot be known (world/kernel_watch.h) has no image.
 */
#ifndef DRIVE_IMAGES_H
#define DRIVE_IMAGES_H

#include "world/herd.h"
#include "world/image.h"

/* The files of a process when it was last looked at. */
struct image_files {
    struct map_key sum;
    uint64_t reads, heard; /* as long as it reads no more, and no system call is heard of, that is the sum */
    bool known;
};

struct images {
    bool off;
    bool failed;                        /* they are off because the memory of a rank could not be looked at */
    struct image *image[HERD_MAX];      /* owns; by animal, NULL: not looked at yet */
    struct image_files files[HERD_MAX]; /* the same */
    struct map_key outside;             /* of the animal looked at last: what the kernel keeps for it */
    bool ran[HERD_MAX];                 /* by animal: it was answered since it was looked at */
};

void images_release(struct images *);

/* One that sleeps is looked at from now on. */
void images_begin(struct images *, struct herd *, int animal);

/* An animal is answered; is about to be copied; was copied; or it is no more. */
void images_answered(struct images *, int animal);
void images_before_copy(struct images *, struct herd *, int animal);
void images_copied(struct images *, int original, int copy);
void images_gone(struct images *, int animal);

/* Looks at one that sleeps.  False: there is no image. */
bool images_take(struct images *, struct herd *, int animal, struct map_key *image);

#endif
