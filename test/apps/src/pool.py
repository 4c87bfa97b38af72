"""The executor of mpi4py.futures, on the ranks that are there."""
from mpi4py import MPI
from mpi4py.futures import MPICommExecutor


def slow_square(x):
    return x * x


with MPICommExecutor(MPI.COMM_WORLD, root=0) as pool:
    if pool is not None:
        print(list(pool.map(slow_square, range(12))))
