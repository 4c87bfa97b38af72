/*
 * hdf5 -- one file, a dataset in blocks of rows, written together and alone,
 * read back by another rank.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 5, COLS = 7 };

static void transfer(hid_t set, int block, int together, int *rows, int write)
{
	hsize_t at[2] = { (hsize_t)block * ROWS, 0 }, n[2] = { ROWS, COLS };
	hid_t file = H5Dget_space(set), mem = H5Screate_simple(2, n, NULL);
	hid_t how = H5Pcreate(H5P_DATASET_XFER);

	H5Sselect_hyperslab(file, H5S_SELECT_SET, at, NULL, n, NULL);
	H5Pset_dxpl_mpio(how, together ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
	if (write)
		H5Dwrite(set, H5T_NATIVE_INT, mem, file, how, rows);
	else
		H5Dread(set, H5T_NATIVE_INT, mem, file, how, rows);
	H5Pclose(how);
	H5Sclose(mem);
	H5Sclose(file);
}

int main(int argc, char **argv)
{
	int rank, size, rows[ROWS * COLS];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);

	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	hsize_t dims[2] = { (hsize_t)size * ROWS, COLS };

	H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
	hid_t file = H5Fcreate("data.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
	hid_t space = H5Screate_simple(2, dims, NULL);

	for (int together = 0; together < 2; together++) {
		hid_t set = H5Dcreate(file, together ? "together" : "alone", H5T_STD_I32LE,
				      space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

		for (int i = 0; i < ROWS * COLS; i++)
			rows[i] = (together ? 1000 : 0) + 100 * rank + i;
		transfer(set, rank, together, rows, 1);
		H5Dclose(set);
	}
	H5Sclose(space);
	H5Fclose(file);
	MPI_Barrier(MPI_COMM_WORLD);

	file = H5Fopen("data.h5", H5F_ACC_RDONLY, access);
	for (int together = 0; together < 2; together++) {
		hid_t set = H5Dopen(file, together ? "together" : "alone", H5P_DEFAULT);
		long sum = 0, *sums = malloc(sizeof *sums * size);

		transfer(set, (rank + 1) % size, together, rows, 0);
		for (int i = 0; i < ROWS * COLS; i++)
			sum += (long)rows[i] * (i + 1);
		MPI_Gather(&sum, 1, MPI_LONG, sums, 1, MPI_LONG, 0, MPI_COMM_WORLD);
		for (int i = 0; !rank && i < size; i++)
			printf("%s: rank %d read %ld\n", together ? "together" : "alone", i, sums[i]);
		free(sums);
		H5Dclose(set);
	}
	H5Fclose(file);
	H5Pclose(access);
	MPI_Finalize();
	return 0;
}
