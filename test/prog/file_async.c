/*
 * MPI-IO that does not wait: iwrite and iread in their forms, together with
 * messages in one Waitall; split collectives.
 *
 * run: -n 2 {tmp}/async
 */
#include "check.h"

static void requests(MPI_File file)
{
    int v[4], back[4] = {-1, -1, -1, -1}, peer = 1 - rank, got = -1, count;
    MPI_Request r[3];
    MPI_Status statuses[3];

    for (int i = 0; i < 4; i++)
        v[i] = 10 * rank + i;
    MPI_File_iwrite_at(file, 4 * rank, v, 2, MPI_INT, &r[0]);
    MPI_Irecv(&got, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&rank, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Waitall(3, r, statuses);
    MPI_Get_count(&statuses[0], MPI_INT, &count);
    say("with messages: %d written, got %d", count, got);
    CHECK(count == 2 && got == peer);

    MPI_File_seek(file, 4 * rank + 2, MPI_SEEK_SET);
    MPI_File_iwrite(file, &v[2], 2, MPI_INT, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_iread_at(file, 4 * peer, back, 2, MPI_INT, &r[0]);
    MPI_File_seek(file, 4 * peer + 2, MPI_SEEK_SET);
    MPI_File_iread(file, &back[2], 2, MPI_INT, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    say_ints("read", back, 4);
    CHECK(back[3] == 10 * peer + 3);
}

static void collective_requests(MPI_File file)
{
    int value = 70 + rank, back = -1;
    MPI_Request r;

    MPI_File_iwrite_at_all(file, rank, &value, 1, MPI_INT, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_seek(file, 1 - rank, MPI_SEEK_SET);
    MPI_File_iread_all(file, &back, 1, MPI_INT, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    say("collective: %d", back);
    CHECK(back == 71 - rank);
}

static void split_collectives(MPI_File file)
{
    int v[2] = {90 + rank, 95 + rank}, back[2] = {-1, -1}, count;
    MPI_Status status;

    MPI_File_write_at_all_begin(file, 2 * rank, v, 2, MPI_INT);
    MPI_File_write_at_all_end(file, v, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_seek(file, 2 * (1 - rank), MPI_SEEK_SET);
    MPI_File_read_all_begin(file, back, 2, MPI_INT);
    MPI_File_read_all_end(file, back, MPI_STATUS_IGNORE);
    say("split: %d written, read %d %d", count, back[0], back[1]);
    CHECK(back[1] == 96 - rank);
}

int main(int argc, char **argv)
{
    MPI_File file;

    begin(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    requests(file);
    MPI_Barrier(MPI_COMM_WORLD); /* read before it is written again */
    collective_requests(file);
    MPI_Barrier(MPI_COMM_WORLD);
    split_collectives(file);
    MPI_File_close(&file);
    return finish();
}
