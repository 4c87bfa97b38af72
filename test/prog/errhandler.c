/*
 * User-defined error handlers: called with communicator and code, inherited by
 * dup, replaced, asked for, called by hand.
 *
 * run: -n 2
 */
#include "check.h"

static int calls;
static MPI_Comm last_comm;
static int last_class;

static void handler(MPI_Comm *comm, int *code, ...)
{
    calls++;
    last_comm = *comm;
    last_class = class_of(*code);
}

static void other_handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    calls += 100;
}

int main(int argc, char **argv)
{
    MPI_Errhandler mine, other, current;
    MPI_Comm comm, copy;
    int code, v = 0;

    begin(&argc, &argv);
    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_create_errhandler(other_handler, &other);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, mine);
    MPI_Comm_get_errhandler(comm, &current);
    CHECK(current == mine);
    MPI_Errhandler_free(&current);
    MPI_Errhandler_free(&mine); /* the communicator keeps it */
    CHECK(mine == MPI_ERRHANDLER_NULL);

    code = MPI_Send(&v, 1, MPI_INT, 50, 0, comm);
    say("send: calls %d, comm %d, class %d, returned %d", calls, last_comm == comm,
        last_class == MPI_ERR_RANK, class_of(code) == MPI_ERR_RANK);
    MPI_Comm_dup(comm, &copy);
    MPI_Bcast(&v, 1, MPI_INT, 50, copy);
    say("bcast on a copy: calls %d, comm %d, class %d", calls, last_comm == copy,
        last_class == MPI_ERR_ROOT);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    say("by hand: calls %d, comm %d, class %d", calls, last_comm == comm,
        last_class == MPI_ERR_OTHER);
    MPI_Comm_set_errhandler(comm, other);
    MPI_Send(&v, 1, MPI_INT, 0, -77, comm);
    say("replaced: calls %d", calls);
    CHECK(calls == 103);
    /* Truncation is found on completion, by the handler of the communicator. */
    if (rank == 0) {
        MPI_Send((int[]){1, 2}, 2, MPI_INT, 1, 0, copy);
    } else {
        code = MPI_Recv(&v, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
        say("truncated: calls %d, class %d", calls, last_class == MPI_ERR_TRUNCATE);
        CHECK(class_of(code) == MPI_ERR_TRUNCATE);
    }
    MPI_Errhandler_free(&other);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&copy);
    return finish();
}
