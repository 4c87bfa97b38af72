# mpi4py 4's pool of processes: a thread of the first one starts workers and polls for what they send, as these do, so the search is bounded.
#
# run: -n 1
# timeout: 120
# check: -n 1 --poll-bound 0: incomplete
# check: -n 1 --poll-bound 0: request-state note -
# runs: -n 1 --poll-bound 0: merged 1
from mpi4py.futures import MPIPoolExecutor


def square(number):
    return number * number


if __name__ == '__main__':
    with MPIPoolExecutor(max_workers=2) as executor:
        print(sum(executor.map(square, range(3))))
