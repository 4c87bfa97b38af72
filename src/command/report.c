/*
 * report -- a result as an HTML page.
 */
#include <stdio.h>
#include <stdlib.h>

#include "command/command.h"
#include "options/arguments.h"
#include "report/page_file.h"

int command_report(int argc, char **argv)
{
    struct arguments arguments = arguments_for(COMMAND_REPORT, argc, argv);
    char *file = page_file_make(arguments.words[0], arguments.output);
    printf("tourney: the report is %s\n", file);
    free(file);
    arguments_release(&arguments);
    return 0;
}
