#include "shim/gate/segment_notes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <time.h>

#include "arch/system_call.h"
#include "call/wire.h"
#include "shim/gate/kept_state.h"

/* The shim has the list in view, as has a child of a rank; before MPI_Init, and in another program that a rank executes, it is looked up. */
static struct segment_list *segment_list_view(void)
{
    const char *world = getenv(WIRE_ENV);
    char path[64];
    if (tourney_gate_kept.segments)
        return tourney_gate_kept.segments;
    if (!world || sscanf(world, "%63[^:]", path) != 1)
        return NULL;
    long fd = system_call(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
    if (fd < 0)
        return NULL;
    long there = system_call(SYS_mmap, 0, sizeof(struct segment_list), PROT_READ | PROT_WRITE, MAP_SHARED, fd, WIRE_SEGMENTS);
    system_call(SYS_close, fd, 0, 0, 0, 0, 0);
    return there < 0 && there > -4096 ? NULL : (struct segment_list *)there;
}

static void segment_list_leave(struct segment_list *list)
{
    if (list && list != tourney_gate_kept.segments)
        system_call(SYS_munmap, (long)list, sizeof *list, 0, 0, 0, 0);
}

static time_t seconds_on_the_wall(void)
{
    struct timespec now = {0};
    system_call(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0, 0, 0);
    return now.tv_sec;
}

static bool is_made_by(int number, pid_t maker)
{
    struct shmid_ds state;
    return system_call(SYS_shmctl, number, IPC_STAT, (long)&state, 0, 0, 0) == 0 && state.shm_cpid == maker;
}

/* Those that this process has made for the program, and not removed. */
static void note_obstacle(int number)
{
    struct gate_kept *kept = &tourney_gate_kept;
    for (int i = 0; i < kept->made_segments && i < KEPT_SEGMENTS; i++)
        if (kept->made_segment[i] == number)
            return;
    if (kept->made_segments < KEPT_SEGMENTS)
        kept->made_segment[kept->made_segments] = number;
    if (kept->made_segments <= KEPT_SEGMENTS)
        kept->made_segments++; /* one more than there is room for: they stay that many */
}

static void forget_obstacle(int number)
{
    struct gate_kept *kept = &tourney_gate_kept;
    if (kept->made_segments > KEPT_SEGMENTS)
        return;
    for (int i = kept->made_segments; i-- > 0;)
        if (kept->made_segment[i] == number) {
            kept->made_segment[i] = kept->made_segment[--kept->made_segments];
            kept->made_segment[kept->made_segments] = 0;
        }
}

int segment_notes_get(key_t key, size_t size, int flags, bool of_program, bool own)
{
    bool noted = key == IPC_PRIVATE || getenv(WIRE_ENV_COPIED);
    pid_t maker = (pid_t)system_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    struct segment_list *list = noted ? segment_list_view() : NULL;
    struct segment_place *place = list ? segment_list_announce(list, maker, seconds_on_the_wall(), own) : NULL;
    long number = system_call(SYS_shmget, key, (long)size, flags, 0, 0, 0);
    bool made = number >= 0 && (key == IPC_PRIVATE || is_made_by((int)number, maker));
    if (place && made && (key == IPC_PRIVATE || !segment_list_find(list, (int)number)))
        atomic_store(&place->number, (int)number);
    else if (place)
        segment_list_forget(list, place);
    if (made && of_program)
        note_obstacle((int)number);
    segment_list_leave(list);
    return (int)system_call_result(number);
}

void segment_notes_forget(int number)
{
    struct segment_list *list = segment_list_view();
    struct segment_place *place = list ? segment_list_find(list, number) : NULL;
    if (place)
        segment_list_forget(list, place);
    segment_list_leave(list);
    forget_obstacle(number);
}
