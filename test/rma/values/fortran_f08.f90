! One-sided communication with the module mpi_f08: windows on arrays, shared windows, derived types and locks.
!
! run: -n 2
! check: -n 2: none
program fortran_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi_f08
  implicit none
  integer, parameter :: places = 8
  double precision, asynchronous :: window(places)
  double precision :: values(4)
  double precision, pointer, volatile :: mine(:), theirs(:)
  integer :: rank, other, unit, i
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place, size_of_part
  type(MPI_Datatype) :: column
  type(MPI_Win) :: win
  type(c_ptr) :: base
  logical :: bad

  bad = .false.
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  other = 1 - rank
  window = 0
  bytes = 8 * places

  call MPI_Win_create(window, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Type_vector(4, 1, 2, MPI_DOUBLE_PRECISION, column)
  call MPI_Type_commit(column)
  values = [(rank + 0.25d0 * i, i = 1, 4)]
  place = 0
  call MPI_Win_fence(MPI_MODE_NOPRECEDE, win)
  call MPI_Put(values, 4, MPI_DOUBLE_PRECISION, other, place, 1, column, win)
  call MPI_Win_fence(0, win)
  if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(window)
  do i = 1, 4
    call expect(window(2 * i - 1) == other + 0.25d0 * i .and. window(2 * i) == 0, i)
  end do
  call MPI_Win_fence(0, win)
  call MPI_Accumulate(values, 4, MPI_DOUBLE_PRECISION, other, place, 1, column, MPI_MAX, win)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
  if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(window)
  call expect(window(7) == other + 1, 5)
  call MPI_Type_free(column)
  call MPI_Win_free(win)

  call MPI_Win_allocate_shared(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, mine, [places])
  call MPI_Win_shared_query(win, other, size_of_part, unit, base)
  call c_f_pointer(base, theirs, [places])
  call expect(size_of_part == bytes .and. unit == 8, 6)
  call MPI_Win_lock_all(0, win)
  mine(3) = 5 + rank
  call MPI_Win_sync(win)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_sync(win)
  call expect(theirs(3) == 5 + other, 7)
  call MPI_Win_unlock_all(win)
  call MPI_Win_free(win)

  call MPI_Finalize()
  if (bad) stop 1

contains

  subroutine expect(condition, number)
    logical, intent(in) :: condition
    integer, intent(in) :: number

    if (.not. condition) print *, 'rank', rank, 'check', number
    bad = bad .or. .not. condition
  end subroutine expect

end program fortran_f08
