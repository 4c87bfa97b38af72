! One-sided communication with the module mpi: windows on arrays, on memory of MPI by C pointers, and all kinds of epochs.
!
! run: -n 2
! check: -n 2: none
program fortran_mpi
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use mpi
  implicit none
  integer, parameter :: places = 8
  integer :: rank, other, win, error, unit, group, everybody, request
  integer, volatile :: window(places), old, back(2)  ! epochs change them behind the compiler's back (MPI-4.0, 12.7.4)
  integer :: values(2), one
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place, answer
  integer, pointer, volatile :: memory(:)
  logical :: flag, bad
  type(c_ptr) :: base

  bad = .false.
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  other = 1 - rank
  one = 1
  window = 0
  bytes = 4 * places
  unit = 4

  call MPI_Win_create(window, bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, win, error)
  values = [10 + rank, 20 + rank]
  call MPI_Win_fence(0, win, error)
  place = 2
  call MPI_Put(values, 2, MPI_INTEGER, other, place, 2, MPI_INTEGER, win, error)
  call MPI_Win_fence(0, win, error)
  call expect(window(3) == 10 + other .and. window(4) == 20 + other, 1)
  call MPI_Win_fence(0, win, error)
  place = 3
  call MPI_Accumulate(values, 1, MPI_INTEGER, other, place, 1, MPI_INTEGER, MPI_SUM, win, error)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, error)
  call expect(window(4) == 30 + 2 * other, 2)
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, answer, flag, error)
  call expect(flag .and. answer == bytes, 3)
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, answer, flag, error)
  call expect(flag .and. answer == 4, 4)

  call MPI_Win_get_group(win, everybody, error)
  call MPI_Group_incl(everybody, 1, [other], group, error)
  window(6) = 60 + rank
  place = 5
  call MPI_Win_post(group, 0, win, error)
  call MPI_Win_start(group, 0, win, error)
  call MPI_Get(back, 1, MPI_INTEGER, other, place, 1, MPI_INTEGER, win, error)
  call MPI_Win_complete(win, error)
  call MPI_Win_wait(win, error)
  call expect(back(1) == 60 + other, 5)
  call MPI_Group_free(group, error)
  call MPI_Group_free(everybody, error)
  call MPI_Win_free(win, error)

  call MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, error)
  call c_f_pointer(base, memory, [places])
  call MPI_Win_lock_all(0, win, error)
  memory = 0
  call MPI_Win_sync(win, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  place = 1
  call MPI_Fetch_and_op(one, old, MPI_INTEGER, other, place, MPI_SUM, win, error)
  call MPI_Win_flush(other, win, error)
  call expect(old == 0, 6)
  call MPI_Compare_and_swap(values, one, old, MPI_INTEGER, other, place, win, error)
  call MPI_Win_flush(other, win, error)
  call expect(old == 1, 7)
  call MPI_Rget(back, 1, MPI_INTEGER, other, place, 1, MPI_INTEGER, win, request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  call expect(back(1) == 10 + rank, 8)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Win_sync(win, error)
  call expect(memory(2) == 10 + other, 9)
  call MPI_Win_unlock_all(win, error)
  call MPI_Win_free(win, error)

  call MPI_Finalize(error)
  if (bad) stop 1

contains

  subroutine expect(condition, number)
    logical, intent(in) :: condition
    integer, intent(in) :: number

    if (.not. condition) print *, 'rank', rank, 'check', number
    bad = bad .or. .not. condition
  end subroutine expect

end program fortran_mpi
