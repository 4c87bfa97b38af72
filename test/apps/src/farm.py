"""Master and workers over pickled messages, taken from any source."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
me, n = comm.rank, comm.size
STOP, WORK = 1, 2


def master():
    todo = [{"id": i, "text": "x" * (i * 37 % 11)} for i in range(20)]
    done = {}
    idle, busy = list(range(1, n)), 0
    while todo or busy:
        while todo and idle:
            comm.send(todo.pop(), dest=idle.pop(), tag=WORK)
            busy += 1
        status = MPI.Status()
        key, value = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
        done[key] = value
        idle.append(status.Get_source())
        busy -= 1
    for worker in range(1, n):
        comm.send(None, dest=worker, tag=STOP)
    return done


def worker():
    count = 0
    while True:
        status = MPI.Status()
        message = comm.mprobe(source=0, tag=MPI.ANY_TAG, status=status)
        job = message.recv()
        if status.Get_tag() == STOP:
            return count
        comm.send((job["id"], len(job["text"]) ** 2), dest=0, tag=job["id"])
        count += 1


result = master() if me == 0 else worker()
counts = comm.gather(0 if me == 0 else result, root=0)
if me == 0:
    print(sorted(result.items()))
    print("jobs done:", sum(counts))
