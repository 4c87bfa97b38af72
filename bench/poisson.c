/*
 * A real solver: Poisson's equation on a cube, with PETSc.  Method and preconditioner come from the
 * command line (-ksp_type, -pc_type), the points along an edge from -n.  Prints `solved ITERATIONS SECONDS`, of the solution
 * alone, the slowest rank's.
 */
#include <petscdmda.h>
#include <petscksp.h>

/* The seven points of each row that lie in the cube. */
static PetscErrorCode fill_row(Mat a, const DMDALocalInfo *at, MatStencil row)
{
    static const int step[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    MatStencil column[7] = {row};
    PetscScalar value[7] = {6};
    PetscInt n = 1;
    PetscFunctionBeginUser;
    for (int k = 0; k < 6; k++) {
        MatStencil next = {.i = row.i + step[k][0], .j = row.j + step[k][1], .k = row.k + step[k][2]};
        if (next.i < 0 || next.j < 0 || next.k < 0 || next.i >= at->mx || next.j >= at->my || next.k >= at->mz)
            continue;
        column[n] = next;
        value[n++] = -1;
    }
    PetscCall(MatSetValuesStencil(a, 1, &row, n, column, value, INSERT_VALUES));
    PetscFunctionReturn(0);
}

static PetscErrorCode fill(DM grid, Mat a)
{
    DMDALocalInfo at;
    PetscFunctionBeginUser;
    PetscCall(DMDAGetLocalInfo(grid, &at));
    for (PetscInt k = at.zs; k < at.zs + at.zm; k++)
        for (PetscInt j = at.ys; j < at.ys + at.ym; j++)
            for (PetscInt i = at.xs; i < at.xs + at.xm; i++)
                PetscCall(fill_row(a, &at, (MatStencil){.i = i, .j = j, .k = k}));
    PetscCall(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(DM grid)
{
    Mat a;
    Vec b, x;
    KSP ksp;
    KSPConvergedReason why;
    PetscInt iterations;
    PetscFunctionBeginUser;
    PetscCall(DMCreateMatrix(grid, &a));
    PetscCall(fill(grid, a));
    PetscCall(DMCreateGlobalVector(grid, &b));
    PetscCall(VecDuplicate(b, &x));
    PetscCall(VecSet(b, 1));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, a, a));
    PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetFromOptions(ksp));

    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    double begin = MPI_Wtime(), own, slowest;
    PetscCall(KSPSolve(ksp, b, x)); /* sets up as well */
    own = MPI_Wtime() - begin;
    PetscCallMPI(MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, PETSC_COMM_WORLD));

    PetscCall(KSPGetConvergedReason(ksp, &why));
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCheck(why > 0, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "no solution was found");
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "solved %d %.6f\n", (int)iterations, slowest));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(MatDestroy(&a));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    DM grid;
    PetscInt n = 40;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
    PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, n, n,
                           n, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, NULL, &grid));
    PetscCall(DMSetUp(grid));
    PetscCall(solve(grid));
    PetscCall(DMDestroy(&grid));
    return PetscFinalize();
}
