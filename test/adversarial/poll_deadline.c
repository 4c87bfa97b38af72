/*
 * A rank gives up after 100 polls.  If the message comes when few are left, but for the last one, `hurries` says that it has no time to answer: the
 * other one waits for that.
 *
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 * assumed: -n 2 -- right: polls: 1, 2, 4, 8 rounds and so on after the first and before the last one
 * check: -n 2 -- hurries: deadlock error ANSWERED
 * runs: -n 2 -- hurries: merged 2
 */
#include <mpi.h>
#include <string.h>

enum { POLLS = 100, FEW = 4, QUESTION = 1, ANSWER };

int main(int argc, char **argv)
{
    int rank, flag = 0, asked = 0;
    const char *how = argv[argc - 1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!flag && asked < POLLS) {
            MPI_Iprobe(1, QUESTION, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* ASKS */
            asked++;
        }
        MPI_Recv(NULL, 0, MPI_INT, 1, QUESTION, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(how, "hurries") != 0 || asked == POLLS || POLLS - asked > FEW)
            MPI_Send(NULL, 0, MPI_INT, 1, ANSWER, MPI_COMM_WORLD);
    } else {
        MPI_Send(NULL, 0, MPI_INT, 0, QUESTION, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* ANSWERED */
    }
    MPI_Finalize();
    return 0;
}
