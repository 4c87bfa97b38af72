/*
 * program -- performs a script of one-sided communication with real MPI calls, and writes down what every rank read.
 *
 * The script is an argument: the steps of rank 0, of rank 1 and so on, with `/` between; script.py has the words.  Every access has buffers
 * of its own, and nothing is looked at before the end: what all ranks read, and what is in their windows once these are
 * freed, is an outcome, a line in FILE.  Unless DELAYS is 0 there are pauses before calls, for runs under mpiexec; a script that does
 * not end within SECONDS, if that is not 0, is a line `hangs`, and ends the job.
 *
 * usage: mpiexec -n RANKS program FILE SCRIPT TIMES DELAYS SECONDS
 */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 2, STEPS = 32, SEEN = 256, MOST = 4 };

static int me, ranks, file;
static unsigned long delays;
static MPI_Win win;
static MPI_Group world;
static int window[CELLS];
static struct buffers {
    int brought, compared, result, is_read;
} buffers[STEPS];
static MPI_Request request[STEPS]; /* of the steps that have one; of others, and when it is over, MPI_REQUEST_NULL */

static void fail(const char *step)
{
    fprintf(stderr, "program: there is no step %s\n", step);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void dawdle(void)
{
    if (!delays)
        return;
    delays = delays * 6364136223846793005ul + 1442695040888963407ul;
    if ((delays >> 33) % 100 < 40)
        usleep((unsigned)((delays >> 40) % 2000));
}

static int digit(const char *at)
{
    if (*at < '0' || *at > '9')
        fail(at);
    return *at - '0';
}

static MPI_Op operator_of(char sign)
{
    switch (sign) {
    case '+':
        return MPI_SUM;
    case 'm':
        return MPI_MAX;
    case '=':
        return MPI_REPLACE;
    case '?':
        return MPI_NO_OP;
    }
    fail("with that operator");
    return MPI_OP_NULL;
}

/* The same with a request. */
static void request_access(const char *step, struct buffers *b)
{
    int target = digit(step + 1), cell = digit(step + 3);
    MPI_Request *r = &request[b - buffers];
    b->brought = atoi(step + (step[0] == 'G' ? 4 : 5));
    b->is_read = strchr("GF", step[0]) != NULL;
    switch (step[0]) {
    case 'P':
        MPI_Rput(&b->brought, 1, MPI_INT, target, cell, 1, MPI_INT, win, r);
        break;
    case 'G':
        MPI_Rget(&b->result, 1, MPI_INT, target, cell, 1, MPI_INT, win, r);
        break;
    case 'A':
        MPI_Raccumulate(&b->brought, 1, MPI_INT, target, cell, 1, MPI_INT, operator_of(step[4]), win, r);
        break;
    case 'F':
        MPI_Rget_accumulate(&b->brought, 1, MPI_INT, &b->result, 1, MPI_INT, target, cell, 1, MPI_INT, operator_of(step[4]), win, r);
        break;
    default:
        fail(step);
    }
}

/* What completion calls say: of the first request that is open, whether it is complete; or the step of one that is. */
static void complete_requests(const char *step, struct buffers *b)
{
    int first = 0, flag = 1, index = MPI_UNDEFINED;
    while (first < STEPS && request[first] == MPI_REQUEST_NULL)
        first++;
    switch (step[0]) {
    case 'T':
        if (first < STEPS)
            MPI_Test(&request[first], &flag, MPI_STATUS_IGNORE);
        b->result = first < STEPS ? flag : -1;
        break;
    case 'L':
        for (flag = first == STEPS; !flag;)
            MPI_Test(&request[first], &flag, MPI_STATUS_IGNORE);
        break;
    case 'Y':
        MPI_Waitany(STEPS, request, &index, MPI_STATUS_IGNORE);
        b->result = index == MPI_UNDEFINED ? -1 : index;
        break;
    case 'y':
        MPI_Testany(STEPS, request, &index, &flag, MPI_STATUS_IGNORE);
        b->result = !flag ? -2 : index == MPI_UNDEFINED ? -1 : index;
        break;
    case 'W':
        MPI_Waitall(STEPS, request, MPI_STATUSES_IGNORE);
        break;
    }
    b->is_read = strchr("TYy", step[0]) != NULL;
}

static void access_window(const char *step, struct buffers *b)
{
    int target = digit(step + 1), cell = digit(step + 3);
    b->brought = atoi(step + (step[0] == 'G' ? 4 : 5));
    b->is_read = strchr("GFC", step[0]) != NULL;
    switch (step[0]) {
    case 'P':
        MPI_Put(&b->brought, 1, MPI_INT, target, cell, 1, MPI_INT, win);
        break;
    case 'G':
        MPI_Get(&b->result, 1, MPI_INT, target, cell, 1, MPI_INT, win);
        break;
    case 'A':
        MPI_Accumulate(&b->brought, 1, MPI_INT, target, cell, 1, MPI_INT, operator_of(step[4]), win);
        break;
    case 'F':
        MPI_Fetch_and_op(&b->brought, &b->result, MPI_INT, target, cell, operator_of(step[4]), win);
        break;
    case 'C':
        b->compared = b->brought;
        b->brought = atoi(strchr(step, '>') + 1);
        MPI_Compare_and_swap(&b->brought, &b->compared, &b->result, MPI_INT, target, cell, win);
        break;
    }
}

static int assertions(const char *step)
{
    return (strchr(step, 'p') ? MPI_MODE_NOPRECEDE : 0) | (strchr(step, 's') ? MPI_MODE_NOSUCCEED : 0);
}

static MPI_Group group_of(const char *members)
{
    MPI_Group group;
    int rank[MOST], n = 0;
    for (; members[n] && n < MOST; n++)
        rank[n] = digit(members + n);
    MPI_Group_incl(world, n, rank, &group);
    return group;
}

static void begin_by_group(const char *step)
{
    MPI_Group group = group_of(step + 1);
    if (step[0] == 'p')
        MPI_Win_post(group, 0, win);
    else
        MPI_Win_start(group, 0, win);
    MPI_Group_free(&group);
}

static void synchronise(const char *step)
{
    switch (step[0]) {
    case 'f':
        MPI_Win_fence(assertions(step + 1), win);
        break;
    case 'x':
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, digit(step + 1), 0, win);
        break;
    case 's':
        MPI_Win_lock(MPI_LOCK_SHARED, digit(step + 1), 0, win);
        break;
    case 'u':
        MPI_Win_unlock(digit(step + 1), win);
        break;
    case 'a':
        MPI_Win_lock_all(0, win);
        break;
    case 'z':
        MPI_Win_unlock_all(win);
        break;
    case 'w':
        MPI_Win_flush(digit(step + 1), win);
        break;
    case 'l':
        MPI_Win_flush_local(digit(step + 1), win);
        break;
    case 'p':
    case 't':
        begin_by_group(step);
        break;
    case 'c':
        MPI_Win_complete(win);
        break;
    case 'v':
        MPI_Win_wait(win);
        break;
    default:
        fail(step);
    }
}

