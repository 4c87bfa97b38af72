/*
 * One of everything that is to be freed, and is not.
 */
#include <mpi.h>

static char room[4 * MPI_BSEND_OVERHEAD + 1000];

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void combine(void *in, void *out, int *n, MPI_Datatype *type)
{
    (void)in, (void)out, (void)n, (void)type;
}

int main(int argc, char **argv)
{
    int key, v[3] = {0};
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Errhandler errhandler;
    MPI_Info info;
    MPI_File file;
    MPI_Request request[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    for (int i = 0; i < 2; i++)
        MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Op_create(combine, 1, &op);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Info_create(&info);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, 0);
    MPI_File_open(MPI_COMM_SELF, "hoard.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Irecv(&v[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send(&v[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv_init(&v[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(&v[2], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Cancel(&request[2]);
    MPI_Finalize();
}
