/*
 * command -- what each word after `tourney` does.
 *
 * A command gets its own name as argv[0] and returns the exit code.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

int command_verify(int argc, char **argv);
int command_dist_rank(int argc, char **argv); /* started by the launcher of a job, for each rank */
int command_resume(int argc, char **argv);
int command_run(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_demo(int argc, char **argv);
int command_dump(int argc, char **argv);
int command_predict(int argc, char **argv);
int command_model(int argc, char **argv);
int command_explain_states(int argc, char **argv);
int command_report(int argc, char **argv);
int command_ask(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_setup(int argc, char **argv);

#endif
