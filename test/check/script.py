# Lines of a Python script: what is wrong is told by them, and nothing that mpi4py does itself is.
#
# mpi: openmpi
# check: -n 3: none
# check: -n 3 -- leak: request-leak error REQUEST
# check: -n 3 -- leak: comm-leak warning SPLIT
# check: -n 3 -- leak: type-leak warning TYPE
# check: -n 3 -- race: buffer-race error PENDING
# check: -n 2 -- type: type-mismatch error SENT
# check: -n 3 -- lost: deadlock error LOST
import sys
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size


class Halo:
    def exchange(self, racy=False):
        out, into = array('d', [rank] * 1000), array('d', [0.0] * 1000)
        request = comm.Isend([out, MPI.DOUBLE], dest=right)  # PENDING
        if racy:
            out[7] = 1.5
        comm.Recv([into, MPI.DOUBLE], source=left)
        request.Wait()
        out[7] = into[7]


def objects():
    request = comm.isend({'rank': rank}, dest=right)
    assert comm.recv(source=left) == {'rank': left}
    request.wait()
    assert comm.allreduce(rank) == sum(range(size))
    with_all = comm.Dup()
    with_all.Barrier()
    with_all.Free()


forgotten = []  # with the buffers of its requests, which Python would use for something else


def leak():
    forgotten.append(comm.isend('forgotten', dest=right))  # REQUEST
    comm.recv(source=left)
    comm.Split(rank % 2)  # SPLIT
    MPI.DOUBLE.Create_vector(2, 1, 2).Commit()  # TYPE
    MPI.Finalize()  # now, while they are kept: in the end Python puts them away first


how = sys.argv[1] if len(sys.argv) > 1 else ''
Halo().exchange(racy=how == 'race')
objects()
if how == 'leak':
    leak()
if how == 'type' and rank == 0:
    comm.Send([array('d', [1.0]), MPI.DOUBLE], dest=1)  # SENT
if how == 'type' and rank == 1:
    comm.Recv([array('q', [1]), MPI.INT64_T], source=0)
if how == 'lost' and rank == 0:
    comm.recv(source=1, tag=9)  # LOST