static void communicate(const char *step, struct buffers *b)
{
    MPI_Status status;
    switch (step[0]) {
    case '>':
        MPI_Send(NULL, 0, MPI_INT, digit(step + 1), digit(step + 3), MPI_COMM_WORLD);
        break;
    case 'S':
        MPI_Ssend(NULL, 0, MPI_INT, digit(step + 1), digit(step + 3), MPI_COMM_WORLD);
        break;
    case '<':
        MPI_Recv(NULL, 0, MPI_INT, step[1] == '*' ? MPI_ANY_SOURCE : digit(step + 1), digit(step + 3), MPI_COMM_WORLD, &status);
        b->is_read = step[1] == '*';
        b->result = status.MPI_SOURCE;
        break;
    case 'b':
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    }
}

static void perform_step(const char *step, struct buffers *b)
{
    dawdle();
    if (strchr("PGAFC", step[0]) && step[strlen(step) - 1] == 'r')
        request_access(step, b);
    else if (strchr("PGAFC", step[0]))
        access_window(step, b);
    else if (strchr("TLYyW", step[0]))
        complete_requests(step, b);
    else if (strchr("><Sb", step[0]))
        communicate(step, b);
    else
        synchronise(step);
}

/* accumulate_ordering, if the script has it. */
static MPI_Info ordering_of(const char *script)
{
    MPI_Info info = MPI_INFO_NULL;
    char kept[32];
    if (!strchr(script, '~'))
        return info;
    snprintf(kept, sizeof kept, "%.*s", (int)strcspn(script, "~"), script);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", kept);
    return info;
}

/* The part of this rank. */
static void find_part(const char *script, char *part, size_t room)
{
    if (strchr(script, '~'))
        script = strchr(script, '~') + 1;
    for (int i = 0; i < me; i++)
        script = strchr(script, '/') + 1;
    snprintf(part, room, "%.*s", (int)strcspn(script, "/"), script);
}

static void write_outcome(const char (*all)[SEEN])
{
    char line[MOST * SEEN + 2];
    int length = 0;
    for (int rank = 0; rank < ranks; rank++)
        length += snprintf(line + length, sizeof line - (size_t)length, "%s|", all[rank]);
    line[length++] = '\n';
    if (write(file, line, (size_t)length) != length)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void tell_outcome(void)
{
    static char all[MOST][SEEN];
    char seen[SEEN] = "";
    int length = 0;
    for (int i = 0; i < STEPS; i++)
        if (buffers[i].is_read)
            length += snprintf(seen + length, sizeof seen - (size_t)length, "%d ", buffers[i].result);
    snprintf(seen + length, sizeof seen - (size_t)length, "[%d %d]", window[0], window[1]);
    MPI_Gather(seen, SEEN, MPI_CHAR, all, SEEN, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (me == 0)
        write_outcome((const char(*)[SEEN])all);
}

static void perform(const char *script)
{
    char part[1024];
    int steps = 0;
    memset(buffers, 0, sizeof buffers);
    memset(window, 0, sizeof window);
    for (int i = 0; i < STEPS; i++)
        request[i] = MPI_REQUEST_NULL;
    MPI_Info info = ordering_of(script);
    MPI_Win_create(window, sizeof window, sizeof *window, info, MPI_COMM_WORLD, &win);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    find_part(script, part, sizeof part);
    for (const char *step = strtok(part, " "); step && steps < STEPS; step = strtok(NULL, " "))
        perform_step(step, &buffers[steps++]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    tell_outcome();
}

static void on_alarm(int signal)
{
    (void)signal;
    _exit(write(file, "hangs\n", 6) == 6 ? 3 : 4);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 6 || ranks > MOST) {
        fputs("usage: program FILE SCRIPT TIMES DELAYS SECONDS\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    file = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (strcmp(argv[4], "0") != 0)
        delays = strtoul(argv[4], NULL, 10) * MOST + (unsigned long)me;
    if (strcmp(argv[5], "0") != 0) {
        signal(SIGALRM, on_alarm);
        alarm((unsigned)strtoul(argv[5], NULL, 10));
    }
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (unsigned long k = strtoul(argv[3], NULL, 10); k > 0; k--)
        perform(argv[2]);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
