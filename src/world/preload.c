#include "world/preload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"

/* Beside the program in the build tree, else below its prefix. */
char *preload_find(void)
{
    static const char *const places[] = {"lib/tourney", "../lib/tourney"};
    char exe[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length < 0)
        die("cannot find itself in /proc/self/exe: %s", strerror(errno));
    exe[length] = 0;
    *strrchr(exe, '/') = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = xformat("%s/%s/libtourney.so", exe, places[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    die("libtourney.so is neither in %s/lib/tourney nor in %s/../lib/tourney", exe, exe);
}

char *preload_name(char *gate, const char *scratch)
{
    if (!strpbrk(gate, " :;"))
        return gate;
    char *folder = xformat("%s/lib", scratch), *other = xformat("%s/libtourney.so", folder);
    *strrchr(gate, '/') = 0;
    if (strpbrk(other, " :;") || symlink(gate, folder) < 0)
        die("neither '%s' nor '%s' can be preloaded: set TMPDIR to a path without spaces and colons", gate, scratch);
    free(folder);
    free(gate);
    return other;
}
