/*
 * Communicators that are not freed, four of one line and one of another; freed in
 * time, or as late as MPI_Finalize lets do it: when it deletes the attributes of
 * MPI_COMM_SELF.
 *
 * check: -n 3 -- wrong: comm-leak warning FOUR
 * check: -n 3 -- wrong: comm-leak warning SPLIT
 * check: -n 3: none
 * check: -n 3 -- late late: none
 */
#include <mpi.h>

static MPI_Comm comm[4], half;

static int free_all(MPI_Comm self, int key, void *value, void *extra)
{
    for (int i = 0; i < 4; i++)
        MPI_Comm_free(&comm[i]);
    MPI_Comm_free(&half);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, key;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 4; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]); /* FOUR */
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half); /* SPLIT */
    if (argc == 1) {
        free_all(MPI_COMM_SELF, 0, 0, 0);
    } else if (argc == 3) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_all, &key, 0);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, 0);
    }
    MPI_Finalize();
    return 0;
}
