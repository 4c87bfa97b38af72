/*
 * What a rank inherits: arguments, working directory, environment, umask; its
 * output goes out whether the program flushes or not.
 *
 * run: -n 2 one "two words" "" *
 * env: COLOUR=red
 */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char where[4096];
    const char *colour = getenv("COLOUR");
    mode_t mask = umask(0);

    umask(mask);
    begin(&argc, &argv);
    for (int i = 1; i < argc; i++)
        say("argument %d '%s'", i, argv[i]);
    say("in %s, colour %s, umask %o", getcwd(where, sizeof where), colour ? colour : "none",
        (unsigned)mask);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: without a flush\n", rank);
    return finish();
}
