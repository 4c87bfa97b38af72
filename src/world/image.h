/*
 * image -- the memory of a sleeping process, as 128 bits.
 *
 * Two copies of one process that sleep with the same image do the same from there on,
 * given the same answers.  The image is the sum, over the pages that the process can
 * write and shares with nobody, of a hash of address and contents; a page of zeros and
 * a page that was never touched count the same.  Registers are on the stack (struct
 * wire_sleep).  Not in it is what the kernel keeps for the process (kernel_state.h), and
 * memory that was written and made read-only again since the last look.
 *
 * Nothing is left out for being different each time, such as a clock that was read: a
 * place that holds noise now may hold a state later, and a state may be in the noise.
 *
 * Looking again reads only pages that can have changed: those which no other process
 * maps.  Hence the law: a process is looked at before it is copied; and its copy
 * inherits the image.  Processes that the program itself forks are counted in struct
 * wire_sleep.
 */
#ifndef WORLD_IMAGE_H
#define WORLD_IMAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/map.h"
#include "base/mem.h"
#include "call/wire.h"

/* Whether mappings that are large and nearly empty can be looked at: since Linux 6.7. */
bool image_knows_sparse_memory(void);

struct image; /* what the last look saw: the hash of each page */

struct image *image_new(void);
struct image *image_copy(const struct image *); /* for a copy made of the process since the last look */
void image_free(struct image *);

/*
 * Looks (again).  The process sleeps.  `whole_stack`: it has changed stacks, so that memory below the stack pointer
 * counts, too.  -1: images of this process are not to be had.
 */
int image_look(struct image *, pid_t, const struct wire_sleep *, bool whole_stack, struct map_key *sum)
    __attribute__((warn_unused_result));

/*
 * The pages that the process can write and that no other one maps: among them is whatever it has written since it was copied, or
 * was made as a copy.  -1: that cannot be found out.
 */
struct own_pages {
    VEC(uint64_t) at; /* by address */
};
int image_own_pages(pid_t, struct own_pages *) __attribute__((warn_unused_result));

/* The pages that a process has from `start` to `end`; -1: that cannot be found out, or there are more than `most`. */
int image_present_pages(pid_t, uint64_t start, uint64_t end, size_t most, struct own_pages *)
    __attribute__((warn_unused_result));

/* What the last look saw, by address; false: there are fewer pages.  Those that count as never touched have no sum. */
bool image_page(const struct image *, size_t number, uint64_t *address, struct map_key *sum);

/* The contents of a page, as far as they count.  The process sleeps as it did. */
int image_read_page(const struct image *, pid_t, uint64_t address, void *page) __attribute__((warn_unused_result));

#endif
