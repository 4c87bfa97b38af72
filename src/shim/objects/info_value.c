#include "shim/objects/info_value.h"

#include <string.h>

#include "call/window.h"
#include "shim/core/library_code.h"

bool info_has(MPI_Info info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;
    if (info != MPI_INFO_NULL)
        library_may_fail(real.Info_get(info, key, sizeof value - 1, value, &flag));
    return flag;
}

bool info_says(MPI_Info info, const char *key, const char *wanted)
{
    char value[MPI_MAX_INFO_VAL + 1] = ""; /* MPICH takes it for an error that a value is longer than what it is asked for */
    int flag = 0;
    if (info != MPI_INFO_NULL)
        library_may_fail(real.Info_get(info, key, sizeof value - 1, value, &flag)); /* then nothing is said */
    return flag && strcmp(value, wanted) == 0;
}

bool info_keeps(MPI_Info info, const char *key, const char *word)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;
    size_t length = strlen(word);
    if (info != MPI_INFO_NULL)
        library_may_fail(real.Info_get(info, key, sizeof value - 1, value, &flag));
    bool found = !flag;
    for (const char *at = value; flag && *at && !found; at += strcspn(at, ", ") + (at[strcspn(at, ", ")] != 0))
        found = strcspn(at, ", ") == length && strncmp(at, word, length) == 0;
    return found;
}

uint32_t info_order_given_up(MPI_Info info)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } order[] = {{"rar", WINDOW_NO_RAR}, {"raw", WINDOW_NO_RAW}, {"war", WINDOW_NO_WAR}, {"waw", WINDOW_NO_WAW}};
    uint32_t flags = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        flags |= info_keeps(info, "accumulate_ordering", order[i].word) ? 0 : order[i].flag;
    return flags;
}
