#include "scenario/read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "scenario/parse.h"

void scenario_read(struct scenario *scenario, const char *path)
{
    enum { LARGEST = 1 << 20 };
    struct scenario_mistake mistake;
    FILE *file = fopen(path, "re");
    char *text = xmalloc(LARGEST + 1);
    if (!file)
        die("%s: %s", path, strerror(errno));
    size_t length = fread(text, 1, LARGEST + 1, file);
    if (ferror(file))
        die("%s: %s", path, strerror(errno));
    fclose(file);
    if (length > LARGEST)
        die("%s: a scenario has at most %d bytes", path, LARGEST);
    if (scenario_parse(scenario, text, length, &mistake) != 0)
        die("%s:%u:%u: %s", path, mistake.line, mistake.column, mistake.sentence);
    free(text);
}
