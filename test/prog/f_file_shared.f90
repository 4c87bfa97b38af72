! Shared file pointers from Fortran: alone, together, and where they are.
!
! run: -n 3 {tmp}/fortran_shared
program f_file_shared
    use mpi
    implicit none
    integer :: rank, nranks, ierr, file, request, mine, sum, record(2)
    integer(kind=MPI_OFFSET_KIND) :: place
    character(len=500) :: name

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
    call get_command_argument(1, name)
    call MPI_File_open(MPI_COMM_WORLD, trim(name), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
    place = 0
    call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    record = [rank, 10 + rank]
    call MPI_File_write_shared(file, record, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call MPI_File_iwrite_shared(file, record(2), 1, MPI_INTEGER, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_File_sync(file, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_get_position_shared(file, place, ierr)
    print '(a,i0,a,i0)', 'rank ', rank, ': written up to ', place
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_sync(file, ierr)
    place = 0
    call MPI_File_seek_shared(file, place, MPI_SEEK_SET, ierr)
    call MPI_File_read_shared(file, record, 2, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    mine = record(1) + record(2)
    call MPI_Allreduce(mine, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    print '(a,i0,a,i0)', 'rank ', rank, ': read in all ', sum
    call MPI_File_close(file, ierr)
    call MPI_Finalize(ierr)
end program
