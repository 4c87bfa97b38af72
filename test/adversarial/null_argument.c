/*
 * A null pointer where MPI writes to: the libraries return an error of class MPI_ERR_ARG (Open MPI for requests and groups
 * MPI_ERR_REQUEST and MPI_ERR_GROUP).  The program that asked for errors goes on, the one that did not is stopped.
 *
 * check: -n 1: invalid-argument error FATAL
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- return: invalid-argument warning RANK
 * check: -n 1 -- return: invalid-argument warning SIZE
 * check: -n 1 -- return: invalid-argument warning REQUEST
 * check: -n 1 -- return: invalid-argument warning WAITALL
 * check: -n 1 -- return: invalid-argument warning FLAG
 * check: -n 1 -- return: invalid-argument warning COMMIT
 * check: -n 1 -- return: invalid-argument warning DUP
 * check: -n 1 -- return: invalid-argument warning COUNTS
 * check: -n 1 -- return: invalid-argument warning GROUP
 * runs: -n 1 -- return: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

static void expect(int code, int class)
{
    int got;
    MPI_Error_class(code, &got);
    if (code == MPI_SUCCESS || (got != class && got != MPI_ERR_ARG))
        abort();
}

int main(int argc, char **argv)
{
    int v = 0, displs[1] = {0};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    if (argc == 1)
        MPI_Comm_size(MPI_COMM_WORLD, NULL); /* FATAL */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    expect(MPI_Comm_rank(MPI_COMM_WORLD, NULL), MPI_ERR_ARG); /* RANK */
    expect(MPI_Comm_size(MPI_COMM_WORLD, NULL), MPI_ERR_ARG); /* SIZE */
    expect(MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_REQUEST); /* REQUEST */
    expect(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST); /* WAITALL */
    expect(MPI_Test(&request, NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG); /* FLAG */
    expect(MPI_Type_commit(NULL), MPI_ERR_TYPE); /* COMMIT */
    expect(MPI_Comm_dup(MPI_COMM_WORLD, NULL), MPI_ERR_ARG); /* DUP */
    expect(MPI_Gatherv(&v, 1, MPI_INT, &v, NULL, displs, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_ARG); /* COUNTS */
    expect(MPI_Group_free(NULL), MPI_ERR_GROUP); /* GROUP */
    if (MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        abort();
    MPI_Group_free(&group);
    MPI_Finalize();
    return 0;
}
