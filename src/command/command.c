#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "world/program.h"

const char usage[] =
    "usage: tourney -n N [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "       tourney run | dist -n N [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "       tourney resume DIR | replay DIR ID | report DIR | dump FILE [--json]\n"
    "       tourney predict FILE | model -n N PROGRAM [--emit=X] | ask FILE | demo\n"
    "Plays out every match that wildcard receives, probes, waitany and polls allow,\n"
    "each once, whatever MPI buffers; resume goes on with it, replay shows a finding\n"
    "again, report makes a page.  run: once, as mpiexec; predict: can others hang?\n"
    "  -n N ranks; dist, real jobs: --launcher --clock --parallel-jobs --show-output\n"
    "  --buffering=KIND     which standard sends return before they are received:\n"
    "                       infinite, all; zero, none; eager=BYTES, those of at most\n"
    "                       BYTES bytes; any, as MPI likes (default; run: infinite)\n"
    "  --max-runs N, --time SECONDS, --stop-first   when to stop early\n"
    "  --mix-bound K, --sample N   runs with at most K+1 deviations; N at random\n"
    "  --engine=auto|explore|predict, --no-merge, --jobs N   who looks, and how\n"
    "  -W KIND=error|warning|note|off, --suppressions FILE, --gen-suppressions,\n"
    "  --error-exitcode N   what to think of findings; --each-args FILE: inputs\n"
    "  -o DIR, --quiet, --color=auto|always|never   result to DIR; no progress\n"
    "  --hang-timeout=S     report ranks that make no call for S s (60; run: never)\n"
    "  --sarif FILE, --junit FILE, --ci   findings for other tools; for GitHub\n"
    "  --step K, --steps, --gdb, --vscode   replay: stop there; list steps; debug\n"
    "  -o, --record FILE, --tag-output, --real-time   run: keep; [RANK]; MPI_Wtime\n"
    "Exit code: 0 all runs ended well, 1 defects, 2 stopped early without; run: the\n"
    "program's own, 1 for a deadlock or an MPI error, 128+S if a rank died of signal\n"
    "S; 3 if tourney could not run it.   Example: tourney -n 4 ./solver input.dat\n";

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
