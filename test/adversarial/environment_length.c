/*
 * What a rank does must not depend on which process of tourney's it is: the stack begins below the environment, so all its addresses would. Each of
 * these ranks sends itself a message, whose tag is the length of its environment.
 *
 * check: -n 10: none
 * runs: -n 10: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv)
{
    int length = 0;
    for (char **word = environ; *word; word++)
        length += (int)strlen(*word) + 1;
    MPI_Init(&argc, &argv);
    MPI_Sendrecv(NULL, 0, MPI_INT, 0, length % 10000, NULL, 0, MPI_INT, 0, length % 10000, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
