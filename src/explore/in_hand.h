/*
 * in_hand -- the run that the search is at, for BUG() to tell (base/bug_context.h).
 *
 * One decision a line, as a JSON object with the members that it has in result.json (doc/result.md), from the beginning
 * of the run to the decision that was being made.  Operations are numbered as on the way on which their rank's history
 * was first met: where histories were merged, the run in hand may have come another way.
 */
#ifndef EXPLORE_IN_HAND_H
#define EXPLORE_IN_HAND_H

/* Of a struct explorer. */
void search_describe_run(const void *explorer);

#endif
