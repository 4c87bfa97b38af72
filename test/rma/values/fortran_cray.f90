! Memory that MPI_Win_allocate makes, by a Cray pointer: the address comes as an integer.
!
! check: -n 3: none
! run: -n 3
program fortran_cray
  use mpi
  implicit none
  integer :: rank, ranks, right, left, win, error, value
  integer(kind=MPI_ADDRESS_KIND) :: bytes, base, place
  integer :: window(4)
  pointer (base, window)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  right = mod(rank + 1, ranks)
  left = mod(rank + ranks - 1, ranks)
  bytes = 16
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, error)
  window = 0
  value = rank + 5
  place = 1
  call MPI_Win_fence(0, win, error)
  call MPI_Put(value, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, win, error)
  call MPI_Win_fence(0, win, error)
  if (any(window /= [0, left + 5, 0, 0])) stop 1
  call MPI_Win_free(win, error)
  call MPI_Finalize(error)
end program fortran_cray
