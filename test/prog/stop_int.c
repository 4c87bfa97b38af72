/*
 * Ctrl-C while ranks compute, wait and poll: nothing stays behind.
 *
 * run: -n 4
 * compare: none
 * signal: INT
 * exit: 130
 */
#include "stop.h"
