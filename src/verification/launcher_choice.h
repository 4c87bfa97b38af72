/* launcher_choice -- the launcher for jobs of a program, unless the user names one: that of its MPI library. */
#ifndef VERIFICATION_LAUNCHER_CHOICE_H
#define VERIFICATION_LAUNCHER_CHOICE_H

/* A command line, owned by the caller; NULL: the program does not say which MPI it needs. */
char *launcher_choose(const char *program);

#endif
