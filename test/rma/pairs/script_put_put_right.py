# Two ranks put to different places of a third in one epoch (MPI-4.0, 12.3).
#
# mpi: openmpi
# check: -n 3: none
import sys
from array import array

from mpi4py import MPI

rank = MPI.COMM_WORLD.rank
memory, value = array('i', [0] * 4), array('i', [7])
win = MPI.Win.Create(memory, 4, MPI.INFO_NULL, MPI.COMM_WORLD)
win.Fence()
if rank < 2:
    win.Put([value, MPI.INT], 2, rank)
win.Fence()
win.Free()
sys.exit(rank == 2 and list(memory) != [7, 7, 0, 0])
