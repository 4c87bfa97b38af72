/*
 * More communicators than a rank has slots for, one after the other and several at a time, with collectives on each of them: a rank may still be in the
 * last one of a communicator that others have freed, who talk to a third.  Every sum is checked.
 *
 * run: -n 2 100
 * compare: openmpi
 * run: -n 4 100
 * run: -n 5 40
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEPT = 40 };

static int rank, size, wrong;

static void be_late(int round)
{
    static volatile int worked;
    if ((round * 7 + rank * 13) % 11 == 0)
        for (int i = 0; i < 50000; i++)
            worked += i;
}

static void check_sum(MPI_Comm comm, int value)
{
    int members, sum, expected = 0, all[64];
    MPI_Comm_size(comm, &members);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < members; i++)
        expected += all[i];
    if (sum != expected || (members == size && sum != size * (size - 1) / 2 + size * (value - rank))) {
        printf("rank %d: the sum is %d\n", rank, sum);
        wrong = 1;
    }
}

/* The last one to read what a collective brought may do so when others have made the next communicator. */
static void use_for_a_while(int round)
{
    MPI_Comm all, some;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_split(all, (rank + round) % 2, rank, &some);
    check_sum(all, rank + round);
    be_late(round);
    check_sum(some, rank + 2 * round);
    be_late(round + 1);
    check_sum(some, rank + 3 * round);
    MPI_Comm_free(&some);
    MPI_Comm_free(&all);
}

/* Rank 0 with one of the others after the other, of whom the last one may be slow to read what it was shown. */
static void meet_in_pairs(int round)
{
    MPI_Group world, pair;
    MPI_Comm comm;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int other = 1; other < size; other++) {
        if (rank != 0 && rank != other)
            continue;
        int members[2] = {0, other};
        MPI_Group_incl(world, 2, members, &pair);
        MPI_Comm_create_group(MPI_COMM_WORLD, pair, other, &comm);
        for (int i = 0; i < 3; i++) {
            int value = round + rank, sum;
            MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
            if (sum != 2 * round + other) {
                printf("rank %d: the sum with %d is %d\n", rank, rank ? 0 : other, sum);
                wrong = 1;
            }
        }
        MPI_Comm_free(&comm);
        MPI_Group_free(&pair);
    }
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    MPI_Comm kept[KEPT];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    for (int round = 0; round < rounds; round++)
        use_for_a_while(round);
    for (int i = 0; i < KEPT; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &kept[i]);
        check_sum(kept[i], rank + i);
    }
    for (int i = 0; i < KEPT; i++) {
        check_sum(kept[i], rank + i);
        MPI_Comm_free(&kept[i]);
    }
    for (int round = 0; round < rounds; round++)
        use_for_a_while(round);
    for (int round = 0; round < rounds; round++)
        meet_in_pairs(round);
    MPI_Finalize();
    return wrong;
}
