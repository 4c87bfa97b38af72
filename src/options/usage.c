#include "options/usage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"

int tell(const char *text)
{
    if (fputs(text, stdout) < 0 || fflush(stdout) != 0)
        die("standard output: %s", strerror(errno));
    return 0;
}

_Noreturn void misuse(const char *what)
{
    die("%s (tourney --help)", what);
}
