# mpi4py: windows that MPI allocates, locks, flushes, atomic operations and requests.
#
# run: -n 2
# mpi: openmpi
# check: -n 2: none
import sys
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, other = comm.rank, 1 - comm.rank
wrong = []
buffers = []


def kept(kind, values):
    """The buffer of an operation, which is there until the end."""
    buffers.append(array(kind, values))
    return [buffers[-1], MPI.DOUBLE if kind == 'd' else MPI.INT]


def expect(what, value, wanted):
    if value != wanted:
        wrong.append(what)
        print('rank %d: %s is %r, not %r' % (rank, what, value, wanted))


win = MPI.Win.Allocate(32, 4, MPI.INFO_NULL, comm)
memory = memoryview(win).cast('i')
win.Lock_all()
for i in range(8):
    memory[i] = 0
win.Sync()
comm.Barrier()
win.Put(kept('i', [10 + rank, 20 + rank]), other, 2)
win.Flush(other)
back = array('i', [0, 0])
win.Rget([back, MPI.INT], other, 2).Wait()
expect('what was put', list(back), [10 + rank, 20 + rank])
old = array('i', [-1])
win.Fetch_and_op(kept('i', [5]), [old, MPI.INT], other, 0, MPI.SUM)
win.Flush(other)
expect('what was there', old[0], 0)
win.Compare_and_swap(kept('i', [7]), kept('i', [5]), [old, MPI.INT], other, 0)
win.Flush(other)
expect('what was swapped', old[0], 5)
comm.Barrier()
win.Sync()
expect('the window', list(memory[0:4]), [7, 0, 10 + other, 20 + other])
win.Unlock_all()
comm.Barrier()
win.Lock(0, MPI.LOCK_EXCLUSIVE)
win.Accumulate(kept('i', [1]), 0, 5)
win.Unlock(0)
comm.Barrier()
win.Lock(rank, MPI.LOCK_SHARED)
expect('the sum', memory[5], 2 if rank == 0 else 0)
win.Unlock(rank)
win.Free()
sys.exit(len(wrong))
