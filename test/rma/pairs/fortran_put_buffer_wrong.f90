! The origin stores to the buffer of a put before the unlock that completes it (MPI-4.0, 12.3).
!
! check: -n 2: rma-race error FIRST
! race: -n 2: FIRST SECOND
program fortran_put_buffer
  use, intrinsic :: iso_c_binding, only: c_ptr
  use mpi
  implicit none
  integer, volatile :: value = 7
  integer :: rank, win, error
  integer(kind=MPI_ADDRESS_KIND) :: bytes = 16, place = 0
  type(c_ptr) :: base

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, error)
  if (rank == 0) then
    call MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win, error)
    call MPI_Put(value, 1, MPI_INTEGER, 1, place, 1, MPI_INTEGER, win, error)  ! FIRST
    value = 8  ! SECOND
    call MPI_Win_unlock(1, win, error)
  end if
  call MPI_Win_free(win, error)
  call MPI_Finalize(error)
end program fortran_put_buffer
