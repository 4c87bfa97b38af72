"""mpi4py: collectives of objects and buffers, split, grids, user operators,
errors as exceptions, attributes.

run: -n 4
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


def objects():
    say('bcast', comm.bcast({'a': [1, 2]} if rank == 2 else None, root=2))
    say('gather', comm.gather('x' * rank, root=1))
    say('scatter', comm.scatter([[r] * r for r in range(size)] if rank == 0 else None))
    say('allgather', comm.allgather((rank, rank / 2)))
    say('alltoall', comm.alltoall(['%d to %d' % (rank, r) for r in range(size)]))
    say('allreduce', comm.allreduce([rank], op=MPI.SUM))
    say('reduce', comm.reduce(rank, op=MPI.MAX, root=3))
    say('scan', comm.scan(rank))


def buffers():
    values = array('i', [rank, rank * rank])
    total = array('i', [0, 0])
    comm.Allreduce(values, total, op=MPI.SUM)
    say('Allreduce', list(total))
    comm.Allreduce(MPI.IN_PLACE, values, op=MPI.MAX)
    say('in place', list(values))
    counts = [r + 1 for r in range(size)]
    everything = array('i', [-1] * sum(counts))
    comm.Allgatherv(array('i', [rank] * counts[rank]), [everything, (counts, None), MPI.INT])
    say('Allgatherv', list(everything))
    request = comm.Ibcast(values, root=0)
    comm.Ibarrier().Wait()
    request.Wait()


def user_operator():
    def later(a, b, _):
        memoryview(b)[:] = bytes(x ^ y for x, y in zip(memoryview(a), memoryview(b)))
    op = MPI.Op.Create(later, commute=True)
    out = bytearray(4)
    comm.Allreduce([bytearray([1 << rank, 255, 0, rank]), MPI.BYTE], [out, MPI.BYTE], op=op)
    op.Free()
    say('operator', list(out))


def communicators():
    half = comm.Split(color=rank % 2, key=-rank)
    say('split', half.Get_rank(), half.allgather(rank))
    half.Free()
    assert comm.Split(MPI.UNDEFINED) == MPI.COMM_NULL
    cart = comm.Create_cart([2, 2], periods=[False, True])
    source, target = cart.Shift(0, 1)
    say('cart', cart.Get_coords(rank), source == MPI.PROC_NULL, target == MPI.PROC_NULL)
    say('neighbours', cart.neighbor_allgather(rank))
    cart.Free()
    group = comm.Get_group().Incl([3, 0])
    pair = comm.Create(group)
    if pair != MPI.COMM_NULL:
        say('pair', pair.Get_rank(), pair.allgather(rank))
        pair.Free()


def errors():
    try:
        comm.send(1, dest=99)
    except MPI.Exception as error:
        say('exception', error.Get_error_class() == MPI.ERR_RANK)
    short = bytearray(2)
    if rank == 0:
        comm.Send(bytearray(5), dest=1)
    elif rank == 1:
        try:
            comm.Recv(short, source=0)
        except MPI.Exception as error:
            say('truncated', error.Get_error_class() == MPI.ERR_TRUNCATE)
    key = MPI.Comm.Create_keyval()
    comm.Set_attr(key, {'mine': rank})
    say('attribute', comm.Get_attr(key))
    comm.Delete_attr(key)


for part in (objects, buffers, user_operator, communicators, errors):
    part()
