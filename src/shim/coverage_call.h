/*
 * coverage_call -- calls of MPI, for the library that notes which code a rank runs (shim/coverage).
 *
 * The shim refers to it weakly: it is there only while inputs are tried.
 */
#ifndef SHIM_COVERAGE_CALL_H
#define SHIM_COVERAGE_CALL_H

/* The program makes a call that returns to this place. */
extern void tourney_coverage_call(const void *place) __attribute__((weak, visibility("default")));

#endif
