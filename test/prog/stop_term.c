/*
 * Tourney is asked to end while ranks compute, wait and poll: nothing stays behind.
 *
 * run: -n 4
 * compare: none
 * signal: TERM
 * exit: 143
 */
#include "stop.h"
