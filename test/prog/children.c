/*
 * Ranks that start other programs: with system, with popen, with fork and
 * exec, before init and in the middle. The children are not ranks.
 *
 * run: -n 2
 */
#define _GNU_SOURCE
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static void with_popen(void)
{
    char line[100] = "";
    FILE *pipe = popen("echo child of $MY_RANK", "r");

    if (!pipe || !fgets(line, sizeof line, pipe))
        failures++;
    CHECK(pclose(pipe) == 0);
    line[strcspn(line, "\n")] = 0;
    say("popen: %s", line);
}

static void with_fork(void)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    say("fork and exec: exit %d", WEXITSTATUS(status));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

/* A child that only computes and leaves by _exit must not take part in MPI. */
static void plain_fork(void)
{
    int status, pipe_ends[2], value = 0;
    pid_t child;

    CHECK(pipe(pipe_ends) == 0);
    child = fork();
    if (child == 0) {
        value = rank * 11;
        _exit(write(pipe_ends[1], &value, sizeof value) != sizeof value);
    }
    waitpid(child, &status, 0);
    CHECK(read(pipe_ends[0], &value, sizeof value) == sizeof value);
    say("fork: %d", value);
    CHECK(status == 0 && value == rank * 11);
}

int main(int argc, char **argv)
{
    char text[20];
    int sum;

    CHECK(system("true") == 0);
    begin(&argc, &argv);
    snprintf(text, sizeof text, "%d", rank);
    setenv("MY_RANK", text, 1);
    with_popen();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    with_fork();
    plain_fork();
    CHECK(system("exit 3") == 3 << 8);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("sum %d", sum);
    return finish();
}
