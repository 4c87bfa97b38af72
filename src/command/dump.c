/*
 * dump -- prints a recorded execution.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "trace/trace.h"

int command_dump(int argc, char **argv)
{
    const char *file = NULL;
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return tell(usage);
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (file || argv[i][0] == '-')
            misuse("dump takes one FILE, and --json");
        else
            file = argv[i];
    }
    if (!file)
        misuse("dump needs a FILE");
    signal(SIGPIPE, SIG_IGN);
    return trace_dump(file, json, stdout);
}
