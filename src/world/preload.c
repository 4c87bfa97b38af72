#include "world/preload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "world/machine_limits.h"

char *preload_own_folder(void)
{
    char exe[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length < 0)
        die("cannot find itself in /proc/self/exe: %s", strerror(errno));
    exe[length] = 0;
    *strrchr(exe, '/') = 0;
    return xstrdup(exe);
}

/* Beside the program in the build tree, else below its prefix. */
char *preload_find(void)
{
    if (!machine_has_known_pages())
        die("this kernel has pages of %ld bytes, and tourney knows those of 4096 only", sysconf(_SC_PAGESIZE));
    static const char *const places[] = {"lib/tourney", "../lib/tourney"};
    char *exe = preload_own_folder();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = xformat("%s/%s/libtourney.so", exe, places[i]);
        if (access(path, R_OK) == 0) {
            free(exe);
            return path;
        }
        free(path);
    }
    die("libtourney.so is neither in %s/lib/tourney nor in %s/../lib/tourney", exe, exe);
}

char *preload_beside(const char *gate, const char *name)
{
    char *path = xformat("%.*s%s", (int)(strrchr(gate, '/') + 1 - gate), gate, name);
    if (access(path, R_OK) < 0)
        die("%s: %s", path, strerror(errno));
    return path;
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
