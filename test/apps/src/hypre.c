/* hypre -- conjugate gradients with an algebraic multigrid on a 2D Laplacian. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

enum { N = 24 };

static int neighbours(int row, int *col, double *v)
{
	int n = 0;

	if (row >= N)
		col[n] = row - N, v[n++] = -1;
	if (row % N)
		col[n] = row - 1, v[n++] = -1;
	col[n] = row, v[n++] = 4;
	if (row % N < N - 1)
		col[n] = row + 1, v[n++] = -1;
	if (row < N * (N - 1))
		col[n] = row + N, v[n++] = -1;
	return n;
}

int main(int argc, char **argv)
{
	int rank, size;
	HYPRE_IJMatrix ij;
	HYPRE_IJVector bij, xij;
	HYPRE_ParCSRMatrix a;
	HYPRE_ParVector b, x;
	HYPRE_Solver cg, amg;
	double residual, sum = 0, all;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	HYPRE_Init();

	int lo = rank * N * N / size, hi = (rank + 1) * N * N / size - 1;

	HYPRE_IJMatrixCreate(MPI_COMM_WORLD, lo, hi, lo, hi, &ij);
	HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
	HYPRE_IJMatrixInitialize(ij);
	HYPRE_IJVectorCreate(MPI_COMM_WORLD, lo, hi, &bij);
	HYPRE_IJVectorSetObjectType(bij, HYPRE_PARCSR);
	HYPRE_IJVectorInitialize(bij);
	HYPRE_IJVectorCreate(MPI_COMM_WORLD, lo, hi, &xij);
	HYPRE_IJVectorSetObjectType(xij, HYPRE_PARCSR);
	HYPRE_IJVectorInitialize(xij);
	for (int row = lo; row <= hi; row++) {
		int col[5], n;
		double v[5], one = 1 + row % 3, zero = 0;

		n = neighbours(row, col, v);
		HYPRE_IJMatrixSetValues(ij, 1, &n, &row, col, v);
		HYPRE_IJVectorSetValues(bij, 1, &row, &one);
		HYPRE_IJVectorSetValues(xij, 1, &row, &zero);
	}
	HYPRE_IJMatrixAssemble(ij);
	HYPRE_IJVectorAssemble(bij);
	HYPRE_IJVectorAssemble(xij);
	HYPRE_IJMatrixGetObject(ij, (void **)&a);
	HYPRE_IJVectorGetObject(bij, (void **)&b);
	HYPRE_IJVectorGetObject(xij, (void **)&x);

	HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
	HYPRE_PCGSetTol(cg, 1e-10);
	HYPRE_PCGSetMaxIter(cg, 100);
	HYPRE_BoomerAMGCreate(&amg);
	HYPRE_BoomerAMGSetTol(amg, 0);
	HYPRE_BoomerAMGSetMaxIter(amg, 1);
	HYPRE_BoomerAMGSetRelaxType(amg, 6);
	HYPRE_PCGSetPrecond(cg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve,
			    (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup, amg);
	HYPRE_ParCSRPCGSetup(cg, a, b, x);
	HYPRE_ParCSRPCGSolve(cg, a, b, x);
	HYPRE_PCGGetFinalRelativeResidualNorm(cg, &residual);

	for (int row = lo; row <= hi; row++) {
		double v;

		HYPRE_IJVectorGetValues(xij, 1, &row, &v);
		sum += v * (row % 7);
	}
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("converged %d, weighted sum %.6f\n", residual < 1e-9, all);

	HYPRE_BoomerAMGDestroy(amg);
	HYPRE_ParCSRPCGDestroy(cg);
	HYPRE_IJVectorDestroy(xij);
	HYPRE_IJVectorDestroy(bij);
	HYPRE_IJMatrixDestroy(ij);
	HYPRE_Finalize();
	MPI_Finalize();
	return 0;
}
