/*
 * dump -- prints a recorded execution.
 */
#include <signal.h>
#include <stdio.h>

#include "command/command.h"
#include "options/arguments.h"
#include "trace/trace.h"

int command_dump(int argc, char **argv)
{
    struct arguments arguments = arguments_for(COMMAND_DUMP, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    return trace_dump(arguments.words[0], arguments.json, stdout);
}
