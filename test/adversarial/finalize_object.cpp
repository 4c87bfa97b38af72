/*
 * An object that lives as long as the program starts MPI and ends it: in main, as a global, or made on first use.
 *
 * check: -n 2 -- global: none
 * runs: -n 2 -- global: 1, merged 1
 * check: -n 2 -- local: none
 * runs: -n 2 -- local: 1, merged 1
 * check: -n 2 -- first: none
 * runs: -n 2 -- first: 1, merged 1
 * check: -n 2 -- none: no-finalize error -
 * runs: -n 2 -- none: 1, merged 1
 */
#include <cstring>
#include <mpi.h>

static const char *how = "";

struct environment {
    const char *name;

    explicit environment(const char *name) : name(name) {}
    ~environment()
    {
        if (std::strcmp(how, name) == 0)
            MPI_Finalize();
    }
};

static environment global("global");

static void use()
{
    static environment first("first");
}

int main(int argc, char **argv)
{
    environment local("local");

    how = argv[1];
    use();
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
