#include "world/segments.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>
#include <unistd.h>

#include "library/library.h"

static bool begins_with(const char *path, const char *begin)
{
    return strncmp(path, begin, strlen(begin)) == 0;
}

/* Others are the program's own, and none of our business. */
static bool is_of_library(const char *path)
{
    for (int i = 0; mpi_libraries[i]; i++)
        for (const char *const *segment = mpi_libraries[i]->segment; *segment; segment++)
            if (begins_with(path, *segment))
                return true;
    return begins_with(path, "/dev/shm/ucx_shm_posix_"); /* on which several are built */
}

static void note_path(segments_t *segments, char *path)
{
    path[strcspn(path, " \n")] = 0; /* behind it may stand that it is deleted */
    if (is_of_library(path))
        vec_push(&segments->path, xstrdup(path));
}

static void note_mapped(segments_t *segments, pid_t pid)
{
    char path[64], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    while (maps && getline(&line, &room, maps) > 0) {
        char *file = strchr(line, '/');
        if (file)
            note_path(segments, file);
    }
    free(line);
    if (maps)
        fclose(maps);
}

/* One that is just being made is not mapped yet. */
static void note_open_segments(segments_t *segments, pid_t pid)
{
    char path[64], file[256];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *files = opendir(path);
    struct dirent *entry;
    while (files && (entry = readdir(files))) {
        ssize_t n = readlinkat(dirfd(files), entry->d_name, file, sizeof file - 1);
        file[n > 0 ? n : 0] = 0;
        note_path(segments, file);
    }
    if (files)
        closedir(files);
}

static bool is_stopped_or_dead(pid_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[n] = 0;
    const char *state = strrchr(text, ')');
    return !state || strchr("TtZX", state[2]);
}

void segments_note_last(segments_t *segments, pid_t pid)
{
    enum { PATIENCE = 50 }; /* ms */
    if (kill(pid, SIGSTOP) < 0)
        return;
    for (int ms = 0; ms < PATIENCE && !is_stopped_or_dead(pid); ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    segments_note(segments, pid);
    system_v_made_by(pid, &segments->number);
}

void segments_note(segments_t *segments, pid_t pid)
{
    note_mapped(segments, pid);
    note_open_segments(segments, pid);
}

void segments_remove(segments_t *segments)
{
    for (size_t i = 0; i < segments->path.n; i++) {
        unlink(segments->path.at[i]);
        free(segments->path.at[i]);
    }
    for (size_t i = 0; i < segments->number.n; i++)
        shmctl(segments->number.at[i], IPC_RMID, NULL);
    vec_release(&segments->path);
    vec_release(&segments->number);
    *segments = (segments_t){0};
}
