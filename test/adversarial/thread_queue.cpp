/*
 * C++: a thread does all communication, and is handed what is to be sent, or hands on what has come, through a queue with a mutex and a
 * condition.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 */
#include <condition_variable>
#include <mpi.h>
#include <mutex>
#include <queue>
#include <thread>

static const int ITEMS = 2;
static std::mutex mutex;
static std::condition_variable filled;
static std::queue<int> items;

static void put(int item)
{
    std::lock_guard<std::mutex> guard(mutex);
    items.push(item);
    filled.notify_one();
}

static int take()
{
    std::unique_lock<std::mutex> guard(mutex);
    filled.wait(guard, [] { return !items.empty(); });
    int item = items.front();
    items.pop();
    return item;
}

static void communicate(int rank)
{
    for (int i = 0; i < ITEMS; i++) {
        int item = rank == 1 ? take() : 0;
        if (rank == 1)
            MPI_Send(&item, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        else
            MPI_Recv(&item, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0)
            put(item);
    }
}

int main(int argc, char **argv)
{
    int rank, provided, sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::thread engine(communicate, rank);
    for (int i = 0; i < ITEMS; i++)
        if (rank == 1)
            put(i);
        else
            sum += take();
    engine.join();
    MPI_Finalize();
    return rank == 0 && sum != 1;
}
