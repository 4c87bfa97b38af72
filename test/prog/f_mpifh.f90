! Fortran through mpif.h: messages, wildcards, request arrays with statuses,
! collectives with a user operator and in place, split, grid, derived types,
! attributes.
!
! run: -n 3
program f_mpifh
  implicit none
  include 'mpif.h'
  integer :: ierr, me, n

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
  call messages
  call requests
  call collectives
  call communicators
  call types
  call attributes
  call MPI_FINALIZE(ierr)

contains

  subroutine messages
    integer :: v(2), status(MPI_STATUS_SIZE), i, total, length

    if (me == 0) then
      total = 0
      do i = 1, n - 1
        call MPI_RECV(v, 2, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
        call MPI_GET_COUNT(status, MPI_INTEGER, length, ierr)
        if (v(1) /= status(MPI_SOURCE) .or. status(MPI_TAG) /= 10 + v(1)) call wrong('wildcard')
        total = total + v(2) + length
      end do
      print '(a,i0,a,i0)', 'rank ', me, ': wildcard ', total
    else
      v = (/ me, me * me /)
      call MPI_SEND(v, 2, MPI_INTEGER, 0, 10 + me, MPI_COMM_WORLD, ierr)
    end if
    call MPI_BARRIER(MPI_COMM_WORLD, ierr) ! before anything else can fit the wildcard
    v = me
    call MPI_SENDRECV_REPLACE(v, 1, MPI_INTEGER, mod(me + 1, n), 0, mod(me + n - 1, n), 0, &
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    print '(a,i0,a,i0)', 'rank ', me, ': ring ', v(1)
  end subroutine

  subroutine requests
    integer :: req(4), statuses(MPI_STATUS_SIZE, 4), v(4), right, left, index
    double precision :: d(2)
    logical :: flag

    right = mod(me + 1, n)
    left = mod(me + n - 1, n)
    v = (/ 10 * me, 20 * me, -1, -1 /)
    call MPI_IRECV(v(3), 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, req(1), ierr)
    call MPI_IRECV(v(4), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, req(2), ierr)
    call MPI_ISEND(v(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, req(3), ierr)
    call MPI_ISEND(v(2), 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, req(4), ierr)
    call MPI_WAITALL(4, req, statuses, ierr)
    print '(a,i0,a,4(1x,i0))', 'rank ', me, ': waitall', v(3), v(4), &
      statuses(MPI_SOURCE, 1), statuses(MPI_TAG, 2)
    if (any(req /= MPI_REQUEST_NULL)) call wrong('requests')

    d = (/ me + 0.5d0, 0d0 /)
    call MPI_RECV_INIT(d(2), 1, MPI_DOUBLE_PRECISION, left, 3, MPI_COMM_WORLD, req(1), ierr)
    call MPI_SEND_INIT(d(1), 1, MPI_DOUBLE_PRECISION, right, 3, MPI_COMM_WORLD, req(2), ierr)
    call MPI_STARTALL(2, req, ierr)
    call MPI_WAITANY(2, req, index, MPI_STATUS_IGNORE, ierr)
    if (index < 1 .or. index > 2) call wrong('waitany')
    call MPI_WAITALL(2, req, MPI_STATUSES_IGNORE, ierr)
    call MPI_TESTALL(2, req, flag, MPI_STATUSES_IGNORE, ierr)
    print '(a,i0,a,f4.1,l2)', 'rank ', me, ': persistent ', d(2), flag
    call MPI_REQUEST_FREE(req(1), ierr)
    call MPI_REQUEST_FREE(req(2), ierr)
  end subroutine

  subroutine collectives
    integer :: v(3), w(3), op, req
    double precision :: x

    v = me + (/ 1, 2, 3 /)
    call MPI_BCAST(v(3), 1, MPI_INTEGER, n - 1, MPI_COMM_WORLD, ierr)
    call MPI_ALLREDUCE(v, w, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    print '(a,i0,a,4(1x,i0))', 'rank ', me, ': allreduce', w, v(3)
    call MPI_ALLREDUCE(MPI_IN_PLACE, v, 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
    print '(a,i0,a,3(1x,i0))', 'rank ', me, ': in place', v
    call MPI_OP_CREATE(keep_left, .false., op, ierr)
    v = 5 + me
    call MPI_ALLREDUCE(v, w, 3, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
    print '(a,i0,a,3(1x,i0))', 'rank ', me, ': user op', w
    call MPI_OP_FREE(op, ierr)
    call MPI_GATHER(me, 1, MPI_INTEGER, w, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
    if (me == 1) print '(a,i0,a,3(1x,i0))', 'rank ', me, ': gather', w
    x = me
    call MPI_IALLREDUCE(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, req, ierr)
    call MPI_WAIT(req, MPI_STATUS_IGNORE, ierr)
    print '(a,i0,a,f5.1)', 'rank ', me, ': iallreduce ', x
  end subroutine

  subroutine keep_left(in, inout, length, type)
    integer :: length, type
    integer :: in(length), inout(length)

    if (type /= MPI_INTEGER) call wrong('type in user op')
    inout = in
  end subroutine

  subroutine communicators
    integer :: comm, r, s, up, down, at(1)
    logical :: periods(1)

    call MPI_COMM_SPLIT(MPI_COMM_WORLD, mod(me, 2), -me, comm, ierr)
    call MPI_COMM_RANK(comm, r, ierr)
    call MPI_COMM_SIZE(comm, s, ierr)
    print '(a,i0,a,2(1x,i0))', 'rank ', me, ': split', r, s
    call MPI_COMM_FREE(comm, ierr)
    periods = .false.
    call MPI_CART_CREATE(MPI_COMM_WORLD, 1, (/ n /), periods, .false., comm, ierr)
    call MPI_CART_SHIFT(comm, 0, 1, down, up, ierr)
    call MPI_CART_COORDS(comm, me, 1, at, ierr)
    print '(a,i0,a,3(1x,i0))', 'rank ', me, ': cart', at, &
      merge(-1, down, down == MPI_PROC_NULL), merge(-1, up, up == MPI_PROC_NULL)
    call MPI_COMM_FREE(comm, ierr)
  end subroutine

  subroutine types
    integer :: matrix(3, 3), row, v(3), status(MPI_STATUS_SIZE)

    matrix = reshape((/ 1, 2, 3, 4, 5, 6, 7, 8, 9 /), (/ 3, 3 /)) + 10 * me
    call MPI_TYPE_VECTOR(3, 1, 3, MPI_INTEGER, row, ierr)
    call MPI_TYPE_COMMIT(row, ierr)
    call MPI_SENDRECV(matrix(2, 1), 1, row, mod(me + 1, n), 5, v, 3, MPI_INTEGER, &
                      mod(me + n - 1, n), 5, MPI_COMM_WORLD, status, ierr)
    print '(a,i0,a,3(1x,i0))', 'rank ', me, ': row', v
    call MPI_TYPE_FREE(row, ierr)
  end subroutine

  subroutine attributes
    integer :: key, comm
    integer(kind=MPI_ADDRESS_KIND) :: value, extra
    logical :: flag

    extra = 0
    call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, extra, ierr)
    value = 77 + me
    call MPI_COMM_SET_ATTR(MPI_COMM_WORLD, key, value, ierr)
    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
    value = 0
    call MPI_COMM_GET_ATTR(comm, key, value, flag, ierr)
    print '(a,i0,a,i0,l2)', 'rank ', me, ': attribute ', value, flag
    call MPI_COMM_FREE(comm, ierr)
    call MPI_COMM_DELETE_ATTR(MPI_COMM_WORLD, key, ierr)
    call MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    if (.not. flag .or. value < 32767) call wrong('tag_ub')
  end subroutine

  subroutine wrong(what)
    character(*), intent(in) :: what

    print '(a,i0,a,a)', 'rank ', me, ': not so: ', what
    call MPI_ABORT(MPI_COMM_WORLD, 1, ierr)
  end subroutine
end program
