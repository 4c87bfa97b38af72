#include "shim/virtual/kernel_filter.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/system_call.h"

/* These change nothing but memory.  What reads from a file moves on in it: that is counted in /proc/PID/io. */
static const unsigned harmless[] = {
    SYS_futex, SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_preadv2, SYS_munmap,
    SYS_brk, SYS_mremap, SYS_madvise, SYS_mincore, SYS_msync, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime,
    SYS_clock_getres, SYS_gettimeofday, SYS_time, SYS_times, SYS_getcpu, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid,
    SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getpgid, SYS_getpgrp, SYS_getsid,
    SYS_getgroups, SYS_getrusage, SYS_sysinfo, SYS_uname, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam,
    SYS_sched_getscheduler, SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6, SYS_fstat, SYS_readlink, SYS_readlinkat, SYS_getcwd,
    SYS_statfs, SYS_fstatfs, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr,
    SYS_fsync, SYS_fdatasync, SYS_sync, SYS_syncfs, SYS_fadvise64, SYS_readahead, SYS_exit, SYS_exit_group,
    SYS_rt_sigreturn, SYS_restart_syscall, SYS_getrandom, SYS_rt_sigpending, SYS_getitimer, SYS_timer_gettime,
    SYS_timer_getoverrun, SYS_getrlimit, SYS_getpriority, SYS_membarrier, SYS_get_robust_list, SYS_process_vm_readv,
    SYS_get_mempolicy,
};

enum { STREAMS = 16, INSTRUCTIONS = 400 };

struct filter_program {
    struct sock_filter at[INSTRUCTIONS];
    unsigned short n;
};

static void put_instruction(struct filter_program *program, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (program->n < INSTRUCTIONS)
        program->at[program->n++] = (struct sock_filter){code, yes, no, k};
}

