/* netcdf -- a shared variable, written in blocks of columns, read in rows. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                             \
	do {                                                                 \
		int e_ = (call);                                             \
		if (e_) {                                                    \
			fprintf(stderr, "%s: %s\n", #call, nc_strerror(e_)); \
			MPI_Abort(MPI_COMM_WORLD, 1);                        \
		}                                                            \
	} while (0)

enum { WIDE = 3 };

int main(int argc, char **argv)
{
	int rank, size, nc, dims[2], var;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);

	OK(nc_create_par("data.nc", NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &nc));
	OK(nc_def_dim(nc, "y", size, &dims[0]));
	OK(nc_def_dim(nc, "x", (size_t)size * WIDE, &dims[1]));
	OK(nc_def_var(nc, "v", NC_DOUBLE, 2, dims, &var));
	OK(nc_put_att_text(nc, var, "units", 1, "m"));
	OK(nc_enddef(nc));
	OK(nc_var_par_access(nc, var, NC_COLLECTIVE));

	double *v = malloc(sizeof *v * size * WIDE);
	size_t at[2] = { 0, (size_t)rank * WIDE }, n[2] = { size, WIDE };

	for (int i = 0; i < size * WIDE; i++)
		v[i] = 10 * rank + i / 4.0;
	OK(nc_put_vara_double(nc, var, at, n, v));
	OK(nc_close(nc));

	OK(nc_open_par("data.nc", NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &nc));
	OK(nc_inq_varid(nc, "v", &var));
	at[0] = rank, at[1] = 0, n[0] = 1, n[1] = (size_t)size * WIDE;
	OK(nc_get_vara_double(nc, var, at, n, v));
	OK(nc_close(nc));
	for (int turn = 0; turn < size; turn++) {
		if (turn == rank) {
			printf("row %d:", rank);
			for (int i = 0; i < size * WIDE; i++)
				printf(" %g", v[i]);
			printf("\n");
			fflush(stdout);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	free(v);
	MPI_Finalize();
	return 0;
}
