! MPI_BOTTOM in Fortran is the address of a common block, not zero: messages, a broadcast and a reduction from there,
! with datatypes of absolute addresses.
!
! check: -n 2: none
! runs: -n 2: 1, merged 1
program bottom_fortran
  use mpi
  implicit none
  integer :: ierr, rank, type, request, status(MPI_STATUS_SIZE)
  integer :: ints(4)
  double precision :: reals(2)
  integer(kind=MPI_ADDRESS_KIND) :: at(2)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Get_address(ints(2), at(1), ierr)
  call MPI_Get_address(reals(2), at(2), ierr)
  call MPI_Type_create_struct(2, (/ 2, 1 /), at, (/ MPI_INTEGER, MPI_DOUBLE_PRECISION /), type, ierr)
  call MPI_Type_commit(type, ierr)

  call fill(rank)
  if (rank == 0) then
    call MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call expect(0)

  call fill(rank)
  if (rank == 0) then
    call MPI_Irecv(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, request, ierr)
  else
    call MPI_Isend(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, request, ierr)
  end if
  call MPI_Wait(request, status, ierr)
  call expect(1)

  call fill(rank)
  call MPI_Bcast(MPI_BOTTOM, 1, type, 1, MPI_COMM_WORLD, ierr)
  call expect(1)

  call MPI_Type_free(type, ierr)
  call MPI_Finalize(ierr)

contains

  subroutine fill(value)
    integer, intent(in) :: value
    ints = (/ -1, value, value + 1, -1 /)
    reals = (/ -1d0, value + 0.5d0 /)
  end subroutine

  subroutine expect(value)
    integer, intent(in) :: value
    if (any(ints /= (/ -1, value, value + 1, -1 /)) .or. any(reals /= (/ -1d0, value + 0.5d0 /))) call abort()
  end subroutine
end program
