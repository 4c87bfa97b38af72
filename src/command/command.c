#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "world/program.h"

int tell(const char *text)
{
    if (fputs(text, stdout) < 0 || fflush(stdout) != 0)
        die("standard output: %s", strerror(errno));
    return 0;
}

_Noreturn void misuse(const char *what)
{
    die("%s (tourney --help)", what);
}

bool is_no_mpi_program(const char *name)
{
    char *path = program_find(name);
    bool none = !program_mpi(path);
    if (none)
        fprintf(stderr, "tourney: %s: no rank called MPI_Init; is it an MPI program?\n", name);
    free(path);
    return none;
}
