! Partitioned communication from Fortran; by mpif.h, since the mpi_f08 of Open MPI 5 has counts of another kind than the standard.
!
! mpi: mpich
! run: -n 2
program f_partitioned
    implicit none
    include 'mpif.h'
    integer :: rank, round, i, request, ierr
    integer(MPI_COUNT_KIND), parameter :: each = 2
    integer :: v(8)
    logical :: came

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call MPI_Psend_init(v, 4, each, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    else
        call MPI_Precv_init(v, 4, each, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    end if
    do round = 1, 2
        call MPI_Start(request, ierr)
        if (rank == 0) then
            v = [(10 * round + i, i = 1, 8)]
            call MPI_Pready(3, request, ierr)
            call MPI_Pready_range(0, 1, request, ierr)
            call MPI_Pready_list(1, [2], request, ierr)
        else
            came = .false.
            do while (.not. came)
                call MPI_Parrived(request, 3, came, ierr)
            end do
        end if
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        if (rank == 1) print '(a, i0, 8(1x, i0))', 'round ', round, v
    end do
    call MPI_Request_free(request, ierr)
    call MPI_Finalize(ierr)
end program
