/*
 * parts_shown -- the boards on which ranks show each other their parts in collectives (call/part_board.h).
 */
#ifndef SHIM_VIRTUAL_PARTS_SHOWN_H
#define SHIM_VIRTUAL_PARTS_SHOWN_H

#include <stdbool.h>

#include "call/part_board.h"

void parts_open(struct part_board *boards, rank_t own);

/* A slot for a communicator with these members, a bit for each; -1: there is none left. */
int parts_take_slot(context_t, uint64_t members);
/* The communicator is gone. */
void parts_leave_slot(int slot);
/* These have all joined a collective that this rank has joined, too, and waited for. */
void parts_met(uint64_t members);

/* Shows this rank's part, which is no longer than MAIL_MOST, to all others. */
void parts_show(int slot, const struct op *record);

/* The slot of a communicator on the board of another rank; -1: it has none yet. */
int parts_find_slot(rank_t, context_t);
/* What this rank has shown in its slot for this turn; NULL: nothing yet. */
const struct op *parts_find(rank_t, int slot, int32_t turn);

#endif
