#include "world/segments.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Others are the program's own, and none of our business. */
static bool is_of_library(const char *path)
{
    static const char *const begin[] = {"/dev/shm/vader_segment.", "/dev/shm/sm_segment.", "/dev/shm/mpich_shar_tmp",
                                        "/dev/shm/ucx_shm_posix_"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (strncmp(path, begin[i], strlen(begin[i])) == 0)
            return true;
    return false;
}

void segments_note(segments_t *segments, pid_t pid)
{
    char path[64], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    while (maps && getline(&line, &room, maps) > 0) {
        char *file = strstr(line, "/dev/shm/");
        if (!file || !is_of_library(file))
            continue;
        file[strcspn(file, " \n")] = 0; /* behind it may stand that it is deleted */
        vec_push(segments, xstrdup(file));
    }
    free(line);
    if (maps)
        fclose(maps);
}

void segments_remove(segments_t *segments)
{
    for (size_t i = 0; i < segments->n; i++) {
        unlink(segments->at[i]);
        free(segments->at[i]);
    }
    vec_release(segments);
    *segments = (segments_t){0};
}
