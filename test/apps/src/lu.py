"""petsc4py: the library is loaded late, from Python."""
import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402

n = 40
a = PETSc.Mat().createAIJ([n, n], nnz=3)
lo, hi = a.getOwnershipRange()
for row in range(lo, hi):
    for col, v in ((row - 1, -1.0), (row, 2.5), (row + 1, -1.0)):
        if 0 <= col < n:
            a[row, col] = v
a.assemble()
x, b = a.createVecs()
b.set(1.0)
solver = PETSc.KSP().create()
solver.setOperators(a)
solver.setType("gmres")
solver.setTolerances(rtol=1e-10)
solver.setFromOptions()
solver.solve(b, x)
PETSc.Sys.Print("norm %.6f" % x.norm())
PETSc.Sys.syncPrint("rank %d first %.6f" % (PETSc.COMM_WORLD.rank, x.getArray()[0]))
PETSc.Sys.syncFlush()
