/*
 * The file of --each-args.  It refuses by die().
 */
#include <stdlib.h>

#include "options/argument_lines.h"
#include "fuzz.h"

void fuzz_one(const uint8_t *bytes, size_t size)
{
    char *argv[] = {"program", NULL};
    argument_lines_t lines = argument_lines_read(fuzz_file(bytes, size), argv);
    for (size_t i = 0; i < lines.n; i++)
        if (!lines.at[i].argv[0] || !lines.at[i].text)
            abort();
    argument_lines_release(&lines);
}
