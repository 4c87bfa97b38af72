/*
 * The same on the stack, which cannot be fenced off, and with types that have gaps: that
 * something was written shows when the operation is complete.
 *
 * check: -n 2 -- send: buffer-race error SEND
 * check: -n 2 -- receive: buffer-race error RECEIVE
 * check: -n 2 -- gaps: buffer-race error GAPS
 * check: -n 2 -- scope: buffer-race error SCOPE
 * check: -n 2 -- large: buffer-race error LARGE
 * check: -n 2 -- small: buffer-race error SMALL
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

static const char *what;
static int other;

static int is(const char *name)
{
    return strcmp(what, name) == 0;
}

static void stack(void)
{
    int in[4] = {0}, out[4] = {0};
    MPI_Request request[2];
    MPI_Irecv(in + 1, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]); /* RECEIVE */
    MPI_Isend(out + 1, 2, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]); /* SEND */
    in[0] = in[3] = out[0] = out[3] = 1;
    if (is("send"))
        out[2] = 1;
    if (is("receive"))
        in[2] = 1;
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    out[2] = in[2];
}

/* What lies between the elements is the program's. */
static void gaps(void)
{
    static int v[30];
    MPI_Datatype column;
    MPI_Request request[2];
    MPI_Type_vector(10, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(v, 1, column, other, 0, MPI_COMM_WORLD, &request[0]); /* GAPS */
    MPI_Isend(v + 1, 1, column, other, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 10; i++)
        v[3 * i + 2] = v[3 * i + 1];
    if (is("gaps"))
        v[9] = 1;
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
}

static void leave_scope(MPI_Request *request)
{
    int v[16] = {0};
    MPI_Isend(v, 16, MPI_INT, other, 0, MPI_COMM_WORLD, request); /* SCOPE */
    if (!is("scope"))
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void use_stack(void)
{
    volatile int w[200];
    for (int i = 0; i < 200; i++)
        w[i] = i + 1;
}

static void scope(void)
{
    int v[16];
    MPI_Request request[2];
    MPI_Irecv(v, 16, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]);
    leave_scope(&request[1]);
    use_stack();
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void large(void)
{
    char v[100000] = {0};
    MPI_Request request;
    MPI_Irecv(v, sizeof v, MPI_CHAR, other, 0, MPI_COMM_WORLD, &request); /* LARGE */
    MPI_Send("", 1, MPI_CHAR, other, 0, MPI_COMM_WORLD);
    if (is("large"))
        memset(v + 50000, 1, 10000);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A change beside a small number. */
static void small(void)
{
    long v[8] = {0, 1}, w[8];
    MPI_Request request;
    MPI_Isend(v, 8, MPI_LONG, other, 0, MPI_COMM_WORLD, &request); /* SMALL */
    if (is("small"))
        v[0] = 2;
    MPI_Recv(w, 8, MPI_LONG, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    what = argc > 1 ? argv[1] : "";
    other = 1 - rank;
    stack();
    gaps();
    scope();
    large();
    small();
    MPI_Finalize();
    return 0;
}
