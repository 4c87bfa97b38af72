#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "world/program.h"

const char usage[] =
    "usage: tourney -n N [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "       tourney run -n N [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "       tourney resume DIR | report DIR [-o FILE] | dump FILE [--json]\n"
    "       tourney predict FILE [OPTIONS]\n"
    "Plays out every match that wildcard receives, probes, waitany and polls allow,\n"
    "each once, whatever MPI buffers, and keeps what it finds; resume goes on with\n"
    "it, report shows it as an HTML page.  run: once, as under mpiexec; dump: its\n"
    "record; predict: can others hang?\n"
    "  -n N                 number of ranks\n"
    "  --buffering=KIND     which standard sends return before they are received:\n"
    "                       infinite, all; zero, none; eager=BYTES, those of at most\n"
    "                       BYTES bytes; any, as MPI likes (default; run: infinite)\n"
    "  --max-runs N, --time SECONDS, --stop-first   when to stop early\n"
    "  --mix-bound K, --sample N   runs with at most K+1 deviations; N at random\n"
    "  --no-merge, --jobs N   every order on its own; processors to use (all)\n"
    "  -W KIND=error|warning|note|off, --suppressions FILE, --gen-suppressions,\n"
    "  --error-exitcode N   what to think of findings; --each-args FILE: inputs\n"
    "  -o DIR, --quiet      result to DIR, not tourney.out; no progress\n"
    "  --hang-timeout=S     report ranks that make no call for S s (60; run: never)\n"
    "  -o, --record FILE    run: write the execution to FILE\n"
    "  --tag-output, --real-time   run: lines begin with [RANK]; MPI_Wtime is real\n"
    "Exit code: 0 all runs ended well, 1 defects, 2 stopped early without; run: the\n"
    "program's own, 1 for a deadlock or an MPI error, 128+S if a rank died of\n"
    "signal S; 3 if tourney could not run the program.\n"
    "Examples: tourney -n 4 ./solver input.dat\n"
    "  tourney run -n 3 --buffering=zero -o run.tny ./ring && tourney dump run.tny\n";

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
