/* While one thread of each rank writes a dataset together with the others and reads it back, another one passes numbers round. */
#include <hdf5.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { EACH = 4 };

static int rank, size;
static MPI_Comm ring;

static void *pass_round(void *sum)
{
    int value = rank, next = (rank + 1) % size, before = (rank + size - 1) % size;

    for (int i = 0; i < size; i++) {
        MPI_Sendrecv_replace(&value, 1, MPI_INT, next, 7, before, 7, ring, MPI_STATUS_IGNORE);
        *(int *)sum += value;
    }
    return NULL;
}

static hid_t open_file(const char *name)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

static int write_and_read(hid_t file)
{
    hsize_t all = (hsize_t)(EACH * size), start = (hsize_t)(EACH * rank), count = EACH;
    int mine[EACH], back[EACH] = {0}, same = 0;
    hid_t space = H5Screate_simple(1, &all, NULL), part = H5Screate_simple(1, &count, NULL), how = H5Pcreate(H5P_DATASET_XFER);
    hid_t data = H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

    for (int i = 0; i < EACH; i++)
        mine[i] = 100 * rank + i;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
    H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE);
    H5Dwrite(data, H5T_NATIVE_INT, part, space, how, mine);
    H5Dread(data, H5T_NATIVE_INT, part, space, how, back);
    for (int i = 0; i < EACH; i++)
        same += back[i] == mine[i];
    H5Pclose(how);
    H5Dclose(data);
    H5Sclose(part);
    H5Sclose(space);
    return same;
}

int main(int argc, char **argv)
{
    int provided, sum = 0, same;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    hid_t file = open_file("threads.h5");
    pthread_create(&thread, NULL, pass_round, &sum);
    same = write_and_read(file);
    pthread_join(thread, NULL);
    H5Fclose(file);
    printf("rank %d: %d numbers are back, and the sum is %d\n", rank, same, sum);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
