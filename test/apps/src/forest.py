"""A star forest of PETSc: everybody's values go to neighbours and come back added up, by one-sided communication."""
import sys

import petsc4py

petsc4py.init(sys.argv)

import numpy
from mpi4py import MPI
from petsc4py import PETSc

comm = PETSc.COMM_WORLD
rank, size = comm.rank, comm.size
forest = PETSc.SF().create(comm)
forest.setType(PETSc.SF.Type.WINDOW)
forest.setFromOptions()
leaves = [((rank + i + 1) % size, i) for i in range(3)]  # on the next ranks, root i
forest.setGraph(3, None, numpy.array(leaves, dtype=PETSc.IntType).ravel())
forest.setUp()
roots = numpy.arange(3, dtype="i") + 10 * rank
copies = numpy.zeros(3, dtype="i")
forest.bcastBegin(MPI.INT, roots, copies, MPI.REPLACE)
forest.bcastEnd(MPI.INT, roots, copies, MPI.REPLACE)
sums = numpy.zeros(3, dtype="i")
forest.reduceBegin(MPI.INT, copies, sums, MPI.SUM)
forest.reduceEnd(MPI.INT, copies, sums, MPI.SUM)
wanted = [i + 10 * ((rank + i + 1) % size) for i in range(3)]
assert list(copies) == wanted, (rank, list(copies), wanted)
assert list(sums) == list(roots), (rank, list(sums), list(roots))
forest.destroy()
if rank == 0:
    print("copies and sums are right")
