/*
 * Tourney is killed while ranks compute, wait and poll: nothing stays behind.
 *
 * run: -n 4
 * compare: none
 * signal: KILL
 * exit: -9
 * timeout: 20
 */
#include "stop.h"
