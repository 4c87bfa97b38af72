"""Arrays that are attached to a dynamic window one by one: everybody tells where its own lies, and its left neighbour fills it."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size

win = MPI.Win.Create_dynamic(comm=comm)
pieces = [numpy.zeros(4, dtype="i") for _ in range(2)]
for piece in pieces:
    win.Attach(piece)
places = comm.allgather([MPI.Get_address(piece) for piece in pieces])
win.Lock(right, MPI.LOCK_SHARED)
values = [numpy.arange(4, dtype="i") + 10 * rank + 100 * i for i in range(2)]
requests = [win.Rput(values[i], right, places[right][i]) for i in range(2)]
MPI.Request.Waitall(requests)
win.Flush(right)
back = numpy.zeros(4, dtype="i")
win.Rget(back, right, places[right][1]).Wait()
win.Unlock(right)
comm.Barrier()
win.Lock(rank, MPI.LOCK_SHARED)
mine = [piece.tolist() for piece in pieces]
win.Unlock(rank)
assert mine == [(numpy.arange(4) + 10 * left + 100 * i).tolist() for i in range(2)]
assert back.tolist() == values[1].tolist()
comm.Barrier()
for piece in pieces:
    win.Detach(piece)
everybody = comm.gather(mine)
if rank == 0:
    print(everybody)
win.Free()
