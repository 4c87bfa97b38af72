/*
 * thread_number -- which thread of the rank makes the call that is being served.
 *
 * Where threads take turns (turns.h) they are counted as they are started.  Else, in a single run, they are counted as they
 * make their first call, and those after the 255th have one number.  In a search without turns nothing may depend on who
 * comes first, so all but the thread that has called MPI_Init are 1: more than one of them is an error, or refused.
 */
#ifndef SHIM_VIRTUAL_THREAD_NUMBER_H
#define SHIM_VIRTUAL_THREAD_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

uint8_t thread_number(bool in_search);

#endif
