/*
 * turn_order -- which thread of a rank has the next turn.
 *
 * Those that can go on at once come first: what they do until they stop again commutes with all that others are about to do.  When all have
 * stopped, one out of a persistent set goes on, which is a choice.
 */
#ifndef SHIM_VIRTUAL_TURN_ORDER_H
#define SHIM_VIRTUAL_TURN_ORDER_H

#include "shim/virtual/turn_state.h"

/* Does not return if none can go on ever again. */
struct thread *next_thread(void);

/* Whether another thread can go on before something comes from outside. */
bool somebody_else_may_go_on(void);

/* The same without those that wait for requests. */
bool somebody_else_goes_on_by_itself(void);

#endif
