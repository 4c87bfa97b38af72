#include "world/system_v.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

/* ---- what the kernel has ---- */

struct kernel_segment {
    int key, number, maker;
    int64_t changed; /* when it was made, or its permissions were set: seconds on the wall's clock */
};

/* shmid is unique, so what is found under it with another maker is not the one that was meant. */
static bool look_at_segment(int number, pid_t maker, struct shmid_ds *state)
{
    return shmctl(number, IPC_STAT, state) == 0 && state->shm_cpid == maker;
}

/* Calls a function for each that a process with this number has made. */
static void for_each_of_maker(pid_t maker, void (*function)(const struct kernel_segment *, void *), void *data)
{
    char *line = NULL;
    size_t room = 0;
    FILE *table = fopen("/proc/sysvipc/shm", "re"); /* key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime ... */
    while (table && getline(&line, &room, table) > 0) {
        struct kernel_segment segment;
        if (sscanf(line, "%d %d %*o %*u %d %*d %*u %*u %*u %*u %*u %*d %*d %" SCNd64, &segment.key, &segment.number, &segment.maker, &segment.changed) == 4 &&
            segment.maker == maker)
            function(&segment, data);
    }
    free(line);
    if (table)
        fclose(table);
}

/* ---- on the list ---- */

struct unfinished {
    struct segment_list *list;
    const struct segment_place *place;
};

/* Its maker has announced it and was ended before it could say which number it has. */
static void remove_unfinished(const struct kernel_segment *segment, void *data)
{
    const struct unfinished *unfinished = data;
    if (segment->changed >= unfinished->place->since && !segment_list_find(unfinished->list, segment->number))
        shmctl(segment->number, IPC_RMID, NULL);
}

static void remove_place(struct segment_list *list, struct segment_place *place)
{
    struct shmid_ds state;
    struct unfinished unfinished = {list, place};
    pid_t maker = atomic_load(&place->maker);
    int number = atomic_load(&place->number);
    if (number == SEGMENT_IN_THE_MAKING)
        for_each_of_maker(maker, remove_unfinished, &unfinished);
    else if (look_at_segment(number, maker, &state))
        shmctl(number, IPC_RMID, NULL);
    segment_list_forget(list, place);
}

void system_v_remove_all(struct segment_list *list)
{
    for (int i = 0; i < SEGMENT_PLACES && atomic_load(&list->noted); i++)
        if (atomic_load(&list->place[i].maker) > 0)
            remove_place(list, &list->place[i]);
}

static bool is_unused(const struct segment_place *place, bool much)
{
    struct shmid_ds state;
    pid_t maker = atomic_load(&place->maker);
    int number = atomic_load(&place->number);
    if (maker <= 0 || kill(maker, 0) == 0 || errno != ESRCH)
        return false;
    if (number == SEGMENT_IN_THE_MAKING || !look_at_segment(number, maker, &state))
        return true;
    return (place->makers_own || much) && state.shm_nattch == 0;
}

void system_v_remove_unused(struct segment_list *list)
{
    enum { MUCH = SEGMENT_PLACES / 8 };
    uint32_t noted = atomic_load(&list->noted);
    for (int i = 0; i < SEGMENT_PLACES && noted; i++)
        if (is_unused(&list->place[i], noted > MUCH))
            remove_place(list, &list->place[i]);
}

/* ---- of a process that was given no list ---- */

/* When a process has begun, in seconds on the wall's clock, or a second before. */
static int64_t start_of_process(pid_t pid)
{
    char path[64], text[1024];
    struct timespec wall, since_boot;
    unsigned long long ticks = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[n] = 0;
    const char *rest = strrchr(text, ')'); /* the name of the program stands before it */
    if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1)
        return INT64_MAX;
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_BOOTTIME, &since_boot);
    return (int64_t)wall.tv_sec - (int64_t)since_boot.tv_sec + (int64_t)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK)) - 1;
}

struct living_maker {
    int64_t start; /* an earlier process with the same number may have left some as well */
    system_v_numbers_t *numbers;
};

static void note_of_maker(const struct kernel_segment *segment, void *data)
{
    const struct living_maker *maker = data;
    if (segment->key == IPC_PRIVATE && segment->changed >= maker->start)
        vec_push(maker->numbers, segment->number);
}

void system_v_made_by(pid_t pid, system_v_numbers_t *numbers)
{
    struct living_maker maker = {start_of_process(pid), numbers};
    for_each_of_maker(pid, note_of_maker, &maker);
}
