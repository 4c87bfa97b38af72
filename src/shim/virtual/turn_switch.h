/*
 * turn_switch -- hands the turn from one thread of a rank to another.
 */
#ifndef SHIM_VIRTUAL_TURN_SWITCH_H
#define SHIM_VIRTUAL_TURN_SWITCH_H

#include "shim/virtual/turn_state.h"

/* The thread that has the turn, and has said in its state why it gives it up, waits until it has it again. */
void hand_on(struct thread *self);

/* The same of one that looks again and again whether another thread has changed memory. */
void hand_on_spinning(struct thread *self);

/* The same in an MPI call, in which others may be meanwhile. */
void hand_on_inside(struct thread *self, enum turn_state state);

/* A thread that is new waits for its first turn; one that ends gives it up, and whoever has it next waits until that one is gone. */
void wait_for_first_turn(struct thread *self);
void leave_turn(struct thread *self);

#endif
