#include "world/watch.h"

#include <stdio.h>
#include <string.h>

static const int64_t second = 1000 * 1000 * 1000;

static int64_t slice_ns(int seconds)
{
    int64_t slice = seconds * second / 10;
    return slice < second ? slice : second;
}

struct timespec watch_slice(int seconds)
{
    int64_t slice = slice_ns(seconds);
    return (struct timespec){.tv_sec = slice / second, .tv_nsec = slice % second};
}

/* Reads a short file of the process; an empty text if it cannot. */
static void read_about(pid_t pid, const char *what, char *text, int size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
    FILE *file = fopen(path, "re");
    text[0] = 0;
    if (file && !fgets(text, size, file))
        text[0] = 0;
    if (file)
        fclose(file);
}

/* The name of the program may contain anything: the state stands behind its end. */
static bool is_stopped(pid_t pid)
{
    char text[512], state = 0;
    read_about(pid, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')');
    return name_end && sscanf(name_end + 1, " %c", &state) == 1 && (state == 'T' || state == 't');
}

/* How long it ran, and how long it was ready to run and did not get a processor, ever; 0 where the kernel does not count that. */
static struct watched_time times_of(pid_t pid)
{
    char text[128];
    long long ran, delayed;
    read_about(pid, "schedstat", text, sizeof text);
    if (sscanf(text, "%lld %lld", &ran, &delayed) != 2)
        return (struct watched_time){0};
    return (struct watched_time){ran, delayed};
}

/*
 * Slices are counted, not looked up on a clock: if tourney itself was stopped for
 * an hour, that was one slice.  On a busy machine tourney gets its slices late, and counts too few of them;
 * but a process that has run for the whole time has made no call in it, however late that is seen.
 */
bool watch_note_slice(struct watch *watch, pid_t pid, int seconds)
{
    int64_t limit = seconds * second;
    struct watched_time now = times_of(pid);
    if (watch->process != pid)
        *watch = (struct watch){.process = pid, .first = now};
    else if (!is_stopped(pid))
        watch->waited += slice_ns(seconds);
    return watch->waited - (now.delayed - watch->first.delayed) >= limit || now.ran - watch->first.ran >= limit;
}
