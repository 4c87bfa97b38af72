/*
 * tourney.h -- what a program can ask tourney.
 *
 * There is nothing to link with.  Outside of a search each question has a default answer.
 */
#ifndef TOURNEY_H
#define TOURNEY_H

#include <stdlib.h>

/*
 * A number from 0 to n - 1, n being at most 64.  In a search each of them is tried, as each match of a wildcard receive is; outside, and
 * in the first run of a search, it is 0.  `name` says what is chosen, in reports and for `--choose NAME=A..B`.  Each rank that
 * calls it chooses for itself: to have all of them choose the same, one chooses, and broadcasts it.  After MPI_Init.
 */
#define tourney_choose(n, name) (tourney_door()((n), (name)))

typedef int tourney_door_function(int n, const char *name);

static inline __attribute__((unused)) int tourney_without(int n, const char *name)
{
    (void)n, (void)name;
    return 0;
}

/* The program itself calls what is behind the door, so that reports have its line. */
static inline __attribute__((unused)) tourney_door_function *tourney_door(void)
{
    const char *door = getenv("TOURNEY_CHOOSE");
    return door ? (tourney_door_function *)(size_t)strtoull(door, NULL, 16) : tourney_without;
}

#endif
