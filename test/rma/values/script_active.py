# mpi4py: windows on arrays of the program, fences, groups, attributes and names.
#
# run: -n 3
# mpi: openmpi
# check: -n 3: none
import sys
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
left, right = (rank - 1) % size, (rank + 1) % size
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


memory = array('d', [0.0] * 8)
win = MPI.Win.Create(memory, 8, MPI.INFO_NULL, comm)
win.Set_name('of an array')
expect('the name', win.Get_name(), 'of an array')
expect('the flavor', win.flavor, MPI.WIN_FLAVOR_CREATE)
win.Fence(MPI.MODE_NOPRECEDE)
win.Put(kept('d', [rank + 0.5]), right, 3)
win.Fence()
expect('what was put', memory[3], left + 0.5)
win.Accumulate(kept('d', [2.0]), 0, 4, MPI.SUM)
win.Fence()
expect('the sum', memory[4], 2.0 * size if rank == 0 else 0.0)
got = array('d', [0.0] * 2)
win.Get([got, MPI.DOUBLE], left, 3)
win.Fence(MPI.MODE_NOSUCCEED)
expect('what was got', list(got), [(left - 1) % size + 0.5, 2.0 * size if left == 0 else 0.0])
everybody = win.Get_group()
before, after = everybody.Incl([left]), everybody.Incl([right])
win.Post(before)
win.Start(after)
win.Put(kept('d', [-1.0 - rank]), right, 6)
win.Complete()
win.Wait()
expect('what was put by the neighbour', memory[6], -1.0 - left)
for group in (everybody, before, after):
    group.Free()
win.Free()
sys.exit(len(wrong))
