! As stack.c: the caller of the binding is the place, and what the compiler puts around a program is left out.
module calls
  use mpi
  implicit none
contains
  subroutine take(source)
    integer, intent(in) :: source
    integer :: v, err
    call MPI_Recv(v, 1, MPI_INTEGER, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, err) ! TAKE
  end subroutine
end module

program stack_fortran
  use calls
  implicit none
  integer :: rank, err
  call MPI_Init(err)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, err)
  if (rank == 0) then
    call take(MPI_ANY_SOURCE) ! ANY
    call take(1) ! ONE
  else
    call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, err)
  end if
  call MPI_Finalize(err)
end program
