/* Calls of MPI behind functions of the program's own, as most programs have them. */
static void take(int source)
{
    int v;
    MPI_Recv(&v, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* TAKE */
}

static void exchange(int source)
{
    take(source); /* EXCHANGE */
}
