/*
 * thread_lessons -- what a search has learned of calls of threads that compete, as a line of text.
 *
 *   ANY_TAG;RANK,THREAD,KIND,CONTEXT,PEER,TAG,TIMES;...
 *
 * as in struct wire_head (wire.h).  So journals and results keep it: a run can be repeated only with the lessons that were in force.
 */
#ifndef WORLD_THREAD_LESSONS_H
#define WORLD_THREAD_LESSONS_H

#include "call/wire.h"

/* Of what ranks have told so far, in a block to be freed; NULL: nothing. */
char *thread_lessons_text(const struct wire_head *);

/* Puts lessons in force; NULL: none.  What cannot be read is left out. */
void thread_lessons_heed(struct wire_head *, const char *text);

/* Whether ranks have told more than is in force. */
bool thread_lessons_are_new(const struct wire_head *);

#endif
