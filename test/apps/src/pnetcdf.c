/* pnetcdf -- non-blocking puts joined in one collective write, varn reads. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                                \
	do {                                                                    \
		int e_ = (call);                                                \
		if (e_) {                                                       \
			fprintf(stderr, "%s: %s\n", #call, ncmpi_strerror(e_)); \
			MPI_Abort(MPI_COMM_WORLD, 1);                           \
		}                                                               \
	} while (0)

enum { LONG = 6 };

int main(int argc, char **argv)
{
	int rank, size, nc, dims[2], a, b, req[2], st[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);

	OK(ncmpi_create(MPI_COMM_WORLD, "data.nc", NC_CLOBBER, MPI_INFO_NULL, &nc));
	OK(ncmpi_def_dim(nc, "y", size, &dims[0]));
	OK(ncmpi_def_dim(nc, "x", LONG, &dims[1]));
	OK(ncmpi_def_var(nc, "a", NC_INT, 2, dims, &a));
	OK(ncmpi_def_var(nc, "b", NC_DOUBLE, 2, dims, &b));
	OK(ncmpi_enddef(nc));

	int va[LONG];
	double vb[LONG];
	MPI_Offset row[2] = { rank, 0 }, down[2] = { size - 1 - rank, 0 }, n[2] = { 1, LONG };

	for (int i = 0; i < LONG; i++)
		va[i] = 100 * rank + i, vb[i] = rank + i / 8.0;
	OK(ncmpi_iput_vara_int(nc, a, row, n, va, &req[0]));
	OK(ncmpi_iput_vara_double(nc, b, down, n, vb, &req[1]));
	OK(ncmpi_wait_all(nc, 2, req, st));
	OK(ncmpi_close(nc));

	OK(ncmpi_open(MPI_COMM_WORLD, "data.nc", NC_NOWRITE, MPI_INFO_NULL, &nc));
	OK(ncmpi_inq_varid(nc, "a", &a));
	OK(ncmpi_inq_varid(nc, "b", &b));
	OK(ncmpi_get_vara_int_all(nc, a, down, n, va));
	OK(ncmpi_get_vara_double_all(nc, b, row, n, vb));
	OK(ncmpi_close(nc));
	for (int turn = 0; turn < size; turn++) {
		if (turn == rank) {
			printf("%d:", rank);
			for (int i = 0; i < LONG; i++)
				printf(" %d/%g", va[i], vb[i]);
			printf("\n");
			fflush(stdout);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
