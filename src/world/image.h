/*
 * image -- the memory of a sleeping process, as 128 bits.
 *
 * Two copies of one process that sleep with the same image do the same from there on,
 * given the same answers.  The image is the sum, over the pages that the process can
 * write and shares with nobody, of a hash of address and contents; a page of zeros and
 * a page that was never touched count the same.  Registers are on the stack (struct
 * wire_sleep).  Not in it is what the kernel keeps for the process: open files and where
 * in them it reads, signal masks; and memory that was written and made read-only again
 * since the last look.
 *
 * Looking again reads only pages that can have changed: those which no other process
 * maps.  Hence the law: a process is looked at before it is copied; and its copy
 * inherits the image.  Processes that the program itself forks are counted in struct
 * wire_sleep.
 */
#ifndef WORLD_IMAGE_H
#define WORLD_IMAGE_H

#include <sys/types.h>

#include "base/map.h"
#include "call/wire.h"

/* Words (of 8 bytes, by address) that differ between processes for no reason of the program's.  All zero: none. */
enum { IMAGE_NOISE_MAX = 64 };
struct image_noise {
    uint64_t word[IMAGE_NOISE_MAX];
    int words;
};

struct image; /* what the last look saw: the hash of each page */

struct image *image_new(void);
struct image *image_copy(const struct image *); /* for a copy made of the process since the last look */
void image_free(struct image *);

/* Looks (again).  The process sleeps.  -1: images of this process are not to be had. */
int image_look(struct image *, pid_t, const struct wire_sleep *, const struct image_noise *, struct map_key *sum)
    __attribute__((warn_unused_result));

/*
 * Two copies of one process that were answered the same, and just looked at, should be
 * the same: the words in which they differ are added to the noise.  Those of every
 * process of that rank are then left out.  -1: there are too many, so that images are
 * worth nothing, or they cannot be read.
 */
int image_noise_learn(struct image_noise *, const struct image *, pid_t, const struct image *, pid_t)
    __attribute__((warn_unused_result));

#endif
