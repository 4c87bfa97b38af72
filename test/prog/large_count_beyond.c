/*
 * Counts, displacements and sizes above 2^32, without the memory for so much data: receives with much more room than what comes, places far apart in
 * memory that is never touched between them, and datatypes without data.
 *
 * run: -n 2
 * mpi: mpich
 */
#include "check.h"

#include <sys/mman.h>

static const MPI_Count beyond = ((MPI_Count)1 << 32) + 1; /* 1 in 32 bits */
static char *memory;

static void messages(void)
{
    char sent[3] = {1, 2, 3};
    MPI_Count count, elements;
    MPI_Datatype empty;
    MPI_Status status;

    MPI_Type_contiguous_c(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    if (rank == 0) {
        MPI_Send_c(sent, 3, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Send_c(sent, beyond, empty, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv_c(memory, beyond, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count_c(&status, MPI_BYTE, &count);
        say("received %d %d %d, count %d", memory[0], memory[1], memory[2], (int)count);
        MPI_Recv_c(memory, beyond, empty, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_elements_c(&status, empty, &elements);
        CHECK(count == 3 && elements == 0);
    }
    MPI_Bcast_c(sent, beyond, empty, 0, MPI_COMM_WORLD);
    MPI_Type_free(&empty);
}

static void collectives(void)
{
    char mine = (char)(rank + 1);
    MPI_Count counts[2] = {1, 1};
    MPI_Aint places[2] = {5, beyond};
    MPI_Request request;

    MPI_Gatherv_c(&mine, 1, MPI_BYTE, memory, counts, places, MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK(rank != 0 || (memory[5] == 1 && memory[beyond] == 2));
    memory[5] = memory[beyond] = 0;
    MPI_Iallgatherv_c(&mine, 1, MPI_BYTE, memory, counts, places, MPI_BYTE, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("gathered %d %d", memory[5], memory[beyond]);
    CHECK(memory[5] == 1 && memory[beyond] == 2);
}

static void datatypes(void)
{
    MPI_Count size_c, low, extent, integers, addresses, large, types, count[1], elements;
    MPI_Datatype apart, long_one, inner;
    MPI_Status status;
    MPI_Aint address;
    int integer, combiner, size_of_int, peer = 1 - rank;

    MPI_Type_vector_c(2, 1, beyond, MPI_BYTE, &apart);
    MPI_Type_commit(&apart);
    MPI_Type_size_c(apart, &size_c);
    MPI_Type_get_extent_c(apart, &low, &extent);
    CHECK(size_c == 2 && low == 0 && extent == beyond + 1);
    memory[0] = (char)(10 + rank);
    memory[beyond] = (char)(20 + rank);
    MPI_Sendrecv_c(memory, 1, apart, peer, 2, memory + 1000, 1, apart, peer, 2, MPI_COMM_WORLD, &status);
    MPI_Get_elements_c(&status, apart, &elements);
    say("apart %d %d, elements %d", memory[1000], memory[1000 + beyond], (int)elements);
    CHECK(memory[1000] == 10 + peer && memory[1000 + beyond] == 20 + peer);
    MPI_Type_free(&apart);

    MPI_Type_contiguous_c(beyond, MPI_INT, &long_one);
    MPI_Type_size_c(long_one, &size_c);
    MPI_Type_size(long_one, &size_of_int);
    CHECK(size_c == beyond * (MPI_Count)sizeof(int) && size_of_int == MPI_UNDEFINED);
    MPI_Type_get_envelope_c(long_one, &integers, &addresses, &large, &types, &combiner);
    CHECK(integers == 0 && addresses == 0 && large == 1 && types == 1 && combiner == MPI_COMBINER_CONTIGUOUS);
    MPI_Type_get_contents_c(long_one, 0, 0, 1, 1, &integer, &address, count, &inner);
    CHECK(count[0] == beyond && inner == MPI_INT);
    MPI_Type_free(&long_one);
}

static void statuses(void)
{
    MPI_Status status = {0};
    MPI_Count count, elements, bytes;
    int small;

    MPI_Status_set_elements_x(&status, MPI_INT, beyond);
    MPI_Get_count_c(&status, MPI_INT, &count);
    MPI_Get_elements_c(&status, MPI_INT, &elements);
    MPI_Get_count(&status, MPI_INT, &small);
    CHECK(count == beyond && elements == beyond && small == MPI_UNDEFINED);
    MPI_Pack_size_c(beyond, MPI_INT, MPI_COMM_WORLD, &bytes);
    CHECK(bytes >= beyond * (MPI_Count)sizeof(int));
}

int main(int argc, char **argv)
{
    size_t room = (size_t)beyond + 4096;

    begin(&argc, &argv);
    memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    messages();
    collectives();
    datatypes();
    statuses();
    munmap(memory, room);
    return finish();
}
