#include "shim/gate/own_segments.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "call/wire.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"
#include "shim/gate/segment_notes.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/* Beyond what the kernel comes to, save on a system that has made and removed very many. */
enum { FIRST_OWN = 0x7f000000, OWN_SEGMENTS = 128, NOT_KNOWN = -1 };

struct own_segment {
    int id;      /* 0: there is none here */
    int kernels; /* its number there once it is published; NOT_KNOWN before */
    size_t size;
    int mode;
    void *at;    /* its memory, which is closed while it is not attached; NULL: nobody has attached it yet */
    bool attached, only_read, removed;
};

static struct own_segment segment[OWN_SEGMENTS];
static int made;
static bool published; /* from now on there may be others, and all is the kernel's */

/* ---- the kernel's ---- */

static void *kernel_attach(int id, const void *at, int flags)
{
    return (void *)system_call_result(system_call(SYS_shmat, id, (long)at, flags, 0, 0, 0));
}

static int kernel_detach(const void *at)
{
    return (int)system_call_result(system_call(SYS_shmdt, (long)at, 0, 0, 0, 0, 0));
}

static int kernel_control(int id, int what, void *buffer)
{
    int result = (int)system_call_result(system_call(SYS_shmctl, id, what, (long)buffer, 0, 0, 0));
    if (result == 0 && what == IPC_RMID)
        segment_notes_forget(id);
    return result;
}

static void protect_segment(const struct own_segment *own, int protection)
{
    system_call(SYS_mprotect, (long)own->at, (long)own->size, protection, 0, 0, 0);
}

static void unmap_segment(const struct own_segment *own)
{
    if (own->at)
        system_call(SYS_munmap, (long)own->at, (long)own->size, 0, 0, 0, 0);
}

/* ---- our own ---- */

static bool is_alone_on_node(void)
{
    const char *ranks = getenv(WIRE_ENV_NODES);
    return ranks && strcmp(ranks, "1") == 0;
}

static struct own_segment *own_find(int id)
{
    for (int i = 0; id && i < OWN_SEGMENTS; i++)
        if (segment[i].id == id)
            return &segment[i];
    return NULL;
}

static struct own_segment *own_place(void)
{
    for (int i = 0; i < OWN_SEGMENTS; i++)
        if (!segment[i].id)
            return &segment[i];
    return NULL;
}

static void own_end(struct own_segment *own)
{
    unmap_segment(own);
    *own = (struct own_segment){0};
}

