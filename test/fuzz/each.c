/*
 * The file of --each-args.  It refuses by die().
 */
#include <stdlib.h>

#include "command/each.h"
#include "fuzz.h"

void fuzz_one(const uint8_t *bytes, size_t size)
{
    char *argv[] = {"program", NULL};
    each_lines_t lines = each_read(fuzz_file(bytes, size), argv);
    for (size_t i = 0; i < lines.n; i++)
        if (!lines.at[i].argv[0] || !lines.at[i].text)
            abort();
    each_release(&lines);
}
