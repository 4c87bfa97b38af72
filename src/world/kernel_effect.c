#include "world/kernel_effect.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "base/hash.h"
#include "world/call_path.h"

enum { MOST = 1 << 16 }; /* bytes, of data that a call hands over; beyond that nobody compares them */

static void note_first(enum doubt *doubt, enum doubt why)
{
    if (!*doubt)
        *doubt = why;
}

static void cannot_know(struct kernel_state *state, enum doubt why)
{
    note_first(&state->unknowable, why);
    note_first(&state->left_traces, why);
}

static void change_files(struct kernel_state *state)
{
    note_first(&state->left_traces, DOUBT_FILES);
    state->changed_files = true;
}

/* ---- what arguments point to ---- */

static void stir_bytes(struct kernel_state *state, pid_t pid, uint64_t address, uint64_t bytes)
{
    char data[MOST];
    struct iovec to = {data, bytes}, from = {(void *)address, bytes};
    hash_stir(&state->history, bytes);
    if (!address || bytes == 0)
        return;
    if (bytes > sizeof data || process_vm_readv(pid, &to, 1, &from, 1, 0) != (ssize_t)bytes) {
        cannot_know(state, DOUBT_DATA);
        return;
    }
    hash_stir(&state->history, hash_bytes(1, data, bytes));
    hash_stir(&state->history, hash_bytes(2, data, bytes));
}

static void stir_path(struct kernel_state *state, pid_t pid, uint64_t address)
{
    char path[PATH_MAX];
    if (call_path_read(pid, address, path))
        stir_bytes(state, pid, address, strlen(path));
    else
        cannot_know(state, DOUBT_DATA);
}

static void stir_vector(struct kernel_state *state, pid_t pid, uint64_t address, uint64_t parts)
{
    enum { PARTS = 64 };
    struct iovec part[PARTS], to = {part, parts * sizeof *part}, from = {(void *)address, parts * sizeof *part};
    if (parts > PARTS || process_vm_readv(pid, &to, 1, &from, 1, 0) != (ssize_t)to.iov_len) {
        cannot_know(state, DOUBT_DATA);
        return;
    }
    for (uint64_t i = 0; i < parts; i++)
        stir_bytes(state, pid, (uintptr_t)part[i].iov_base, part[i].iov_len);
}

static void stir_numbers(struct kernel_state *state, const struct seccomp_data *call, int n)
{
    hash_stir(&state->history, (uint64_t)call->nr);
    for (int i = 0; i < n; i++)
        hash_stir(&state->history, call->args[i]);
}

/* ---- files ---- */

/* Zeros, random numbers and the like: whoever reads takes nothing away, and what is written is gone. */
static bool is_inexhaustible(const struct stat *kind)
{
    return S_ISCHR(kind->st_mode) && major(kind->st_rdev) == 1;
}

static bool find_open(pid_t pid, uint64_t fd, struct stat *kind)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, (int)fd);
    return stat(path, kind) == 0;
}

static bool find_named(pid_t pid, int folder, const char *name, struct stat *kind)
{
    char path[CALL_PATH_ROOM];
    call_path_place(pid, folder, name, path);
    return stat(path, kind) == 0;
}

/* What is written to it goes nowhere. */
static bool leads_nowhere(pid_t pid, uint64_t fd)
{
    struct stat kind;
    return find_open(pid, fd, &kind) && is_inexhaustible(&kind);
}

/*
 * Which file is open, how and where in it the process reads is seen in /proc (files.h).  Only a file gives the same
 * to everybody who reads it.
 */
static void note_opened_file(struct kernel_state *state, pid_t pid, const struct seccomp_data *call, int folder,
                             uint64_t address, uint64_t flags)
{
    char path[PATH_MAX];
    struct stat kind;
    if (!call_path_read(pid, address, path)) {
        cannot_know(state, DOUBT_DATA);
        return;
    }
    bool there = find_named(pid, folder, path, &kind);
    if (there && !S_ISREG(kind.st_mode) && !S_ISDIR(kind.st_mode) && !is_inexhaustible(&kind))
        cannot_know(state, DOUBT_CHANNEL);
    if (!(flags & (O_CREAT | O_TRUNC)) || (there && is_inexhaustible(&kind)))
        return;
    change_files(state);
    stir_numbers(state, call, 0);
    hash_stir(&state->history, flags);
    stir_path(state, pid, address);
}

