#include "world/shim_folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "library/shim_place.h"
#include "world/preload.h"
#include "world/program.h"

static char *users_data(void)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/')
        return xstrdup(data);
    return home && *home ? xformat("%s/.local/share", home) : NULL;
}

char *shim_folder_name(void)
{
    char *data = users_data(), *gate = preload_find(), *build = program_digest(gate);
    char *folder = data && build ? xformat("%s/tourney/%s", data, build) : NULL;
    free(build);
    free(gate);
    free(data);
    return folder;
}

/* Most users have none, and need not wait for the name to be computed. */
static bool has_some(void)
{
    char *data = users_data(), *all = data ? xformat("%s/tourney", data) : NULL;
    bool has = all && access(all, X_OK) == 0;
    free(all);
    free(data);
    return has;
}

void shim_folder_pass_on(void)
{
    char *folder = has_some() ? shim_folder_name() : NULL;
    if (folder && access(folder, X_OK) == 0)
        setenv(SHIM_PLACE_ENV, folder, 1);
    else
        unsetenv(SHIM_PLACE_ENV);
    free(folder);
}
