! The owner loads from its window in the epoch in which another rank puts there (MPI-4.0, 12.7).
!
! check: -n 2: rma-race error FIRST
! race: -n 2: FIRST SECOND
program fortran_put_load
  use mpi_f08
  implicit none
  integer, volatile :: window(4) = 0, seen = 7
  integer :: rank, value = 7
  integer(kind=MPI_ADDRESS_KIND) :: bytes = 16, place = 1
  type(MPI_Win) :: win

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Win_create(window, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  if (rank == 0) call MPI_Put(value, 1, MPI_INTEGER, 1, place, 1, MPI_INTEGER, win)  ! FIRST
  if (rank == 1) seen = window(2)  ! SECOND
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call MPI_Finalize()
end program fortran_put_load
