"""mpi4py: pickled objects, buffers, wildcards, probes, requests, persistent.

run: -n 3
mpi: openmpi
"""
import sys
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size


def say(*words):
    sys.stdout.write('rank %d: %s\n' % (rank, ' '.join(map(str, words))))
    sys.stdout.flush()


def pickled():
    if rank == 0:
        got = {}
        for _ in range(1, size):
            status = MPI.Status()
            thing = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
            assert status.Get_source() == thing['rank'] and status.Get_tag() == thing['rank'] * 5
            got[thing['rank']] = thing['list']
        say('objects', sorted(got.items()))
    else:
        comm.send({'rank': rank, 'list': list(range(rank)) + ['x']}, dest=0, tag=rank * 5)
    comm.Barrier()  # before anything else can fit the wildcard
    say('sendrecv', comm.sendrecv(('from', rank), dest=right, source=left))


def buffers():
    out, into = array('i', [rank, rank * 10]), array('i', [0, 0])
    request = comm.Irecv([into, MPI.INT], source=left)
    comm.Send([out, MPI.INT], dest=right)
    request.Wait()
    say('buffer', list(into))
    word = bytearray(5)
    comm.Sendrecv(bytearray(b'rank%d' % rank), dest=left, recvbuf=word, source=right)
    say('bytes', word.decode())


def requests():
    received = [comm.irecv(source=r, tag=3) for r in range(size) if r != rank]
    sent = [comm.isend([rank] * 3, dest=r, tag=3) for r in range(size) if r != rank]
    say('waitall', sorted(MPI.Request.waitall(received)))
    MPI.Request.Waitall(sent)

    values = [array('d', [0]) for _ in range(2)]
    pending = [comm.Irecv(values[0], source=left, tag=8), comm.Irecv(values[1], source=right, tag=9)]
    comm.Isend(array('d', [rank + 0.5]), dest=right, tag=8).Wait()
    comm.Isend(array('d', [rank + 0.25]), dest=left, tag=9).Wait()
    seen = sorted(MPI.Request.Waitany(pending) for _ in range(2))
    say('waitany', seen, values[0][0], values[1][0])


def persistent():
    out, into = array('i', [0]), array('i', [0])
    send, receive = comm.Send_init(out, dest=right, tag=4), comm.Recv_init(into, source=left, tag=4)
    total = 0
    for step in range(3):
        out[0] = 100 * step + rank
        MPI.Prequest.Startall([receive, send])
        MPI.Request.Waitall([receive, send])
        total += into[0]
    send.Free()
    receive.Free()
    say('persistent', total)


def probes():
    if rank == 0:
        message = comm.mprobe(source=1, tag=6)
        say('mprobe', message.recv())
        status = MPI.Status()
        comm.Probe(source=1, tag=7, status=status)
        into = bytearray(status.Get_count(MPI.BYTE))
        comm.Recv(into, source=1, tag=7)
        say('probe', len(into), into.decode())
        assert not comm.Iprobe(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG)
    elif rank == 1:
        comm.send('a matched message', dest=0, tag=6)
        comm.Send(bytearray(b'eleven byte'), dest=0, tag=7)


for part in (pickled, buffers, requests, persistent, probes):
    part()
