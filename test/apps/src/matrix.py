"""A matrix in memory that the ranks of a node share: everybody fills its rows, and then adds up a column of all."""
import numpy
from mpi4py import MPI

node = MPI.COMM_WORLD.Split_type(MPI.COMM_TYPE_SHARED)
rank, size = node.rank, node.size
ROWS = 2

win = MPI.Win.Allocate_shared(ROWS * size * size * 8 if rank == 0 else 0, 8, comm=node)
memory, unit = win.Shared_query(0)
matrix = numpy.ndarray(buffer=memory, dtype="d", shape=(ROWS * size, size))
win.Fence()
matrix[ROWS * rank:ROWS * (rank + 1)] = numpy.arange(ROWS * size).reshape(ROWS, size) + 100 * rank
win.Fence()
column = float(matrix[:, rank].sum())
win.Fence()
everybody = node.gather(column)
if rank == 0:
    print("columns", everybody)
del matrix, memory
win.Free()
node.Free()
