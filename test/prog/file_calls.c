/*
 * Files: every collective call, the split and the ordered ones, nonblocking
 * access next to messages, and the ways in which opening can fail.  It checks itself:
 * Open MPI may hang when a file is opened again soon after it was closed.
 *
 * run: -n 1
 * run: -n 3
 * run: -n 4
 * compare: none
 */
#include <unistd.h>

#include "check.h"

enum { N = 64 };
static const int RW = MPI_MODE_RDWR;

static MPI_File opened(const char *name, int amode)
{
    MPI_File file;
    CHECK(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file) == MPI_SUCCESS);
    return file;
}

static void fill(int *v, int first)
{
    for (int i = 0; i < N; i++)
        v[i] = first + i;
}

static int is_filled(const int *v, int first)
{
    for (int i = 0; i < N; i++)
        if (v[i] != first + i)
            return 0;
    return 1;
}

static int count_of(MPI_Status *status)
{
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    return count;
}

static void opening(void)
{
    MPI_File file;
    int amode, n;
    MPI_Group group;

    int error = MPI_File_open(MPI_COMM_WORLD, "opening", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK(class_of(error) == MPI_ERR_NO_SUCH_FILE);

    file = opened("opening", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY);
    MPI_File_get_amode(file, &amode);
    CHECK(amode == (MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY));
    MPI_File_get_group(file, &group);
    MPI_Group_size(group, &n);
    CHECK(n == size);
    MPI_Group_rank(group, &n);
    CHECK(n == rank);
    MPI_Group_free(&group);
    MPI_File_close(&file);
    CHECK(file == MPI_FILE_NULL);

    error = MPI_File_open(MPI_COMM_WORLD, "opening", MPI_MODE_CREATE | MPI_MODE_EXCL | RW, MPI_INFO_NULL, &file);
    say("exclusive twice: %s", class_of(error) == MPI_ERR_FILE_EXISTS ? "exists" : "other");

    file = opened("opening", MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | RW);
    MPI_File_close(&file);
    CHECK(access("opening", F_OK) != 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void explicit_offsets(void)
{
    int v[N], w[N];
    MPI_Status status;
    MPI_File file = opened("explicit_offsets", MPI_MODE_CREATE | RW);
    int next = (rank + 1) % size;

    fill(v, rank * 1000);
    CHECK(MPI_File_write_at_all(file, (MPI_Offset)rank * sizeof v, v, N, MPI_INT, &status) == MPI_SUCCESS);
    CHECK(count_of(&status) == N);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    CHECK(MPI_File_read_at_all(file, (MPI_Offset)next * sizeof v, w, N, MPI_INT, &status) == MPI_SUCCESS);
    CHECK(count_of(&status) == N && is_filled(w, next * 1000));
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);

    fill(v, rank * 1000 + 7);
    MPI_File_write_at_all_begin(file, (MPI_Offset)rank * sizeof v, v, N, MPI_INT);
    MPI_File_write_at_all_end(file, v, &status);
    CHECK(count_of(&status) == N);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at_all_begin(file, (MPI_Offset)next * sizeof v, w, N, MPI_INT);
    MPI_File_read_at_all_end(file, w, &status);
    CHECK(count_of(&status) == N && is_filled(w, next * 1000 + 7));
    MPI_File_close(&file);
}

static void views(void)
{
    int v[N], w[N];
    MPI_Status status;
    MPI_Datatype every;
    MPI_Offset bytes;
    MPI_File file = opened("views", MPI_MODE_CREATE | RW);

    MPI_Type_vector(N, 1, size, MPI_INT, &every);
    MPI_Type_commit(&every);
    CHECK(MPI_File_set_view(file, rank * sizeof(int), MPI_INT, every, "native", MPI_INFO_NULL) == MPI_SUCCESS);
    for (int i = 0; i < N; i++)
        v[i] = i * size + rank;
    MPI_File_write_all(file, v, N, MPI_INT, &status);
    CHECK(count_of(&status) == N);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_all(file, w, N, MPI_INT, &status);
    CHECK(memcmp(v, w, sizeof v) == 0);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    for (int k = 0; k < size; k++) {
        MPI_File_read_all(file, w, N, MPI_INT, &status);
        CHECK(is_filled(w, k * N));
    }
    MPI_File_set_size(file, 12345);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 12345);
    MPI_File_preallocate(file, 20000);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 20000);
    MPI_File_read_at_all(file, 0, w, N, MPI_INT, &status);
    CHECK(is_filled(w, 0));
    MPI_Type_free(&every);
    MPI_File_close(&file);
}

