"""Heat in a rod: everybody puts its ends into the halos of its neighbours, between fences."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
CELLS, STEPS = 8, 12

win = MPI.Win.Allocate((CELLS + 2) * 8, 8, comm=comm)
rod = numpy.frombuffer(win, dtype="d")
rod[:] = 0
if rank == 0:
    rod[0] = 100
win.Fence()
for step in range(STEPS):
    first, last = rod[1:2].copy(), rod[CELLS:CELLS + 1].copy()
    if rank > 0:
        win.Put(first, rank - 1, CELLS + 1)
    if rank + 1 < size:
        win.Put(last, rank + 1, 0)
    win.Fence()
    rod[1:-1] += 0.25 * (rod[:-2] - 2 * rod[1:-1] + rod[2:])
    win.Fence()
whole = comm.gather(rod[1:-1].tolist())
if rank == 0:
    print(" ".join("%.6f" % cell for part in whole for cell in part))
win.Free()
