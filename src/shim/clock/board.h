/*
 * board -- what members of a window on a real job tell each other of who was first.
 *
 * In which order locks and atomic accesses come nobody knows but the library.  So beside each window there is a second one, the board.  A rank
 * writes there, before it does something, the number of its last remark (window_remarks.h), and who comes after it finds that.  What is found may be more than
 * really came before, never less: two accesses may be taken to be ordered that are not, but not the other way round.
 */
#ifndef SHIM_CLOCK_BOARD_H
#define SHIM_CLOCK_BOARD_H

#include "shim/clock/clocked_window.h"

/* What a member has on its board, for each member a number: its last release of the lock, the last when it had the lock alone, its last access. */
enum board_part { BOARD_RELEASED, BOARD_RELEASED_ALONE, BOARD_CALLED, BOARD_PARTS };

/* Windows are told apart by a slot as long as there are not more of them at one time. */
enum { BOARD_SLOTS = 32 };

/* Collective; also tells all what they have to know of all: units of displacements, and a slot that is free everywhere. */
void board_open(struct clocked_window *, uint64_t unit, uint64_t slots_used);
void board_close(struct clocked_window *);

/* Everybody who comes later will find it there. */
void board_write(const struct clocked_window *, int member, enum board_part, uint64_t number);

/* The numbers of all members; to be freed. */
uint64_t *board_read(const struct clocked_window *, int member, enum board_part);

/* Those on this rank's own board, without a look at the library: they may change meanwhile. */
const uint64_t *board_glance(const struct clocked_window *, enum board_part);

#endif
