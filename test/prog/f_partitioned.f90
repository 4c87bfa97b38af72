! Partitioned communication from Fortran.
!
! mpi: mpich
! run: -n 2
program f_partitioned
    use mpi_f08
    implicit none
    integer :: rank, round, i
    integer(MPI_COUNT_KIND), parameter :: each = 2
    integer :: v(8)
    logical :: came
    type(MPI_Request) :: request
    type(MPI_Status) :: status

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0) then
        call MPI_Psend_init(v, 4, each, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    else
        call MPI_Precv_init(v, 4, each, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    end if
    do round = 1, 2
        call MPI_Start(request)
        if (rank == 0) then
            v = [(10 * round + i, i = 1, 8)]
            call MPI_Pready(3, request)
            call MPI_Pready_range(0, 1, request)
            call MPI_Pready_list(1, [2], request)
        else
            came = .false.
            do while (.not. came)
                call MPI_Parrived(request, 3, came)
            end do
        end if
        call MPI_Wait(request, status)
        if (rank == 1) print '(a, i0, 8(1x, i0))', 'round ', round, v
    end do
    call MPI_Request_free(request)
    call MPI_Finalize()
end program
