"""Typed buffers: derived types, persistent requests, topologies, collectives,
user operators, intercommunicators, attributes."""
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
me, n = world.rank, world.size
said = []

# A halo exchange with persistent requests on a periodic ring.
ring = world.Create_cart([n], periods=[True])
left, right = ring.Shift(0, 1)
out, back = array("d", [0.0]), array("d", [0.0])
requests = [ring.Send_init([out, MPI.DOUBLE], right, 5), ring.Recv_init([back, MPI.DOUBLE], left, 5)]
value = float(me)
for step in range(5):
    out[0] = value
    MPI.Prequest.Startall(requests)
    MPI.Request.Waitall(requests)
    value = 0.5 * (value + back[0])
for request in requests:
    request.Free()
said.append(round(value, 6))

# Every second column of a matrix, sent as a vector type.
column = MPI.INT.Create_vector(4, 1, 6).Commit()
matrix = array("i", [100 * me + i for i in range(24)])
taken = array("i", [0] * 4)
world.Sendrecv([matrix, 1, column], (me + 1) % n, 1, [taken, MPI.INT], (me - 1) % n, 1)
column.Free()
said.append(list(taken))

# Collectives of unequal parts, in place, and with an operator of our own.
parts = list(range(1, n + 1))
starts = [sum(parts[:i]) for i in range(n)]
whole = array("i", [0] * sum(parts))
world.Allgatherv([array("i", [me] * (me + 1)), MPI.INT], [whole, (parts, starts), MPI.INT])
said.append(list(whole))


def append(a, b, datatype):
    """(power, digits) pairs: associative, but the order shows."""
    x, y = memoryview(a).cast("i"), memoryview(b).cast("i")
    y[0], y[1] = x[0] * y[0], x[1] * y[0] + y[1]


pair = MPI.INT.Create_contiguous(2).Commit()
digits = array("i", [0, 0])
follow = MPI.Op.Create(append, commute=False)
world.Allreduce([array("i", [10, me + 1]), 1, pair], [digits, 1, pair], op=follow)
follow.Free()
pair.Free()
said.append(digits[1])

total = array("d", [me + 0.25, 1.0])
world.Iallreduce(MPI.IN_PLACE, [total, MPI.DOUBLE]).Wait()
said.append(list(total))

# Two halves that talk over an intercommunicator.
half = world.Split(me % 2, me)
inter = half.Create_intercomm(0, world, 1 - me % 2, 3)
heard = inter.allgather(me * me)
said.append(heard)
merged = inter.Merge(high=bool(me % 2))
said.append(merged.rank)

# Attributes travel with dup.
key = MPI.Comm.Create_keyval(copy_fn=lambda comm, k, v: v + 1)
merged.Set_attr(key, 41)
twin = merged.Dup()
said.append(twin.Get_attr(key))
for comm in (twin, merged, inter, half, ring):
    comm.Free()
MPI.Comm.Free_keyval(key)

for line in world.gather((me, said)) or []:
    print(*line)
