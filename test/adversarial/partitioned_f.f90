! Partitioned communication from Fortran, in the search: all parts are made ready once, or one of them twice.
!
! mpi: mpich
! check: -n 2: none
! runs: -n 2: 1, merged 1
! check: -n 2 -- twice: partition-state error TWICE
! runs: -n 2 -- twice: 1, merged 1
program partitioned_f
    implicit none
    include 'mpif.h'
    integer(MPI_COUNT_KIND), parameter :: each = 2
    integer :: numbers(8), rank, request, ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    numbers = rank
    if (rank == 0) then
        call MPI_Psend_init(numbers, 4, each, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
        call MPI_Start(request, ierr)
        call MPI_Pready_range(0, 2, request, ierr)
        if (command_argument_count() > 0) call MPI_Pready_list(1, [2], request, ierr) ! TWICE
        call MPI_Pready(3, request, ierr)
    else
        call MPI_Precv_init(numbers, 4, each, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
        call MPI_Start(request, ierr)
    end if
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    if (rank == 1 .and. any(numbers /= 0)) error stop 2
    call MPI_Request_free(request, ierr)
    call MPI_Finalize(ierr)
end program