/* A nonblocking collective on a file must not hold up messages, nor keep turns with a communicator's. */
static void nonblocking(void)
{
    int v[N], w[N], token = 0;
    MPI_Status status[3];
    MPI_Request request[3];
    MPI_File file = opened("nonblocking", MPI_MODE_CREATE | RW);
    MPI_Offset mine = (MPI_Offset)rank * sizeof v;

    fill(v, rank * 100);
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank % 2) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request[1]);
        MPI_File_iwrite_at_all(file, mine, v, N, MPI_INT, &request[0]);
    } else {
        MPI_File_iwrite_at_all(file, mine, v, N, MPI_INT, &request[0]);
        MPI_Ibarrier(MPI_COMM_WORLD, &request[1]);
    }
    token++;
    if (rank + 1 < size)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, request, status);
    CHECK(count_of(&status[0]) == N && token == rank + 1);

    MPI_File_iread_at_all(file, mine, w, N, MPI_INT, &request[0]);
    MPI_Wait(&request[0], &status[0]);
    CHECK(count_of(&status[0]) == N && is_filled(w, rank * 100));

    int left = (rank + size - 1) % size, right = (rank + 1) % size, got = -1;
    fill(v, rank * 100 + 1);
    MPI_Irecv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request[0]);
    MPI_File_iwrite_at(file, mine, v, N, MPI_INT, &request[1]);
    MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[2]);
    MPI_Waitall(3, request, status);
    CHECK(got == left && count_of(&status[1]) == N && request[1] == MPI_REQUEST_NULL);

    MPI_File_seek(file, mine, MPI_SEEK_SET);
    memset(w, 0, sizeof w);
    MPI_File_iread(file, w, N, MPI_INT, &request[0]);
    for (int flag = 0; !flag;)
        MPI_Test(&request[0], &flag, &status[0]);
    CHECK(count_of(&status[0]) == N && is_filled(w, rank * 100 + 1));

    MPI_File_seek(file, mine, MPI_SEEK_SET);
    fill(v, rank * 100 + 2);
    MPI_File_iwrite_all(file, v, N, MPI_INT, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_iread_all(file, w, N, MPI_INT, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    CHECK(is_filled(w, rank * 100 + 2));
    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, v, N, MPI_INT);
    CHECK(MPI_File_write_all_end(file, v, &status[0]) == MPI_SUCCESS);
    MPI_File_seek(file, mine, MPI_SEEK_SET);
    MPI_File_read_all_begin(file, w, N, MPI_INT);
    MPI_File_read_all_end(file, w, &status[0]);
    CHECK(count_of(&status[0]) == N && is_filled(w, rank * 100 + 2));
    MPI_File_close(&file);
}

/* Rank r has r + 1 elements; they follow each other. */
static void ordered(void)
{
    int v[N], before = rank * (rank + 1) / 2, total = size * (size + 1) / 2;
    MPI_Offset at;
    MPI_Status status;
    MPI_File file = opened("ordered", MPI_MODE_CREATE | RW);

    MPI_File_set_size(file, 0);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    for (int i = 0; i <= rank; i++)
        v[i] = before + i;
    MPI_File_write_ordered(file, v, rank + 1, MPI_INT, &status);
    CHECK(count_of(&status) == rank + 1);
    for (int i = 0; i <= rank; i++)
        v[i] += total;
    MPI_File_write_ordered_begin(file, v, rank + 1, MPI_INT);
    MPI_File_write_ordered_end(file, v, &status);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_get_position_shared(file, &at);
    CHECK(at == 2 * total);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, -total, MPI_SEEK_END);
    MPI_File_get_position_shared(file, &at);
    CHECK(at == total);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, -total, MPI_SEEK_CUR);
    memset(v, 0, sizeof v);
    MPI_File_read_ordered(file, v, rank + 1, MPI_INT, &status);
    for (int i = 0; i <= rank; i++)
        CHECK(v[i] == before + i);
    MPI_File_read_ordered_begin(file, v, rank + 1, MPI_INT);
    MPI_File_read_ordered_end(file, v, &status);
    for (int i = 0; i <= rank; i++)
        CHECK(v[i] == total + before + i);
    CHECK(count_of(&status) == rank + 1);
    MPI_File_close(&file);

    file = opened("ordered", MPI_MODE_WRONLY | MPI_MODE_APPEND);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, &status);
    MPI_File_get_size(file, &at);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    file = opened("ordered", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
    MPI_File_get_size(file, &at);
    CHECK(at == (2 * total + size) * (int)sizeof(int));
    int got = -1;
    MPI_File_read_at(file, (2 * total + rank) * sizeof(int), &got, 1, MPI_INT, &status);
    CHECK(got == rank);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    opening();
    explicit_offsets();
    views();
    nonblocking();
    ordered();
    say("%d failures", failures);
    return finish();
}