/* Protection is changed only where it has to be: nobody can tell states of a rank apart that does so (world/doubt.h). */
static void *own_attach(struct own_segment *own, bool only_read)
{
    int protection = only_read ? PROT_READ : PROT_READ | PROT_WRITE;
    if (own->at) {
        protect_segment(own, protection);
    } else {
        void *there = (void *)system_call_result(
            system_call(SYS_mmap, 0, (long)own->size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (there == MAP_FAILED)
            return (void *)-1;
        own->at = there;
    }
    own->attached = true;
    own->only_read = only_read;
    return own->at;
}

static int own_detach(struct own_segment *own)
{
    own->attached = false;
    if (own->removed)
        own_end(own);
    else
        protect_segment(own, PROT_NONE);
    return 0;
}

static int own_state(const struct own_segment *own, struct shmid_ds *state)
{
    *state = (struct shmid_ds){.shm_segsz = own->size, .shm_nattch = own->attached, .shm_cpid = getpid(), .shm_lpid = own->at ? getpid() : 0};
    state->shm_perm.mode = (unsigned short)(own->mode | (own->removed ? SHM_DEST : 0));
    state->shm_perm.uid = state->shm_perm.cuid = geteuid();
    state->shm_perm.gid = state->shm_perm.cgid = getegid();
    return 0;
}

static int own_remove(struct own_segment *own)
{
    own->removed = true;
    if (!own->attached)
        own_end(own);
    return 0;
}

/* ---- it becomes the kernel's ---- */

static void publish_segment(struct own_segment *own)
{
    own->kernels = segment_notes_get(IPC_PRIVATE, own->size, own->mode | IPC_CREAT, true, true);
    void *there = own->kernels < 0 ? (void *)-1 : kernel_attach(own->kernels, NULL, 0);
    if (there == (void *)-1)
        gate_stop("there is no System V memory");
    if (own->at) {
        protect_segment(own, PROT_READ);
        memcpy(there, own->at, own->size);
    }
    if (own->attached) {
        kernel_attach(own->kernels, own->at, SHM_REMAP | (own->only_read ? SHM_RDONLY : 0));
        gate_keep_range((uintptr_t)own->at, own->size, OBSTACLE_SHARED_MEMORY, false);
    } else {
        unmap_segment(own);
    }
    kernel_detach(there);
    if (own->removed)
        kernel_control(own->kernels, IPC_RMID, NULL);
}

void own_segments_publish(void)
{
    for (int i = 0; i < OWN_SEGMENTS; i++)
        if (segment[i].id && segment[i].kernels == NOT_KNOWN)
            publish_segment(&segment[i]);
    published = true;
}

/*
 * The segment with this number, if it can still be done by ourselves; `id` becomes the number that the kernel knows.  Another
 * program that the rank executes has no such list, and no rank of another node has told it the number.
 */
static struct own_segment *own_still(int *id, bool possible, const void *caller)
{
    struct own_segment *own = own_find(*id);
    if (!own && *id >= FIRST_OWN && made == 0 && is_alone_on_node() && !gate_is_of_copied_program(caller))
        gate_stop("a program that a rank has started attaches System V memory of that rank, which is not supported with one rank on a node");
    if (own && own->kernels == NOT_KNOWN && !possible)
        own_segments_publish();
    if (own && own->kernels != NOT_KNOWN)
        *id = own->kernels;
    return own && own->kernels == NOT_KNOWN ? own : NULL;
}

/* ---- calls of the program ---- */

EXPORTED int shmget(key_t key, size_t size, int flags)
{
    bool usual = !(flags & ~(0777 | IPC_CREAT | IPC_EXCL)) && size > 0 && size <= PTRDIFF_MAX / 2;
    struct own_segment *own = own_place();
    if (key != IPC_PRIVATE || !usual || published || !own || !is_alone_on_node() || !gate_is_of_copied_program(CALLER))
        return segment_notes_get(key, size, flags, gate_is_of_copied_program(CALLER), false);
    *own = (struct own_segment){.id = FIRST_OWN + made++, .kernels = NOT_KNOWN, .size = size, .mode = flags & 0777};
    return own->id;
}

/*
 * In a search a rank is run again when those that it has been told of may have ended, and their memory with them.  What it does then is
 * no mistake of the program.
 */
static void stop_at_memory_of_others(int id)
{
    if (!is_alone_on_node() && (errno == EINVAL || errno == EIDRM))
        gate_stop("a rank attaches System V memory that is not there (shmat of %d): ranks of one node that share memory outside of MPI "
                  "cannot be run again one by one, as a search does; with --nodes=Nx1, N being the number of ranks, each has a node for itself", id);
}

EXPORTED void *shmat(int id, const void *at, int flags)
{
    const struct own_segment *known = own_find(id);
    bool only_read = flags & SHM_RDONLY, possible = known && !known->attached && !at && !(flags & (SHM_EXEC | SHM_REMAP));
    struct own_segment *own = own_still(&id, possible, CALLER);
    if (own)
        return own_attach(own, only_read);
    struct shmid_ds state;
    void *there = kernel_attach(id, at, flags);
    if (there == (void *)-1 && gate_is_of_copied_program(CALLER))
        stop_at_memory_of_others(id);
    if (there != (void *)-1 && gate_is_of_copied_program(CALLER) && kernel_control(id, IPC_STAT, &state) == 0)
        gate_keep_range((uintptr_t)there, state.shm_segsz, OBSTACLE_SHARED_MEMORY, false); /* who only reads it wants to see what others write */
    return there;
}

EXPORTED int shmdt(const void *at)
{
    for (int i = 0; i < OWN_SEGMENTS; i++) {
        struct own_segment *own = &segment[i];
        if (own->id && own->kernels == NOT_KNOWN && own->attached && own->at == at)
            return own_detach(own);
    }
    int result = kernel_detach(at);
    if (result == 0)
        gate_forget_range((uintptr_t)at, 1, OBSTACLE_SHARED_MEMORY);
    return result;
}

EXPORTED int shmctl(int id, int what, struct shmid_ds *state)
{
    struct own_segment *own = own_still(&id, what == IPC_RMID || (what == IPC_STAT && state), CALLER);
    if (own)
        return what == IPC_RMID ? own_remove(own) : own_state(own, state);
    return kernel_control(id, what, state);
}
