/* fftw -- a 3D transform of a known field, transposed output, and back. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

enum { NX = 12, NY = 10, NZ = 8 };

static complex double field(ptrdiff_t x, ptrdiff_t y, ptrdiff_t z)
{
	return cos(2 * M_PI * (2.0 * x / NX + 3.0 * y / NY)) + I * sin(2 * M_PI * z / NZ);
}

int main(int argc, char **argv)
{
	ptrdiff_t n, nx, x0, ny, y0;
	int rank, size;
	double err = 0, worst;

	MPI_Init(&argc, &argv);
	fftw_mpi_init();
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	n = fftw_mpi_local_size_3d_transposed(NX, NY, NZ, MPI_COMM_WORLD,
					      &nx, &x0, &ny, &y0);
	fftw_complex *a = fftw_alloc_complex(n), *b = fftw_alloc_complex(n);
	fftw_plan there = fftw_mpi_plan_dft_3d(NX, NY, NZ, a, b, MPI_COMM_WORLD,
					       FFTW_FORWARD,
					       FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT);
	fftw_plan back = fftw_mpi_plan_dft_3d(NX, NY, NZ, b, a, MPI_COMM_WORLD,
					      FFTW_BACKWARD,
					      FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_IN);

	for (ptrdiff_t i = 0; i < nx * NY * NZ; i++)
		a[i] = field(x0 + i / (NY * NZ), i / NZ % NY, i % NZ);
	fftw_execute(there);
	for (int turn = 0; turn < size; turn++) {
		if (turn == rank) {
			for (ptrdiff_t i = 0; i < ny * NX * NZ; i++)
				if (cabs(b[i]) > 1e-6)
					printf("peak y %td x %td z %td: %.3f\n",
					       y0 + i / (NX * NZ), i / NZ % NX, i % NZ, cabs(b[i]));
			fflush(stdout);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
	fftw_execute(back);
	for (ptrdiff_t i = 0; i < nx * NY * NZ; i++) {
		complex double f = field(x0 + i / (NY * NZ), i / NZ % NY, i % NZ);

		err = fmax(err, cabs(a[i] / (NX * NY * NZ) - f));
	}
	MPI_Reduce(&err, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("there and back: %s\n", worst < 1e-12 ? "same" : "differs");
	fftw_destroy_plan(there);
	fftw_destroy_plan(back);
	fftw_free(a);
	fftw_free(b);
	fftw_mpi_cleanup();
	MPI_Finalize();
	return 0;
}
