#!/usr/bin/python3
# mpi4py's pool of processes, which a thread of the first one starts and feeds.
#
# run: -n 1
# compare: openmpi
# timeout: 120
from mpi4py.futures import MPIPoolExecutor


def square(number):
    return number * number


if __name__ == '__main__':
    with MPIPoolExecutor(max_workers=2) as executor:
        print(sum(executor.map(square, range(6))))
