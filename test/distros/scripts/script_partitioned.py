# mpi4py 4: partitioned communication; parts are made ready one by one, as a range and as a list, and asked for while they come.
#
# run: -n 2
# check: -n 2: none
# runs: -n 2: 1, merged 1
# check: -n 2 -- never: partition-state error WAITS
# check: -n 2 -- never: deadlock error WAITS
# runs: -n 2 -- never: 1, merged 1
import sys
from array import array

from mpi4py import MPI

PARTS, EACH = 4, 2
comm = MPI.COMM_WORLD
rank = comm.Get_rank()
numbers = array('i', [-1] * (PARTS * EACH))

if rank == 0:
    request = comm.Psend_init(numbers, PARTS, dest=1, tag=3)
else:
    request = comm.Precv_init(numbers, PARTS, source=0, tag=3)
for step in range(2):
    request.Start()
    if rank == 0:
        for i in range(len(numbers)):
            numbers[i] = 100 * step + i
        request.Pready(3)
        request.Pready_range(0, 1)
        if 'never' not in sys.argv:
            request.Pready_list([2])
    elif 'never' not in sys.argv:
        while not request.Parrived(3):
            pass
        assert list(numbers[6:]) == [100 * step + 6, 100 * step + 7]
    request.Wait()  # WAITS
    if rank == 1:
        sys.stdout.write('step %d: %s\n' % (step, list(numbers)))
request.Free()
