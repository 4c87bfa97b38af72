/*
 * program -- performs a script of shared file pointers, partitioned communication, ports and messages, and writes down what every rank was told.
 *
 * The script is an argument: the steps of rank 0, of rank 1 and so on, with `/` between; meaning.py has the words.  INPUT is a file in which each
 * byte is its own number, so that who reads knows where.  What all ranks were told, in their order, is an outcome, a line in FILE.
 *
 * usage: mpiexec -n RANKS program FILE INPUT SCRIPT
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOLD = 16, MOST = 4, ELEMENTS = 4 };

static int me, ranks, told[TOLD], tolds;
static MPI_File input;
static char port[MOST][MPI_MAX_PORT_NAME]; /* by rank; open if the script has a step for them */
#if MPI_VERSION >= 4
static MPI_Request parts[MOST]; /* by partner */
static int values[MOST][ELEMENTS];
#endif

static void tell(int value)
{
    if (tolds < TOLD)
        told[tolds++] = value;
}

static void fail(const char *step)
{
    fprintf(stderr, "program: there is no step %s\n", step);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static int digit(const char *at)
{
    if (*at < '0' || *at > '9')
        fail(at);
    return *at - '0';
}

static int read_by_pointer(const char *step)
{
    unsigned char bytes[10] = {255};
    int n = digit(step + 1);
    MPI_Request request;

    if (step[0] == 'r')
        MPI_File_read_shared(input, bytes, n, MPI_BYTE, MPI_STATUS_IGNORE);
    else if (step[0] == 'o')
        MPI_File_read_ordered(input, bytes, n, MPI_BYTE, MPI_STATUS_IGNORE);
    else {
        MPI_File_iread_shared(input, bytes, n, MPI_BYTE, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return bytes[0];
}

static void use_file(const char *step)
{
    MPI_Offset place;

    switch (step[0]) {
    case 'r':
    case 'i':
    case 'o':
        tell(read_by_pointer(step));
        break;
    case 'q':
        MPI_File_get_position_shared(input, &place);
        tell((int)place);
        break;
    case 'z':
        MPI_File_seek_shared(input, digit(step + 1), MPI_SEEK_SET);
        break;
    case 'c':
        MPI_File_seek_shared(input, digit(step + 1), MPI_SEEK_CUR);
        break;
    }
}

static void send_or_receive(const char *step)
{
    MPI_Status status;
    int value = me;

    if (step[0] == 's') {
        MPI_Send(&value, 1, MPI_INT, digit(step + 1), 9, MPI_COMM_WORLD);
        return;
    }
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &status);
    tell(status.MPI_SOURCE);
}

/* P1.2: to rank 1, in 2 parts; R0.4: from rank 0, in 4; y1.0: part 0 is ready; a0.3: has part 3 come?; W1: waits for it, and frees it. */
static void use_parts(const char *step)
{
#if MPI_VERSION >= 4
    int other = digit(step + 1), n = step[2] ? digit(step + 3) : 0, flag;

    switch (step[0]) {
    case 'P':
        MPI_Psend_init(values[other], n, ELEMENTS / n, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[other]);
        MPI_Start(&parts[other]);
        break;
    case 'R':
        MPI_Precv_init(values[other], n, ELEMENTS / n, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[other]);
        MPI_Start(&parts[other]);
        break;
    case 'y':
        MPI_Pready(n, parts[other]);
        break;
    case 'a':
        MPI_Parrived(parts[other], n, &flag);
        tell(flag);
        break;
    case 'W':
        MPI_Wait(&parts[other], MPI_STATUS_IGNORE);
        MPI_Request_free(&parts[other]);
        break;
    }
#else
    fail(step);
#endif
}

/* A: accepts somebody at its own port, and asks who it is; C1: connects to rank 1. */
static void meet_at_port(const char *step)
{
    int other = -1;
    MPI_Comm between;

    if (step[0] == 'A') {
        MPI_Comm_accept(port[me], MPI_INFO_NULL, 0, MPI_COMM_SELF, &between);
        MPI_Recv(&other, 1, MPI_INT, 0, 0, between, MPI_STATUS_IGNORE);
        tell(other);
    } else {
        MPI_Comm_connect(port[digit(step + 1)], MPI_INFO_NULL, 0, MPI_COMM_SELF, &between);
        MPI_Send(&me, 1, MPI_INT, 0, 0, between);
    }
    MPI_Comm_disconnect(&between);
}

static void open_ports(const char *script)
{
    char own[MPI_MAX_PORT_NAME] = "";

    if (!strpbrk(script, "AC"))
        return;
    MPI_Open_port(MPI_INFO_NULL, own);
    MPI_Allgather(own, MPI_MAX_PORT_NAME, MPI_CHAR, port, MPI_MAX_PORT_NAME, MPI_CHAR, MPI_COMM_WORLD);
}

static void perform(const char *step)
{
    if (strchr("rioqzc", step[0]))
        use_file(step);
    else if (strchr("sv", step[0]))
        send_or_receive(step);
    else if (strchr("PRyaW", step[0]))
        use_parts(step);
    else if (strchr("AC", step[0]))
        meet_at_port(step);
    else if (step[0] == 'b')
        MPI_Barrier(MPI_COMM_WORLD);
    else
        fail(step);
}

/* The steps of this rank, one after the other. */
static void perform_all(char *script)
{
    char *own = strsep(&script, "/"), *in = NULL;

    for (int i = 0; i < me && own; i++)
        own = strsep(&script, "/");
    for (char *step = own ? strtok_r(own, " ", &in) : NULL; step; step = strtok_r(NULL, " ", &in))
        perform(step);
}

static void write_outcome(const char *name)
{
    int all[MOST][TOLD], n[MOST], used = 0, file;
    char line[512];

    MPI_Gather(told, TOLD, MPI_INT, all, TOLD, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&tolds, 1, MPI_INT, n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (me)
        return;
    for (int r = 0; r < ranks; r++) {
        used += snprintf(line + used, sizeof line - (size_t)used, "%s", r ? "/" : "");
        for (int i = 0; i < n[r]; i++)
            used += snprintf(line + used, sizeof line - (size_t)used, "%s%d", i ? " " : "", all[r][i]);
    }
    line[used++] = '\n';
    file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (write(file, line, (size_t)used) != used)
        MPI_Abort(MPI_COMM_WORLD, 2);
    close(file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 4 || ranks > MOST)
        fail(argc > 3 ? argv[3] : "at all");
    MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_RDONLY, MPI_INFO_NULL, &input);
    open_ports(argv[3]);
    perform_all(argv[3]);
    MPI_File_close(&input);
    write_outcome(argv[1]);
    MPI_Finalize();
    return 0;
}
