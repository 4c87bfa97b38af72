/*
 * C++: two threads poll with MPI_Iprobe and receive what they have seen.  Both may see one message, and who comes second gets another one; or, with
 * `lost`, where there is one for both, none, and waits for ever.  Right: MPI_Improbe, which takes the message; or a mutex around both calls.
 *
 * check: -n 2 -- stolen: thread-probe error RECEIVE
 * runs: -n 2 -- stolen: merged 1
 * check: -n 2 -- lost: thread-probe error RECEIVE
 * check: -n 2 -- lost: deadlock error RECEIVE
 * runs: -n 2 -- lost: merged 5
 * check: -n 2 -- once: none
 * runs: -n 2 -- once: merged 1
 * check: -n 2 -- taken: none
 * runs: -n 2 -- taken: merged 1
 * check: -n 2 -- locked: none
 * runs: -n 2 -- locked: merged 1
 */
#include <atomic>
#include <cstring>
#include <mpi.h>
#include <mutex>
#include <thread>

static const char *kind;
static bool one_for_both; /* who gets the message tells the other thread that there will be none */
static std::atomic<bool> has_come;
static std::mutex mutex;

/* Returns whether a message was there, and what was in it. */
static bool take(int *value)
{
    int flag = 0;
    MPI_Message message;

    if (strcmp(kind, "taken") == 0 || strcmp(kind, "once") == 0) {
        MPI_Improbe(1, 3, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        if (flag)
            MPI_Mrecv(value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        return flag;
    }
    std::unique_lock<std::mutex> guard(mutex, std::defer_lock);
    if (strcmp(kind, "locked") == 0)
        guard.lock();
    MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    if (flag)
        MPI_Recv(value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVE */
    return flag;
}

static void serve()
{
    int value = 0;

    while (!(one_for_both && has_come) && !take(&value))
        std::this_thread::yield();
    has_come = true;
}

int main(int argc, char **argv)
{
    int rank, provided;

    kind = argv[1];
    one_for_both = strcmp(kind, "lost") == 0 || strcmp(kind, "once") == 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::thread one(serve), other(serve);
        one.join();
        other.join();
    } else {
        for (int i = 0; i < (one_for_both ? 1 : 2); i++)
            MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
