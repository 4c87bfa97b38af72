! Fortran: a logical operator is not for integers; sums of sized and created kinds and pairs are fine.
!
! check: -n 2: operator-type error CALL
! runs: -n 2: 1, merged 1
! check: -n 2 -- right: none
! runs: -n 2 -- right: 1, merged 1
program operator_type_f
    use mpi
    implicit none
    integer :: ierr, kind, pair(2), most(2)
    integer(8) :: big, sum
    logical :: yes, all
    double precision :: x, y

    call MPI_Init(ierr)
    pair = [1, 2]
    yes = .true.
    big = 1
    x = 1
    if (command_argument_count() == 0) call MPI_Allreduce(pair, most, 1, MPI_INTEGER, MPI_LAND, MPI_COMM_WORLD, ierr) ! CALL
    call MPI_Allreduce(pair, most, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(big, sum, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(yes, all, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(pair, most, 2, MPI_INTEGER, MPI_BAND, MPI_COMM_WORLD, ierr)
    call MPI_Type_create_f90_real(15, 307, kind, ierr)
    call MPI_Allreduce(x, y, 1, kind, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    call MPI_Finalize(ierr)
end program
