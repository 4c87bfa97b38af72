/*
 * All that a program may do beside a buffer that is fenced off: on the same page, in system calls,
 * in children, with signals of its own, with threads.  Arguments choose what.
 *
 * check: -n 2: none
 * check: -n 2 -- handler: none
 * check: -n 2 -- threads: none
 * check: -n 2 -- calm: none
 */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char page[1 << 14];
static char *const buffer = page + 1000; /* 100 bytes; all around it is used */
static sigjmp_buf again;
static volatile int alarms;

static void must(int yes, const char *what)
{
    if (yes)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void on_alarm(int sig)
{
    alarms++;
    page[1500]++;
}

static void on_fault(int sig)
{
    siglongjmp(again, 1);
}

/* The kernel writes to and reads from the page. */
static void system_calls(void)
{
    int ends[2];
    struct stat *status = (struct stat *)(page + 2048);
    must(pipe(ends) == 0 && write(ends[1], page + 1100, 300) == 300, "write");
    must(read(ends[0], page + 600, 300) == 300, "read");
    must(stat("/", status) == 0 && S_ISDIR(status->st_mode), "stat");
    close(ends[0]);
    close(ends[1]);
    must(snprintf(page + 3000, 100, "%s %d", "text", alarms) > 5, "snprintf");
    char *text = getcwd(page + 4000, 2000);
    must(text && strlen(text) > 0, "getcwd");
}

static void child(void)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        memset(page, 0, sizeof page); /* its own memory, where nothing is pending */
        _exit(page[1050]);
    }
    must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0, "child");
    must(system("true") == 0, "system");
}

static void alarms_come(void)
{
    signal(SIGUSR1, on_alarm);
    for (int i = 0; i < 3; i++) {
        raise(SIGUSR1);
        page[900] = page[1100] + 1;
    }
    must(alarms == 3, "alarms");
}

/* Its own handler for what fences need. */
static void own_handler(void)
{
    signal(SIGSEGV, on_fault);
    page[999] = 1;
    if (sigsetjmp(again, 1) == 0)
        *(volatile int *)8 = 0;
    page[1100] = 1;
    page[999] = 2;
}

static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        page[900]++;
        if (write(-1, page, 1) == 0)
            abort();
    }
    return unused;
}

static void threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < 1000; i++)
        page[1100]++;
    pthread_join(thread, NULL);
}

static void busy(void)
{
    for (int i = 0; i < 1000; i++)
        page[i] = page[1100 + i]++;
    memmove(page + 1100, page + 5000, 3000);
    must(memchr(page + 1100, 'x', 2000) == NULL, "memchr");
}

/* For long there is no fence, and then one again. */
static void calm(int rank)
{
    MPI_Request request;
    int size;
    for (int i = 0; i < 3000; i++)
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 1) {
        MPI_Send(buffer, 100, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        return;
    }
    MPI_Irecv(buffer, 100, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
    page[999] = page[1100] = 1;
    system_calls();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, count, provided, flag = 0;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 3 && rank == 0; round++) {
        MPI_Irecv(buffer, 100, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        page[999] = page[1100] = 1;
        if (round == 0)
            system_calls();
        else if (round == 1)
            alarms_come();
        if (round == 0)
            child();
        if (round == 1 && strcmp(what, "handler") == 0)
            own_handler();
        if (round == 1 && strcmp(what, "threads") == 0)
            threads();
        if (round == 2)
            busy();
        alarms = 0;
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        page[999]++;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        must(buffer[7] == 'm', "message");
        buffer[7] = 0;
    }
    for (int round = 0; round < 3 && rank == 1; round++) {
        memset(buffer, 'm', 100);
        MPI_Isend(buffer, 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
        must(buffer[0] == 'm', "a buffer that is sent may be read");
        page[999] = page[1100] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (strcmp(what, "calm") == 0)
        calm(rank);
    MPI_Finalize();
    return 0;
}
