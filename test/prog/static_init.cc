/*
 * C++: a static constructor that initializes MPI before main, a static
 * destructor that finalizes it after main, exceptions and containers between.
 *
 * run: -n 3
 */
#include <mpi.h>

#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct session {
    int before = -1, rank = -1, size = 0;

    session()
    {
        MPI_Initialized(&before);
        if (!before)
            MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }

    ~session()
    {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (!finalized)
            MPI_Finalize();
    }
};

session world;

void say(const std::string &text)
{
    std::printf("rank %d: %s\n", world.rank, text.c_str());
    std::fflush(stdout);
}

std::vector<int> gather_all(const std::vector<int> &mine)
{
    std::vector<int> all(mine.size() * world.size);

    MPI_Allgather(mine.data(), (int)mine.size(), MPI_INT, all.data(), (int)mine.size(), MPI_INT,
                  MPI_COMM_WORLD);
    return all;
}

void throwing_handler(MPI_Comm *, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    MPI_Error_string(*code, text, &length);
    throw std::runtime_error("an MPI error");
}

} // namespace

int main()
{
    std::vector<int> mine(3);
    MPI_Errhandler handler;
    int initialized = 0;

    MPI_Initialized(&initialized);
    say("initialized before the constructor " + std::to_string(world.before) + ", in main " +
        std::to_string(initialized));
    std::iota(mine.begin(), mine.end(), 10 * world.rank);
    std::vector<int> all = gather_all(mine);
    say("sum " + std::to_string(std::accumulate(all.begin(), all.end(), 0)));
    MPI_Comm_create_errhandler(throwing_handler, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    try {
        MPI_Send(mine.data(), 1, MPI_INT, world.size + 5, 0, MPI_COMM_WORLD);
        say("no exception");
    } catch (const std::exception &e) {
        say(std::string("caught ") + e.what());
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    return all[0] == 0 ? 0 : 1;
}
