/*
 * Derived datatypes at the origin, at the target, and on both sides.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <stddef.h>
#include <string.h>

#include <mpi.h>

#include "check_value.h"

enum { PLACES = 64 };

struct record {
    char letter;
    int number;
    double real;
};

static union {
    int numbers[PLACES];
    struct record records[4];
} window;
static int *place = window.numbers;
static MPI_Win win, bytes;

static void clear(void)
{
    memset(&window, 0, sizeof window);
    MPI_Win_fence(0, win);
}

static void vector_to_vector(void)
{
    int values[12];
    MPI_Datatype thin, thick;

    MPI_Type_vector(6, 1, 2, MPI_INT, &thin);
    MPI_Type_vector(2, 3, 5, MPI_INT, &thick);
    MPI_Type_commit(&thin);
    MPI_Type_commit(&thick);
    for (int i = 0; i < 12; i++)
        values[i] = i;
    clear();
    if (rank == 0)
        MPI_Put(values, 1, thin, 1, 1, 1, thick, win);
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 1 && i < 10; i++) {
        static const int wanted[10] = {0, 0, 2, 4, 0, 0, 6, 8, 10, 0};

        CHECK(place[i] == wanted[i]);
    }
    memset(values, -1, sizeof values);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(values, 1, thin, 1, 1, 1, thick, win);
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 0 && i < 12; i++)
        CHECK(values[i] == (i % 2 == 0 ? i : -1));
    MPI_Type_free(&thin);
    MPI_Type_free(&thick);
}

static void indexed(void)
{
    int values[4] = {1, 2, 3, 4}, lengths[3] = {1, 2, 1}, places[3] = {9, 2, 6};
    MPI_Datatype scattered;

    MPI_Type_indexed(3, lengths, places, MPI_INT, &scattered);
    MPI_Type_commit(&scattered);
    clear();
    if (rank == 1)
        MPI_Put(values, 4, MPI_INT, 0, 0, 1, scattered, win);
    MPI_Win_fence(0, win);
    CHECK(rank == 1 || (place[9] == 1 && place[2] == 2 && place[3] == 3 && place[6] == 4 && place[0] == 0));
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(values, 4, MPI_INT, 0, 0, 1, scattered, MPI_PROD, win);
    MPI_Win_fence(0, win);
    CHECK(rank == 1 || (place[9] == 1 && place[2] == 4 && place[3] == 9 && place[6] == 16 && place[0] == 0));
    MPI_Type_free(&scattered);
}

static void records(void)
{
    struct record mine[2] = {{'a', 1, 1.5}, {'b', 2, 2.5}}, back[2];
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3] = {offsetof(struct record, letter), offsetof(struct record, number), offsetof(struct record, real)};
    MPI_Datatype types[3] = {MPI_CHAR, MPI_INT, MPI_DOUBLE}, fields, record;

    MPI_Type_create_struct(3, lengths, places, types, &fields);
    MPI_Type_create_resized(fields, 0, sizeof *mine, &record);
    MPI_Type_commit(&record);
    MPI_Type_free(&fields);
    clear();
    MPI_Win_fence(0, bytes);
    MPI_Put(mine, 2, record, 1 - rank, sizeof *mine, 2, record, bytes);
    MPI_Win_fence(0, bytes);
    for (int i = 0; i < 2; i++) {
        CHECK(window.records[1 + i].letter == 'a' + i);
        CHECK(window.records[1 + i].number == 1 + i);
        CHECK(window.records[1 + i].real == 1.5 + i);
    }
    MPI_Get(back, 2, record, 1 - rank, sizeof *mine, 2, record, bytes);
    MPI_Win_fence(0, bytes);
    CHECK(back[1].letter == 'b' && back[1].number == 2 && back[1].real == 2.5);
    MPI_Type_free(&record);
}

static void subarrays(void)
{
    int values[16], sizes[2] = {4, 4}, part[2] = {2, 3}, from[2] = {1, 1}, to[2] = {2, 0};
    MPI_Datatype here, there;

    MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_C, MPI_INT, &here);
    MPI_Type_create_subarray(2, sizes, part, to, MPI_ORDER_C, MPI_INT, &there);
    MPI_Type_commit(&here);
    MPI_Type_commit(&there);
    for (int i = 0; i < 16; i++)
        values[i] = i;
    clear();
    MPI_Put(values, 1, here, 1 - rank, 0, 1, there, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 16; i++)
        CHECK(place[i] == (i / 4 >= 2 && i % 4 < 3 ? i - 3 : 0));
    MPI_Type_free(&here);
    MPI_Type_free(&there);
}

/* A type of types, freed before the operation is complete. */
static void nested(void)
{
    int values[4] = {1, 2, 3, 4};
    MPI_Datatype pair, pairs;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_hvector(2, 1, 20, pair, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Type_free(&pair);
    clear();
    MPI_Accumulate(values, 4, MPI_INT, 1 - rank, 0, 1, pairs, MPI_SUM, win);
    MPI_Type_free(&pairs);
    MPI_Win_fence(0, win);
    CHECK(place[0] == 1 && place[1] == 2 && place[5] == 3 && place[6] == 4 && place[2] == 0);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_create(&window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(&window, sizeof window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &bytes);
    vector_to_vector();
    indexed();
    records();
    subarrays();
    nested();
    MPI_Win_free(&bytes);
    MPI_Win_free(&win);
    return end();
}
