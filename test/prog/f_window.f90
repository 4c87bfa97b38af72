! One-sided communication from Fortran: handles, attributes, addresses.
!
! run: -n 3
! compare: none
program window_of_fortran
    use mpi
    implicit none
    integer :: rank, ranks, win, ierror, value, failures
    integer, volatile :: mine(4), fetched
    integer(kind=MPI_ADDRESS_KIND) :: bytes, place, attribute
    logical :: flag

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    failures = 0
    mine = 0
    bytes = 16
    call MPI_Win_create(mine, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)

    call MPI_Win_fence(0, win, ierror)
    value = 10 + rank
    place = 1
    call MPI_Put(value, 1, MPI_INTEGER, mod(rank + 1, ranks), place, 1, MPI_INTEGER, win, ierror)
    place = 2
    call MPI_Accumulate(value, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, MPI_SUM, win, ierror)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierror)
    if (mine(2) /= 10 + mod(rank + ranks - 1, ranks)) failures = failures + 1
    if (rank == 0 .and. mine(3) /= 33) failures = failures + 1

    place = 3
    value = 1
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win, ierror)
    call MPI_Fetch_and_op(value, fetched, MPI_INTEGER, 0, place, MPI_SUM, win, ierror)
    call MPI_Win_unlock(0, win, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (fetched < 0 .or. fetched >= ranks) failures = failures + 1
    if (rank == 0 .and. mine(4) /= ranks) failures = failures + 1

    call MPI_Win_get_attr(win, MPI_WIN_SIZE, attribute, flag, ierror)
    if (.not. flag .or. attribute /= bytes) failures = failures + 1
    call MPI_Win_get_attr(win, MPI_WIN_MODEL, attribute, flag, ierror)
    if (.not. flag .or. attribute /= MPI_WIN_UNIFIED) failures = failures + 1
    call MPI_Win_free(win, ierror)
    if (win /= MPI_WIN_NULL) failures = failures + 1
    call MPI_Finalize(ierror)
    if (failures > 0) stop 1
end program
