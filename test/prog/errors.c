/*
 * MPI_ERRORS_RETURN: wrong arguments give the right error class, and the
 * program goes on.
 *
 * run: -n 2
 */
#include "check.h"

static void expect(const char *what, int code, int class)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    MPI_Error_string(code, text, &length);
    say("%s: %s", what, class_of(code) == class ? "as expected" : "another class");
    CHECK(class_of(code) == class);
    CHECK(length > 0 && (int)strlen(text) == length);
}

static void messages(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request;
    int v = 0;

    expect("send to 99", MPI_Send(&v, 1, MPI_INT, 99, 0, comm), MPI_ERR_RANK);
    expect("send to -9", MPI_Send(&v, 1, MPI_INT, -9, 0, comm), MPI_ERR_RANK);
    expect("send tag -5", MPI_Send(&v, 1, MPI_INT, 0, -5, comm), MPI_ERR_TAG);
    expect("send count -1", MPI_Send(&v, -1, MPI_INT, 0, 0, comm), MPI_ERR_COUNT);
    expect("send null type", MPI_Send(&v, 1, MPI_DATATYPE_NULL, 0, 0, comm), MPI_ERR_TYPE);
    expect("send null comm", MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    expect("send to any", MPI_Send(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm), MPI_ERR_RANK);
    expect("recv from 2", MPI_Recv(&v, 1, MPI_INT, 2, 0, comm, MPI_STATUS_IGNORE), MPI_ERR_RANK);
    expect("recv tag -5", MPI_Recv(&v, 1, MPI_INT, 0, -5, comm, MPI_STATUS_IGNORE), MPI_ERR_TAG);
    expect("irecv count", MPI_Irecv(&v, -2, MPI_INT, 0, 0, comm, &request), MPI_ERR_COUNT);
    expect("isend rank", MPI_Isend(&v, 1, MPI_INT, 2, 0, comm, &request), MPI_ERR_RANK);
    expect("probe rank", MPI_Probe(7, 0, comm, MPI_STATUS_IGNORE), MPI_ERR_RANK);
    expect("sendrecv rank",
           MPI_Sendrecv(&v, 1, MPI_INT, 5, 0, &v, 0, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE),
           MPI_ERR_RANK);
}

static void collectives(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int v = 0, w = 0;

    expect("bcast root 2", MPI_Bcast(&v, 1, MPI_INT, 2, comm), MPI_ERR_ROOT);
    expect("bcast root -1", MPI_Bcast(&v, 1, MPI_INT, -1, comm), MPI_ERR_ROOT);
    expect("bcast count", MPI_Bcast(&v, -1, MPI_INT, 0, comm), MPI_ERR_COUNT);
    expect("bcast comm", MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    expect("allreduce op", MPI_Allreduce(&v, &w, 1, MPI_INT, MPI_OP_NULL, comm), MPI_ERR_OP);
    expect("bcast type", MPI_Bcast(&v, 1, MPI_DATATYPE_NULL, 0, comm), MPI_ERR_TYPE);
    expect("barrier comm", MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
}

static void others(void)
{
    MPI_Group group, part;
    MPI_Comm comm;
    int n;

    expect("rank of null", MPI_Comm_rank(MPI_COMM_NULL, &n), MPI_ERR_COMM);
    expect("dup of null", MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    expect("incl rank", MPI_Group_incl(group, 1, &(int){9}, &part), MPI_ERR_RANK);
    MPI_Group_free(&group);
    expect("grid too large",
           MPI_Cart_create(MPI_COMM_WORLD, 1, &(int){100}, &(int){0}, 0, &comm), MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    int sum = 0;

    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    messages();
    collectives();
    others();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("and on: %d", sum);
    return finish();
}
