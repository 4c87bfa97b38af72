/*
 * check -- what the test programs share: a world, lines per rank, self-checks.
 *
 * A line is one write of the whole line, so that lines of different ranks do
 * not mix. What a program says must come from communication and must not
 * depend on timing: the runner compares it, sorted, with mpiexec's.
 */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, failures;

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

__attribute__((format(printf, 1, 2))) static inline void say(const char *format, ...)
{
    char text[1000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("rank %d: %s\n", rank, text);
    fflush(stdout);
}

static inline void say_ints(const char *what, const int *v, int n)
{
    char text[900] = "";
    int used = 0;

    for (int i = 0; i < n && used < (int)sizeof text; i++)
        used += snprintf(text + used, sizeof text - used, " %d", v[i]);
    say("%s%s", what, text);
}

/* A failed check makes the exit code 1. */
#define CHECK(condition)                                              \
    do {                                                              \
        if (!(condition)) {                                           \
            failures++;                                               \
            say("line %d: not so: %s", __LINE__, #condition);         \
        }                                                             \
    } while (0)

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline int finish(void)
{
    MPI_Finalize();
    return failures ? 1 : 0;
}

/* Error codes differ between libraries and carry detail; classes are portable. */
static inline int class_of(int code)
{
    int class;

    MPI_Error_class(code, &class);
    return class;
}

#endif
