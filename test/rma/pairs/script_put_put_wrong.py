# Two ranks put to the same place of a third in one epoch (MPI-4.0, 12.3 and 12.7).
#
# mpi: openmpi
# check: -n 3: rma-race error FIRST
# race: -n 3: FIRST FIRST
import sys
from array import array

from mpi4py import MPI

rank = MPI.COMM_WORLD.rank
memory, value = array('i', [0] * 4), array('i', [7])
win = MPI.Win.Create(memory, 4, MPI.INFO_NULL, MPI.COMM_WORLD)
win.Fence()
if rank < 2:
    win.Put([value, MPI.INT], 2, 0)  # FIRST
win.Fence()
win.Free()
sys.exit(0)
