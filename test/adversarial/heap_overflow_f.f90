! Fortran: an allocatable array is a block of malloc.  Sections of it, and copies that the compiler makes of sections
! with gaps, are fine.
!
! check: -n 2: buffer-overflow error SEND
! runs: -n 2: 1, merged 1
! check: -n 2 -- right: none
! runs: -n 2 -- right: 1, merged 1
program heap_overflow_f
    use mpi
    implicit none
    integer :: ierr, rank, n
    integer, allocatable :: a(:), b(:, :)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    allocate(a(7), b(5, 5))
    a = 0
    b = 0
    n = 8
    if (command_argument_count() > 0) n = 7
    if (rank == 0) then
        call MPI_Send(a, n, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr) ! SEND
        call MPI_Send(b(2, 1:5), 5, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
        call MPI_Send(b(:, 5), 5, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
        call MPI_Send(a(3:7), 5, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    else
        call MPI_Recv(b, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Recv(a, 5, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Recv(a(3), 5, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Recv(b(1, 5), 5, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end if
    deallocate(a, b)
    call MPI_Finalize(ierr)
end program
