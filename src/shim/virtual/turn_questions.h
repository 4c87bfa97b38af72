/*
 * turn_questions -- what a rank whose threads take turns asks tourney: whose request is complete, and who is to go on.
 */
#ifndef SHIM_VIRTUAL_TURN_QUESTIONS_H
#define SHIM_VIRTUAL_TURN_QUESTIONS_H

#include "call/op.h"
#include "shim/virtual/turn_state.h"

/* Which of the threads with these numbers goes on, since its request is complete; NULL: none now. */
struct thread *ask_who_is_complete(const bool *in);

/*
 * The same of all: OP_TEST; or when one of them can: OP_WAIT; NULL: no thread waits for requests.  Where less slack is looked at, and some would
 * have to wait with less while others would not, it is a choice who goes on: in one of the runs the rank does what it does with less slack.
 */
struct thread *ask_all(enum op_kind);

/* One whose request is surely complete goes on, though others can, too: this is asked only because with less slack it would not be. */
struct thread *ask_for_sure(struct thread *);

/* Whether it waits, as with less slack it may, until no other thread can go on: a choice, where less slack is looked at. */
bool choose_to_hold(const struct thread *);

/* Which of these goes on first is a choice. */
struct thread *choose_thread(struct thread **among, uint32_t n);

/* Something that threads do at this place cannot be had while they take turns. */
_Noreturn void turn_refuse(const void *place, const char *why);

/* Nobody can go on, and nobody waits for what others could bring: tourney is told so by a wait for nothing. */
_Noreturn void tell_blocked(void);

#endif