static void load_word(struct filter_program *program, size_t offset)
{
    put_instruction(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static size_t argument(int i, bool high)
{
    return offsetof(struct seccomp_data, args) + 8 * (size_t)i + (high ? 4 : 0);
}

static void put_answer(struct filter_program *program, bool reported)
{
    put_instruction(program, BPF_RET | BPF_K, reported ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW, 0, 0);
}

/* What follows up to the same number of instructions on is for this value only. */
static void only_if(struct filter_program *program, uint32_t value, uint8_t instructions)
{
    put_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, instructions);
}

/* The call is loaded, before and after. */
static void when_call(struct filter_program *program, uint32_t call, const struct filter_program *then)
{
    only_if(program, call, (uint8_t)then->n);
    for (int i = 0; i < then->n; i++)
        program->at[program->n++] = then->at[i];
}

/* One of the values of an argument's lower half is reported, or let through; the others are not. */
static struct filter_program filter_by_value(int i, const uint32_t *value, int values, bool reported)
{
    struct filter_program then = {.n = 0};
    load_word(&then, argument(i, false));
    for (int v = 0; v < values; v++) {
        only_if(&then, value[v], 1);
        put_answer(&then, reported);
    }
    put_answer(&then, !reported);
    return then;
}

static struct filter_program unless_null(int i)
{
    struct filter_program then = {.n = 0};
    load_word(&then, argument(i, false));
    only_if(&then, 0, 3);
    load_word(&then, argument(i, true));
    only_if(&then, 0, 1);
    put_answer(&then, false);
    put_answer(&then, true);
    return then;
}

/* The kernel tells where the call will return to. */
static void let_through(struct filter_program *program, const char *from)
{
    uint64_t place = (uintptr_t)from;
    load_word(program, offsetof(struct seccomp_data, instruction_pointer));
    only_if(program, (uint32_t)place, 3);
    load_word(program, offsetof(struct seccomp_data, instruction_pointer) + 4);
    only_if(program, (uint32_t)(place >> 32), 1);
    put_answer(program, false);
}

/* Descriptors that are neither files nor folders: what is read from them is gone. */
static int find_streams(uint32_t *stream)
{
    int n = 0;
    for (int fd = 0; fd < 256 && n < STREAMS; fd++) {
        struct stat kind;
        if (fstat(fd, &kind) == 0 && !S_ISREG(kind.st_mode) && !S_ISDIR(kind.st_mode) && !S_ISCHR(kind.st_mode))
            stream[n++] = (uint32_t)fd;
    }
    return n;
}

/*
 * What is printed goes nowhere during a search, or, from standard error, to tourney; unless the program has seen to it
 * that it goes elsewhere.
 */
static void judge_output(struct filter_program *program)
{
    uint32_t output[2];
    int n = 0;
    for (int fd = 1; fd <= 2; fd++) {
        struct stat kind;
        bool known = fstat(fd, &kind) == 0;
        bool is_sink = known && S_ISCHR(kind.st_mode) && major(kind.st_rdev) == 1;
        if (is_sink || (known && fd == 2 && S_ISFIFO(kind.st_mode)))
            output[n++] = (uint32_t)fd;
    }
    struct filter_program then = filter_by_value(0, output, n, false);
    when_call(program, SYS_write, &then);
    when_call(program, SYS_writev, &then);
}

/* Memory that can be written is seen in images, where it is and what is in it; other memory is not. */
static void judge_memory(struct filter_program *program)
{
    struct filter_program then = {.n = 0};
    load_word(&then, argument(2, false));
    put_instruction(&then, BPF_JMP | BPF_JSET | BPF_K, PROT_WRITE, 0, 1);
    put_answer(&then, false);
    put_answer(&then, true);
    when_call(program, SYS_mmap, &then);
    when_call(program, SYS_mprotect, &then);
}

static void judge_streams(struct filter_program *program)
{
    static const unsigned reads[] = {SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2};
    uint32_t stream[STREAMS];
    int n = find_streams(stream);
    struct filter_program then = filter_by_value(0, stream, n, true);
    for (size_t i = 0; n && i < sizeof reads / sizeof *reads; i++)
        when_call(program, reads[i], &then);
}

/* A file that is asked for by its name may be told of as it was (world/original_files.h); one that is open is as it is. */
static void judge_lookups(struct filter_program *program)
{
    struct filter_program then = {.n = 0};
    load_word(&then, argument(3, false));
    put_instruction(&then, BPF_JMP | BPF_JSET | BPF_K, AT_EMPTY_PATH, 0, 1);
    put_answer(&then, false);
    put_answer(&then, true);
    when_call(program, SYS_newfstatat, &then);
}

/* Questions are let through, and what the C library asks of every terminal. */
static void judge_questions(struct filter_program *program)
{
    static const uint32_t asked[] = {0x5401 /* TCGETS */, FIONREAD};
    static const uint32_t got[] = {F_GETFD, F_GETFL};
    static const uint32_t of_process[] = {PR_GET_TID_ADDRESS, 59 /* the fence's */, PR_GET_NAME};
    struct filter_program then = filter_by_value(1, asked, 2, false);
    when_call(program, SYS_ioctl, &then);
    then = filter_by_value(1, got, 2, false);
    when_call(program, SYS_fcntl, &then);
    then = filter_by_value(0, of_process, 3, false);
    when_call(program, SYS_prctl, &then);
    then = (struct filter_program){.n = 0}; /* whether there are children */
    load_word(&then, argument(3, false));
    put_instruction(&then, BPF_JMP | BPF_JSET | BPF_K, WNOWAIT, 0, 1);
    put_answer(&then, false);
    put_answer(&then, true);
    when_call(program, SYS_waitid, &then);
    then = unless_null(1);
    when_call(program, SYS_rt_sigaction, &then);
    when_call(program, SYS_rt_sigprocmask, &then);
    then = unless_null(2);
    when_call(program, SYS_prlimit64, &then);
    then = unless_null(0);
    when_call(program, SYS_sigaltstack, &then);
}

static void write_program(struct filter_program *program)
{
    load_word(program, offsetof(struct seccomp_data, arch));
    put_instruction(program, BPF_JMP | BPF_JEQ | BPF_K, MACHINE_OF_KERNEL, 1, 0);
    put_answer(program, true);
    let_through(program, own_call_return);
    load_word(program, offsetof(struct seccomp_data, nr));
    judge_output(program);
    judge_memory(program);
    judge_streams(program);
    judge_questions(program);
    judge_lookups(program);
    struct filter_program then = {.n = 0};
    put_answer(&then, false);
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        when_call(program, harmless[i], &then);
    put_answer(program, true);
}

int kernel_filter_install(void)
{
    static struct filter_program program; /* not on the stack, where it would be left behind */
    write_program(&program);
    struct sock_fprog filter = {program.n, program.at};
    if (program.n == INSTRUCTIONS || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                        SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter);
}

/* ---- of a rank that goes back to savepoints ---- */

/* What it keeps in the kernel by these is not brought back; or it does not come back from them. */
static const uint16_t trapped[] = {
    SYS_exit_group, SYS_mmap, SYS_munmap, SYS_mremap, SYS_brk, SYS_mprotect, SYS_madvise, SYS_read, SYS_readv,
    SYS_set_robust_list, SYS_set_tid_address, SYS_rseq, SYS_clone, SYS_clone3, SYS_fork, SYS_vfork, SYS_execve,
    SYS_execveat, SYS_seccomp,
};

bool kernel_filter_trap(void)
{
    struct filter_program program = {.n = 0};
    enum { TRAPPED = sizeof trapped / sizeof *trapped };
    let_through(&program, own_call_return);
    let_through(&program, caught_call_return);
    load_word(&program, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < TRAPPED; i++)
        put_instruction(&program, BPF_JMP | BPF_JEQ | BPF_K, trapped[i], (uint8_t)(TRAPPED - i + 3), 0);
    only_if(&program, SYS_rt_sigaction, 2);
    load_word(&program, argument(0, false));
    put_instruction(&program, BPF_JMP | BPF_JEQ | BPF_K, SIGSYS, 1, 0);
    put_answer(&program, false);
    put_instruction(&program, BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
    struct sock_fprog filter = {program.n, program.at};
    long failed = own_call(SYS_seccomp, (long)SECCOMP_SET_MODE_FILTER, (long)SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter);
    explicit_bzero(&program, sizeof program);
    return !failed;
}

bool kernel_filter_catch_futex(void)
{
    struct filter_program program = {.n = 0};
    let_through(&program, own_call_return);
    load_word(&program, offsetof(struct seccomp_data, nr));
    only_if(&program, SYS_futex, 1);
    put_instruction(&program, BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
    put_answer(&program, false);
    struct sock_fprog filter = {program.n, program.at};
    return own_call(SYS_prctl, (long)PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 &&
           own_call(SYS_seccomp, (long)SECCOMP_SET_MODE_FILTER, (long)SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0;
}
