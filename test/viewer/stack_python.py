# As stack.c, in Python.
from mpi4py import MPI

comm = MPI.COMM_WORLD


def take(source):
    return comm.recv(source=source)  # TAKE


def solve():
    take(MPI.ANY_SOURCE)  # ANY
    take(1)  # ONE


if comm.rank == 0:
    solve()  # SOLVE
else:
    comm.send(comm.rank, dest=0)
