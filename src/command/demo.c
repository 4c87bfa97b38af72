/*
 * demo -- the examples that came with tourney, shown one after the other.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "command/command.h"
#include "options/arguments.h"

/* Beside the program as it is installed, or as it was built. */
static char *find_script(const char *program)
{
    static const char *const places[] = {"../share/tourney/examples", "../examples"};
    const char *end = strrchr(program, '/');
    char *path;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        path = xformat("%.*s/%s/demo.sh", (int)(end - program), program, places[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    die("the examples are not installed; they are in the folder examples of tourney's source");
}

int command_demo(int argc, char **argv)
{
    char program[4096];
    arguments_for(COMMAND_DEMO, argc, argv);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0)
        die("/proc/self/exe: %s", strerror(errno));
    program[n] = '\0';
    char *script = find_script(program);
    execlp("sh", "sh", script, program, (char *)NULL);
    die("cannot run sh: %s", strerror(errno));
}
