"""mpi4py: shared file pointers, alone and together.

run: -n 3 {tmp}/python_shared
mpi: openmpi
"""
import sys
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def say(*words):
    sys.stdout.write('rank %d: %s\n' % (rank, ' '.join(map(str, words))))
    sys.stdout.flush()


def settle(file):
    file.Sync()
    comm.Barrier()
    file.Sync()


file = MPI.File.Open(comm, sys.argv[1], MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Set_view(0, MPI.INT, MPI.INT)
file.Write_shared(array('i', [rank]))
file.Iwrite_shared(array('i', [10 + rank])).Wait()
settle(file)
say('written up to', file.Get_position_shared())
comm.Barrier()
file.Seek_shared(0)
got = array('i', [-1, -1])
file.Read_shared(got)
say('read in all', comm.allreduce(sum(got)))
file.Write_ordered(array('i', [100 + rank]))
settle(file)
file.Seek_shared(-size, MPI.SEEK_CUR)
one = array('i', [-1])
file.Read_ordered(one)
say('my own', one[0])
file.Close()
