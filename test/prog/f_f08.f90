! Fortran through the module mpi_f08: handles as types, statuses as types,
! optional ierror, user operator, attributes with callbacks, grid, subarrays.
!
! run: -n 4
module callbacks
  use mpi_f08
  implicit none
  integer :: copies = 0, deletes = 0
contains
  subroutine larger_magnitude(invec, inoutvec, length, datatype)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)

    if (datatype /= MPI_INTEGER) return
    call c_f_pointer(invec, a, (/ length /))
    call c_f_pointer(inoutvec, b, (/ length /))
    where (abs(a) > abs(b)) b = a
  end subroutine

  subroutine copy(oldcomm, key, extra, in, out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag

    copies = copies + 1
    out = in + extra
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, key, value, extra, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra

    deletes = deletes + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program f_f08
  use mpi_f08
  use callbacks
  implicit none
  integer :: me, n

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  call messages
  call requests
  call collectives
  call grid
  call attributes
  call MPI_Finalize()

contains

  subroutine say(what, values)
    character(*), intent(in) :: what
    integer, intent(in) :: values(:)

    print '(a,i0,a,a,20(1x,i0))', 'rank ', me, ': ', what, values
  end subroutine

  subroutine messages
    type(MPI_Status) :: status
    integer :: v, i, total, length

    if (me == 0) then
      total = 0
      do i = 1, n - 1
        call MPI_Recv(v, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
        call MPI_Get_count(status, MPI_INTEGER, length)
        total = total + v * status%MPI_SOURCE + status%MPI_TAG + length
      end do
      call say('wildcard', (/ total /))
    else
      call MPI_Ssend(me, 1, MPI_INTEGER, 0, 7 * me, MPI_COMM_WORLD)
    end if
    call MPI_Barrier(MPI_COMM_WORLD) ! before anything else can fit the wildcard
  end subroutine

  subroutine requests
    type(MPI_Request) :: r(4)
    type(MPI_Status) :: statuses(4)
    integer :: v(2), w(2), right, left, done, outcount, indices(4)
    integer, asynchronous :: a

    right = mod(me + 1, n)
    left = mod(me + n - 1, n)
    v = (/ me, -me /)
    call MPI_Irecv(w(1), 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, r(1))
    call MPI_Irecv(w(2), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, r(2))
    call MPI_Isend(v(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, r(3))
    call MPI_Isend(v(2), 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, r(4))
    call MPI_Waitall(4, r, statuses)
    call say('waitall', (/ w, statuses(1)%MPI_SOURCE, statuses(2)%MPI_TAG /))
    call MPI_Irecv(a, 1, MPI_INTEGER, left, 3, MPI_COMM_WORLD, r(1))
    call MPI_Isend(v(1), 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, r(2))
    done = 0
    do while (done < 2)
      call MPI_Waitsome(2, r, outcount, indices, MPI_STATUSES_IGNORE)
      done = done + outcount
    end do
    call say('waitsome', (/ a /))
    if (r(1) /= MPI_REQUEST_NULL) call say('not so: request', (/ 1 /))
  end subroutine

  subroutine collectives
    type(MPI_Op) :: op
    type(MPI_Request) :: r
    integer :: v(2), w(2), all(4)

    call MPI_Op_create(larger_magnitude, .true., op)
    v = (/ me, merge(-10 * me, me, mod(me, 2) == 1) /)
    call MPI_Allreduce(v, w, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
    call say('user op', w)
    call MPI_Op_free(op)
    all(me + 1) = 3 * me
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
    call say('in place', all)
    call MPI_Iexscan(me, w, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    if (me > 0) call say('exscan', w(1:1))
  end subroutine

  subroutine grid
    type(MPI_Comm) :: comm, row
    type(MPI_Datatype) :: column
    integer :: at(2), source, target, v(3, 2), w(2), total
    logical :: periods(2)

    periods = (/ .false., .true. /)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, (/ 2, 2 /), periods, .false., comm)
    call MPI_Cart_coords(comm, me, 2, at)
    call MPI_Cart_shift(comm, 0, 1, source, target)
    v = reshape((/ 1, 2, 3, 4, 5, 6 /), (/ 3, 2 /)) + 10 * me
    w = -1
    call MPI_Type_create_subarray(2, (/ 3, 2 /), (/ 1, 2 /), (/ 1, 0 /), MPI_ORDER_FORTRAN, &
                                  MPI_INTEGER, column)
    call MPI_Type_commit(column)
    call MPI_Sendrecv(v, 1, column, target, 0, w, 2, MPI_INTEGER, source, 0, comm, MPI_STATUS_IGNORE)
    call MPI_Type_free(column)
    call say('grid', (/ at, w /))
    call MPI_Cart_sub(comm, (/ .true., .false. /), row)
    call MPI_Allreduce(me, total, 1, MPI_INTEGER, MPI_SUM, row)
    call say('column sum', (/ total /))
    call MPI_Comm_free(row)
    call MPI_Comm_free(comm)
  end subroutine

  subroutine attributes
    type(MPI_Comm) :: comm
    integer :: key
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag

    call MPI_Comm_create_keyval(copy, delete, key, 1000_MPI_ADDRESS_KIND)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, int(me, MPI_ADDRESS_KIND))
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_get_attr(comm, key, value, flag)
    call MPI_Comm_free(comm)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key)
    call MPI_Comm_free_keyval(key)
    call say('attribute', (/ int(value), copies, deletes, merge(1, 0, flag) /))
  end subroutine
end program
