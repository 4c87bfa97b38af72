/*
 * command -- what each word after `tourney` does.
 *
 * A command gets its own name as argv[0] and returns the exit code.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include <stdbool.h>

int command_verify(int argc, char **argv);
int command_dist_rank(int argc, char **argv); /* started by the launcher of a job, for each rank */
int command_resume(int argc, char **argv);
int command_run(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_demo(int argc, char **argv);
int command_dump(int argc, char **argv);
int command_predict(int argc, char **argv);
int command_model(int argc, char **argv);
int command_report(int argc, char **argv);
int command_ask(int argc, char **argv);

/* What they share. */

/* Prints an answer, which is worth nothing if it does not arrive; returns 0. */
int tell(const char *text);
extern const char usage[]; /* from options.table */
_Noreturn void misuse(const char *what);

/* No rank has called MPI_Init: fine for a program that could have; else says so, and true. */
bool is_no_mpi_program(const char *name);

#endif
