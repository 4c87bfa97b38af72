#include "shim/objects/info_value.h"

#include <string.h>

#include "shim/core/library_code.h"

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
