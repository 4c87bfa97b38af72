! Fortran: a vector whose blocks overlap, in a receive; and rows of a matrix, which interleave.
!
! check: -n 2: receive-overlap error RECV
! runs: -n 2: 1, merged 1
! check: -n 2 -- right: none
! runs: -n 2 -- right: 1, merged 1
program receive_overlap_f
    use mpi
    implicit none
    integer :: ierr, rank, row, rows, request, matrix(4, 5), stride
    integer(MPI_ADDRESS_KIND) :: zero, extent

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    stride = 4
    if (command_argument_count() == 0) stride = 0
    call MPI_Type_vector(5, 1, stride, MPI_INTEGER, row, ierr)
    zero = 0
    extent = 4
    call MPI_Type_create_resized(row, zero, extent, rows, ierr)
    call MPI_Type_commit(rows, ierr)
    matrix = rank
    if (rank == 0) then
        call MPI_Send(matrix, 20, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    else
        call MPI_Irecv(matrix, 4, rows, 0, 0, MPI_COMM_WORLD, request, ierr) ! RECV
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    end if
    call MPI_Type_free(row, ierr)
    call MPI_Type_free(rows, ierr)
    call MPI_Finalize(ierr)
end program
