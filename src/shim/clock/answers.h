/*
 * answers -- what the library says to the operation that was posted last.
 */
#ifndef SHIM_CLOCK_ANSWERS_H
#define SHIM_CLOCK_ANSWERS_H

#include <stdbool.h>

/* Completions: those that wait and those that do not; whether it says yes. */
void answer_wait(void);
bool answer_test(void);

/* Probes of both kinds; whether something was seen. */
bool answer_probe(void);

#endif
