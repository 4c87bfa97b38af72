"""Work without a master: whoever is free takes the next number of a counter that lies at rank 0, and adds its result to a sum there."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
TASKS = 3
NEXT, SUM = 0, 1

win = MPI.Win.Allocate(16 if comm.rank == 0 else 0, 8, comm=comm)
if comm.rank == 0:
    win.Lock(0)
    numpy.frombuffer(win, dtype="i8")[:] = 0
    win.Unlock(0)
comm.Barrier()
one, number, done = numpy.array([1]), numpy.array([-1]), []
win.Lock_all()
while True:
    win.Fetch_and_op(one, number, 0, NEXT, MPI.SUM)
    win.Flush(0)
    if number[0] >= TASKS:
        break
    done.append(int(number[0]))
    square = (number + 1) ** 2
    win.Accumulate(square, 0, SUM, MPI.SUM)
    win.Flush(0)
win.Unlock_all()
comm.Barrier()
everybody = comm.gather(done)
if comm.rank == 0:
    win.Lock(0)
    print("tasks", sorted(sum(everybody, [])), "sum", numpy.frombuffer(win, dtype="i8")[SUM])
    win.Unlock(0)
win.Free()
