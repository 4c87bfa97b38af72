/*
 * What may be asked before init and after finalize, and the answers; init
 * without arguments; local services of every kind in between.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

static void state(const char *when)
{
    int initialized, finalized, version, subversion;

    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    MPI_Get_version(&version, &subversion);
    say("%s: initialized %d finalized %d version %d.%d", when, initialized, finalized, version,
        subversion);
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
}

static void services(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING], name[MPI_MAX_PROCESSOR_NAME];
    int length, *memory;
    double start, last, now;

    MPI_Get_library_version(text, &length);
    CHECK(length > 0 && text[0]); /* Open MPI counts the end of the string */
    MPI_Get_processor_name(name, &length);
    CHECK(length > 0 && (int)strlen(name) == length);

    start = last = MPI_Wtime();
    for (int i = 0; i < 1000; i++, last = now) {
        now = MPI_Wtime();
        CHECK(now >= last);
    }
    CHECK(last >= start && MPI_Wtick() > 0 && MPI_Wtick() < 1);

    MPI_Alloc_mem(1000 * sizeof(int), MPI_INFO_NULL, &memory);
    for (int i = 0; i < 1000; i++)
        memory[i] = rank == 0 ? i : 0;
    MPI_Bcast(memory, 1000, MPI_INT, 0, MPI_COMM_WORLD);
    say("allocated memory: %d", memory[999]);
    MPI_Free_mem(memory);
}

int main(void)
{
    state("before");
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    state("in between");
    services();
    MPI_Pcontrol(1);
    MPI_Pcontrol(0);
    MPI_Pcontrol(2, "section", 7);
    MPI_Finalize();
    state("after");
    return failures;
}
