/*
 * tourney -- plays out every match an MPI program can make.
 *
 * Finds the command; what it does is in src/command, everything else in the folders.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "command/command.h"

#ifndef VERSION
#define VERSION "0.1"
#endif

/* Files opened later must not take the place of streams that were closed. */
static void fill_streams(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    fill_streams();
    const char *command = argc > 1 ? argv[1] : "--help";
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error when it is closed */
    if (strcmp(command, "run") == 0)
        return command_run(argc - 1, argv + 1);
    if (strcmp(command, "resume") == 0)
        return command_resume(argc - 1, argv + 1);
    if (strcmp(command, "replay") == 0)
        return command_replay(argc - 1, argv + 1);
    if (strcmp(command, "demo") == 0)
        return command_demo(argc - 1, argv + 1);
    if (strcmp(command, "dump") == 0)
        return command_dump(argc - 1, argv + 1);
    if (strcmp(command, "predict") == 0)
        return command_predict(argc - 1, argv + 1);
    if (strcmp(command, "model") == 0)
        return command_model(argc - 1, argv + 1);
    if (strcmp(command, "report") == 0)
        return command_report(argc - 1, argv + 1);
    if (strcmp(command, "ask") == 0)
        return command_ask(argc - 1, argv + 1);
    if (strcmp(command, "--version") == 0)
        return tell("tourney " VERSION "\n");
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0)
        return tell(usage);
    if (strcmp(command, "dist") == 0)
        return command_verify(argc - 1, argv + 1);
    if (strcmp(command, "dist-rank") == 0)
        return command_dist_rank(argc - 1, argv + 1);
    if (strcmp(command, "verify") == 0)
        return command_verify(argc - 1, argv + 1);
    if (command[0] == '-')
        return command_verify(argc, argv);
    die("'%s' is not a command; write tourney run -n N PROGRAM (tourney --help)", command);
}
