# mpi4py 4: sessions in place of MPI_Init, one after the other; in each rank 0 receives from any source.  Reductions of objects
# keep a lock at MPI_COMM_SELF, which is not there in such a program: Open MPI notices that in a second session.
#
# run: -n 3
# check: -n 3: none
# runs: -n 3: 4, merged 1
# check: -n 2 -- object: invalid-argument error OBJECT
# runs: -n 2 -- object: 1, merged 1
import sys
from array import array

import mpi4py

mpi4py.rc.initialize = False
mpi4py.rc.finalize = False

from mpi4py import MPI  # noqa: E402


def collect(comm):
    """Adds up integers that come in any order."""
    word, total = array('i', [10 * comm.Get_rank()]), 0
    if comm.Get_rank() == 0:
        for _ in range(1, comm.Get_size()):
            comm.Recv(word, source=MPI.ANY_SOURCE)
            total += word[0]
    else:
        comm.Send(word, dest=0)
    return total


def use(name):
    session = MPI.Session.Init()
    sets = [session.Get_nth_pset(i) for i in range(session.Get_num_psets())]
    assert 'mpi://WORLD' in sets and 'mpi://SELF' in sets
    group = session.Create_group('mpi://WORLD')
    info = session.Get_pset_info('mpi://WORLD')
    assert int(info.Get('mpi_size')) == group.Get_size()
    info.Free()
    comm = MPI.Intracomm.Create_from_group(group, name)
    group.Free()
    total = array('i', [0])
    comm.Allreduce(array('i', [comm.Get_rank()]), total)
    sys.stdout.write('rank %d: %s %d %d %d\n' % (comm.Get_rank(), name, comm.Get_size(), collect(comm), total[0]))
    if 'object' in sys.argv:
        comm.allreduce(0)  # OBJECT
    comm.Free()
    session.Finalize()


use('first')
use('second')
assert not MPI.Is_initialized()