static void note_output(struct kernel_state *state, pid_t pid, const struct seccomp_data *call)
{
    bool at_place = call->nr == SYS_pwrite64 || call->nr == SYS_pwritev;
    if (leads_nowhere(pid, call->args[0]))
        return;
    change_files(state);
    hash_stir(&state->history, (uint64_t)call->nr);
    hash_stir(&state->history, call->args[0]);
    if (at_place)
        hash_stir(&state->history, call->args[3]);
    if (call->nr == SYS_write || call->nr == SYS_pwrite64)
        stir_bytes(state, pid, call->args[1], call->args[2]);
    else
        stir_vector(state, pid, call->args[1], call->args[2]);
}

/* ---- all kinds ---- */

/* Numbers, in so many arguments, of which two may be paths (-1: none). */
static void note_paths(struct kernel_state *state, pid_t pid, const struct seccomp_data *call, int first, int second,
                       int numbers)
{
    if (call->nr != SYS_chdir)
        change_files(state);
    hash_stir(&state->history, (uint64_t)call->nr);
    for (int i = 0; i < numbers; i++)
        if (i == first || i == second)
            stir_path(state, pid, call->args[i]);
        else
            hash_stir(&state->history, call->args[i]);
}

/* A number or several, and data of known size that the last argument points to. */
static void note_data(struct kernel_state *state, pid_t pid, const struct seccomp_data *call, int numbers, size_t bytes)
{
    stir_numbers(state, call, numbers);
    stir_bytes(state, pid, call->args[numbers], bytes);
}

static void note_stack(struct kernel_state *state, pid_t pid, const struct seccomp_data *call, int numbers, size_t bytes)
{
    state->stacks_changed = true; /* the C library changes the mask whenever it changes stacks */
    note_data(state, pid, call, numbers, bytes);
}

/* As the kernel lays them out: struct sigaction, stack_t, struct rlimit. */
enum { ACTION = 32, MASK = 8, STACK = 24, LIMIT = 16 };

/* Duplicates are made as by dup(); flags are seen in /proc. */
static void note_control(struct kernel_state *state, const struct seccomp_data *call)
{
    if (call->args[1] == F_DUPFD || call->args[1] == F_DUPFD_CLOEXEC)
        stir_numbers(state, call, 3);
    else if (call->args[1] != F_SETFD && call->args[1] != F_SETFL)
        cannot_know(state, DOUBT_OTHER);
}

/* Whether an instruction is in a file whose path has this in it. */
static bool is_in_file(pid_t pid, uint64_t instruction, const char *name)
{
    char path[32], line[512];
    unsigned long start, end;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    while (maps && !found && fgets(line, sizeof line, maps))
        found = sscanf(line, "%lx-%lx", &start, &end) == 2 && start <= instruction && instruction < end &&
                strstr(line, name);
    if (maps)
        fclose(maps);
    return found;
}

/*
 * The loader protects what it has written into a library, which is the same for all that have loaded it there.  A rank that goes back to
 * savepoints has the shim make the call, which tells where it was caught in an argument that mprotect does not have.
 */
static bool is_of_loader(pid_t pid, const struct seccomp_data *call)
{
    uint64_t from = call->instruction_pointer;
    return is_in_file(pid, from, "/ld-") || (is_in_file(pid, from, "/libtourney-") && is_in_file(pid, call->args[5], "/ld-"));
}

/* Of a call that nothing is known of here: what to call it. */
static enum doubt doubt_about(int call)
{
    switch (call) {
    case SYS_fork:
    case SYS_vfork:
    case SYS_clone:
    case SYS_clone3:
    case SYS_execve:
    case SYS_execveat:
    case SYS_wait4:
    case SYS_waitid:
        return DOUBT_CHILD;
    case SYS_alarm:
    case SYS_setitimer:
    case SYS_timer_create:
    case SYS_timer_settime:
    case SYS_timer_delete:
    case SYS_timerfd_create:
    case SYS_timerfd_settime:
        return DOUBT_TIMER;
    case SYS_pipe:
    case SYS_pipe2:
    case SYS_socket:
    case SYS_socketpair:
    case SYS_connect:
    case SYS_bind:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_read:
    case SYS_readv:
    case SYS_ioctl:
        return DOUBT_CHANNEL;
    default: /* there are hundreds, and new ones every year */
        return DOUBT_OTHER;
    }
}

