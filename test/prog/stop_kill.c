/*
 * Tourney is killed while ranks compute, wait and poll: nothing stays behind.
 *
 * run: -n 4
 * compare: none
 * signal: KILL
 * exit: -9
 */
#include "stop.h"
