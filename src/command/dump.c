/*
 * dump -- prints a recorded execution.
 */
#include <signal.h>
#include <stdio.h>

#include "command/command.h"
#include "command/said.h"
#include "trace/trace.h"

int command_dump(int argc, char **argv)
{
    struct said said = said_to(COMMAND_DUMP, argc, argv);
    signal(SIGPIPE, SIG_IGN);
    return trace_dump(said.words[0], said.json, stdout);
}
