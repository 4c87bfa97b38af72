/*
 * petsc -- a Poisson problem on a distributed grid; the solver comes from
 * the command line (-ksp_type, -pc_type).
 */
#include <petscdmda.h>
#include <petscksp.h>

static PetscErrorCode fill(DM grid, Mat a, Vec b)
{
	DMDALocalInfo at;
	PetscScalar **f;

	PetscFunctionBeginUser;
	PetscCall(DMDAGetLocalInfo(grid, &at));
	PetscCall(DMDAVecGetArray(grid, b, &f));
	for (PetscInt j = at.ys; j < at.ys + at.ym; j++)
		for (PetscInt i = at.xs; i < at.xs + at.xm; i++) {
			MatStencil row = { .i = i, .j = j }, col[5];
			PetscScalar v[5];
			PetscInt n = 0;
			const int step[4][2] = { {-1, 0}, {1, 0}, {0, -1}, {0, 1} };

			for (int k = 0; k < 4; k++) {
				PetscInt x = i + step[k][0], y = j + step[k][1];

				if (x < 0 || y < 0 || x >= at.mx || y >= at.my)
					continue;
				col[n] = (MatStencil){ .i = x, .j = y };
				v[n++] = -1;
			}
			col[n] = row;
			v[n++] = 4;
			PetscCall(MatSetValuesStencil(a, 1, &row, n, col, v, INSERT_VALUES));
			f[j][i] = 1 + (i * 7 + j * 3) % 5;
		}
	PetscCall(DMDAVecRestoreArray(grid, b, &f));
	PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
	PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
	PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
	DM grid;
	Mat a;
	Vec b, x, r;
	KSP ksp;
	KSPConvergedReason why;
	PetscReal xnorm, rnorm, bnorm;

	PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
	PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
			       DMDA_STENCIL_STAR, 20, 17, PETSC_DECIDE,
			       PETSC_DECIDE, 1, 1, NULL, NULL, &grid));
	PetscCall(DMSetFromOptions(grid));
	PetscCall(DMSetUp(grid));
	PetscCall(DMCreateMatrix(grid, &a));
	PetscCall(DMCreateGlobalVector(grid, &b));
	PetscCall(VecDuplicate(b, &x));
	PetscCall(VecDuplicate(b, &r));
	PetscCall(fill(grid, a, b));

	PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
	PetscCall(KSPSetOperators(ksp, a, a));
	PetscCall(KSPSetTolerances(ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
	PetscCall(KSPSetFromOptions(ksp));
	PetscCall(KSPSolve(ksp, b, x));
	PetscCall(KSPGetConvergedReason(ksp, &why));

	PetscCall(MatMult(a, x, r));
	PetscCall(VecAXPY(r, -1, b));
	PetscCall(VecNorm(r, NORM_2, &rnorm));
	PetscCall(VecNorm(b, NORM_2, &bnorm));
	PetscCall(VecNorm(x, NORM_2, &xnorm));
	PetscCall(PetscPrintf(PETSC_COMM_WORLD, "converged %d, residual small %d, norm %.6f\n",
			      why > 0, rnorm < 1e-7 * bnorm, (double)xnorm));
	PetscCall(VecView(x, PETSC_VIEWER_STDOUT_WORLD));

	PetscCall(KSPDestroy(&ksp));
	PetscCall(VecDestroy(&r));
	PetscCall(VecDestroy(&x));
	PetscCall(VecDestroy(&b));
	PetscCall(MatDestroy(&a));
	PetscCall(DMDestroy(&grid));
	return PetscFinalize();
}
