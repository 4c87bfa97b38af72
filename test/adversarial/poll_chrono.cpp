/*
 * Rank 0 asks until five seconds have passed, by the clocks of C++, and then does not take the message.  With `right` it does.
 *
 * check: -n 2 -- steady: lost-message warning SENT
 * check: -n 2 -- steady: buffering-deadlock error SENT
 * runs: -n 2 -- steady: 3, merged 2
 * check: -n 2 -- system: lost-message warning SENT
 * check: -n 2 -- system: buffering-deadlock error SENT
 * runs: -n 2 -- system: 3, merged 2
 * check: -n 2 -- steady right: none
 * runs: -n 2 -- steady right: 3, merged 1
 */
#include <mpi.h>

#include <chrono>
#include <string>

template <typename clock> static bool ask()
{
    int seen = 0;
    auto start = clock::now();

    while (!seen && clock::now() - start < std::chrono::seconds(5))
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE);
    return seen;
}

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* SENT */
    } else {
        bool steady = std::string(argv[1]) == "steady";
        bool seen = steady ? ask<std::chrono::steady_clock>() : ask<std::chrono::system_clock>();

        if (seen || argc == 3)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