bool kernel_effect_is_question(int call)
{
    switch (call) {
    case SYS_stat:
    case SYS_lstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_access:
    case SYS_faccessat:
    case SYS_faccessat2:
        return true;
    default:
        return false;
    }
}

void kernel_effect(struct kernel_state *state, pid_t pid, const struct seccomp_data *call)
{
    const __u64 *arg = call->args;
    if (call->arch == MACHINE_OF_KERNEL && kernel_effect_is_question(call->nr))
        return;
    state->heard++;
    if (call->arch != MACHINE_OF_KERNEL) {
        cannot_know(state, DOUBT_OTHER);
        return;
    }
    switch (call->nr) {
    case SYS_lseek:
    case SYS_getdents:
    case SYS_getdents64:
        return;
    case SYS_close:
        if (arg[0] <= 2)
            cannot_know(state, DOUBT_STREAMS); /* it can stand for something else next, and writing to it is not heard */
        return;
    case SYS_fcntl:
        note_control(state, call);
        return;
    case SYS_mmap:
        state->mapped = true;
        return;
    case SYS_mprotect:
        state->mapped = true;
        if (!is_of_loader(pid, call))
            cannot_know(state, DOUBT_MEMORY);
        return;
    case SYS_open:
        note_opened_file(state, pid, call, AT_FDCWD, arg[0], arg[1]);
        return;
    case SYS_creat:
        note_opened_file(state, pid, call, AT_FDCWD, arg[0], O_CREAT | O_TRUNC | O_WRONLY);
        return;
    case SYS_openat:
        note_opened_file(state, pid, call, (int)arg[0], arg[1], arg[2]);
        return;
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
        note_output(state, pid, call);
        return;
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_chdir:
        note_paths(state, pid, call, 0, -1, 1);
        return;
    case SYS_mkdir:
    case SYS_chmod:
    case SYS_truncate:
        note_paths(state, pid, call, 0, -1, 2);
        return;
    case SYS_unlinkat:
    case SYS_mkdirat:
    case SYS_fchmodat:
        note_paths(state, pid, call, 1, -1, 3);
        return;
    case SYS_utimensat: /* when it was changed is of no account, as after a write */
        note_paths(state, pid, call, 1, -1, 1);
        return;
    case SYS_rename:
    case SYS_link:
    case SYS_symlink:
        note_paths(state, pid, call, 0, 1, 2);
        return;
    case SYS_renameat:
    case SYS_linkat:
        note_paths(state, pid, call, 1, 3, 4);
        return;
    case SYS_umask:
    case SYS_fchdir:
    case SYS_dup:
        stir_numbers(state, call, 1);
        return;
    case SYS_ftruncate:
    case SYS_fchmod:
        change_files(state);
        stir_numbers(state, call, 2);
        return;
    case SYS_fallocate:
        change_files(state);
        stir_numbers(state, call, 4);
        return;
    case SYS_flock:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_eventfd2:
    case SYS_epoll_create1:
    case SYS_epoll_ctl: /* what it waits for is seen in /proc, too */
        stir_numbers(state, call, 3);
        if ((call->nr == SYS_dup2 || call->nr == SYS_dup3) && arg[1] <= 2)
            cannot_know(state, DOUBT_STREAMS); /* what is written there is not listened to */
        return;
    case SYS_setpriority:
        stir_numbers(state, call, 3);
        return;
    case SYS_rt_sigaction:
        note_data(state, pid, call, 1, ACTION);
        return;
    case SYS_rt_sigprocmask:
        note_stack(state, pid, call, 1, MASK);
        return;
    case SYS_sigaltstack:
        note_stack(state, pid, call, 0, STACK);
        return;
    case SYS_setrlimit:
        note_data(state, pid, call, 1, LIMIT);
        return;
    case SYS_prlimit64:
        note_data(state, pid, call, 2, LIMIT);
        return;
    default:
        cannot_know(state, doubt_about(call->nr));
        return;
    }
}
