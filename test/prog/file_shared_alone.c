/*
 * Shared file pointers that ranks move alone: whoever is first, no two of them get the same place.
 *
 * run: -n 3 {tmp}/shared
 */
#include "check.h"

enum { RECORDS = 4 };

/* What all ranks have, whoever has which part of it. */
static int sum_of(const int *v, int n)
{
    int mine = 0, all = 0;

    for (int i = 0; i < n; i++)
        mine += v[i];
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static long long position(MPI_File file)
{
    MPI_Offset place = -1;

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &place);
    MPI_Barrier(MPI_COMM_WORLD);
    return (long long)place;
}

/* Between two barriers on either side: what was written is there for all. */
static void settle(MPI_File file)
{
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

static void write_alone(MPI_File file)
{
    MPI_Request request;
    MPI_Status status;
    int count, record[RECORDS];

    for (int i = 0; i < RECORDS; i++)
        record[i] = 100 * rank + i;
    MPI_File_write_shared(file, &record[0], 1, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 1);
    MPI_File_iwrite_shared(file, &record[1], 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 1);
    MPI_File_write_shared(file, &record[2], 2, MPI_INT, MPI_STATUS_IGNORE);
    say("wrote up to %lld", position(file));
}

static void read_alone(MPI_File file)
{
    MPI_Request request;
    int record[RECORDS] = {-1, -1, -1, -1};

    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    say("back at %lld", position(file));
    MPI_File_read_shared(file, &record[0], 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_shared(file, &record[2], 2, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("read up to %lld, in all %d", position(file), sum_of(record, RECORDS));
    MPI_File_read_shared(file, record, 0, MPI_INT, MPI_STATUS_IGNORE);
    say("nothing moves it: %lld", position(file));
}

/* Together after alone, and alone after together. */
static void take_turns(MPI_File file)
{
    int record[2] = {1000 + rank, 2000 + rank}, got[2] = {-1, -1};

    MPI_File_seek_shared(file, -2 * size, MPI_SEEK_CUR);
    say("two for each before: %lld", position(file));
    MPI_File_write_shared(file, &record[0], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_write_ordered(file, &record[1], 1, MPI_INT, MPI_STATUS_IGNORE);
    say("and together up to %lld", position(file));
    settle(file);
    MPI_File_seek_shared(file, -size, MPI_SEEK_CUR);
    MPI_File_read_ordered_begin(file, got, 1, MPI_INT);
    MPI_File_read_ordered_end(file, got, MPI_STATUS_IGNORE);
    CHECK(got[0] == 2000 + rank);
    MPI_File_seek_shared(file, -2 * size, MPI_SEEK_END);
    MPI_File_read_shared(file, &got[0], 1, MPI_INT, MPI_STATUS_IGNORE);
    say("at the end, in all %d", sum_of(got, 1));
}

int main(int argc, char **argv)
{
    MPI_File file, own;
    MPI_Offset place;
    char name[600];
    int got = -1;

    begin(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    write_alone(file);
    settle(file);
    read_alone(file);
    settle(file);
    take_turns(file);
    settle(file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    say("a new view: %lld", position(file));
    MPI_File_close(&file);

    /* A file of one rank has a shared pointer, too. */
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &own);
    MPI_File_write_shared(own, &(int){7}, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_shared(own, &(int){8}, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_position_shared(own, &place);
    MPI_File_seek_shared(own, 4, MPI_SEEK_SET);
    MPI_File_read_shared(own, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    say("alone: %lld, %d", (long long)place, got);
    MPI_File_close(&own);
    return finish();
}
