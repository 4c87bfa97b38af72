/*
 * tourney -- plays out every match an MPI program can make.
 *
 * Finds the command; what it does is in src/command, everything else in the folders.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bug_context.h"
#include "base/die.h"
#include "base/log.h"
#include "command/command.h"
#include "options/usage.h"
#include "options/word.h"

#ifndef VERSION
#define VERSION "unknown"
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

static const struct {
    const char *name;
    int (*command)(int argc, char **argv);
} commands[] = {
    {"run", command_run},         {"resume", command_resume}, {"replay", command_replay}, {"demo", command_demo},
    {"dump", command_dump},       {"predict", command_predict}, {"model", command_model}, {"report", command_report},
    {"explain-states", command_explain_states}, {"ask", command_ask},         {"verify", command_verify}, {"dist", command_verify},
    {"doctor", command_doctor},   {"setup", command_setup},
    {"dist-rank", command_dist_rank}, /* the last: nobody means it */
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Most likely it is misspelt, or the number of ranks was forgotten. */
static _Noreturn void refuse_command(const char *word)
{
    const char *names[COMMANDS] = {0};
    for (size_t i = 0; i + 1 < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *meant = word_guess(word, names);
    struct stat file;
    if (stat(word, &file) == 0 && S_ISREG(file.st_mode))
        die("how many ranks?  Write tourney -n N %s (tourney --help)", word);
    if (meant)
        die("'%s' is not a command; was %s meant? (tourney --help)", word, meant);
    die("'%s' is not a command; write tourney -n N PROGRAM (tourney --help)", word);
}

/* For BUG(): the command in hand. */
static void describe_command(const void *argv)
{
    bug_say("tourney: the command was: tourney");
    for (char *const *word = (char *const *)argv + 1; *word; word++) {
        bug_say(" ");
        bug_say_word(*word);
    }
    bug_say("\n");
}

int main(int argc, char **argv)
{
    fill_streams();
    log_open();
    bug_context_enter(&(struct bug_context){.describe = describe_command, .data = argv});
    const char *command = argc > 1 ? argv[1] : "--help";
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error when it is closed */
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(command, commands[i].name) == 0)
            return commands[i].command(argc - 1, argv + 1);
    if (strcmp(command, "--version") == 0)
        return tell("tourney " VERSION "\n");
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0)
        return tell(usage);
    if (command[0] == '-')
        return command_verify(argc, argv);
    refuse_command(command);
}
