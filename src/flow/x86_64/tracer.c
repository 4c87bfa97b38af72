#include "flow/tracer.h"

#include <dirent.h>
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/log.h"
#include "flow/execute.h"
#include "flow/named_calls.h"

enum { PAGE = 4096, LONGEST = 15 };

struct seen_mapping {
    uint64_t start, end, offset;
    bool shared;     /* with tourney */
    bool system;     /* of the C library, or tourney's own */
    bool changeable; /* code that may change is not known when it is known once */
};

/* A page of the process before anything in it was written. */
struct touched_page {
    uint64_t address;
    uint64_t word[PAGE / sizeof(uint64_t)];
};

/* A page as it is now, or would be if everything had been done there. */
struct page_here {
    uint64_t address;
    bool changed;
    _Alignas(64) uint8_t byte[PAGE];
};

enum { MOST_PAGES = 1024 };

struct tracer {
    struct disassembler *disassembler;
    VEC(struct instruction) instruction;
    struct map *known;         /* by rank: address -> in `instruction` */
    struct named_calls *names; /* by rank */
    uint64_t *errno_at;        /* by rank; 0: nobody has asked for it */
    int ranks;
    uint64_t most_steps, steps, steps_there;
    /* Of the one that is stopped: */
    int rank;
    pid_t pid;
    uint64_t doze;
    VEC(pid_t) others; /* its other threads, which stand still */
    VEC(struct seen_mapping) mapping;
    VEC(struct touched_page) touched;
    struct map touched_at; /* page number -> in `touched`, and one */
    char *shared;          /* borrows: the memory that is shared with tourney */
    struct executor *executor;
    VEC(struct execution) execution; /* of each instruction */
    struct machine machine;          /* its registers */
    bool ahead;                      /* the machine is, of the process */
    bool vectors, vectors_ahead;     /* the machine has its vectors, and they are ahead */
    struct page_here *page;          /* owns; MOST_PAGES */
    size_t pages;
    struct map page_at;      /* page number -> in `page`, and one */
    uint64_t asks_for_errno; /* the same of the one that tells where errno is */
    uint64_t region;         /* stack pointer at which a named function was entered; 0: none */
    bool gone;               /* it ended on the way to where it sleeps, */
    int gone_status;         /* with this */
};

struct tracer *tracer_new(int ranks, uint64_t most_steps, void *shared)
{
    struct disassembler *disassembler = disassembler_new();
    struct executor *executor = disassembler ? executor_new() : NULL;
    if (!executor) {
        disassembler_free(disassembler);
        return NULL;
    }
    struct tracer *t = xcalloc(1, sizeof *t);
    t->disassembler = disassembler;
    t->executor = executor;
    t->shared = shared;
    t->page = aligned_alloc(_Alignof(struct page_here), MOST_PAGES * sizeof *t->page);
    if (!t->page)
        die("no memory");
    t->ranks = ranks;
    t->most_steps = most_steps;
    t->known = xcalloc((size_t)ranks, sizeof *t->known);
    t->names = xcalloc((size_t)ranks, sizeof *t->names);
    t->errno_at = xcalloc((size_t)ranks, sizeof *t->errno_at);
    return t;
}

void tracer_free(struct tracer *t)
{
    if (!t)
        return;
    for (int r = 0; r < t->ranks; r++) {
        map_release(&t->known[r]);
        named_calls_release(&t->names[r]);
    }
    free(t->known);
    free(t->names);
    free(t->errno_at);
    vec_release(&t->instruction);
    vec_release(&t->mapping);
    vec_release(&t->others);
    vec_release(&t->touched);
    map_release(&t->touched_at);
    map_release(&t->page_at);
    vec_release(&t->execution);
    free(t->page);
    executor_free(t->executor);
    disassembler_free(t->disassembler);
    free(t);
}

const struct instruction *tracer_instruction(const struct tracer *t, uint32_t number)
{
    return &t->instruction.at[number];
}

uint64_t tracer_errno(const struct tracer *t, int rank)
{
    return t->errno_at[rank];
}

uint64_t tracer_steps(const struct tracer *t)
{
    return t->steps;
}

/* ---- its memory ---- */

static bool read_memory(const struct tracer *t, uint64_t at, void *to, size_t bytes)
{
    struct iovec here = {to, bytes}, there = {(void *)at, bytes};
    return process_vm_readv(t->pid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

/* They look at how numbers are rounded, and at exceptions only if the program asks for these (named_calls.h). */
static bool is_system(const char *line)
{
    return strstr(line, "/libc.so") || strstr(line, "/libm.so") || strstr(line, "/libtourney") ||
           strstr(line, "/ld-linux");
}

/* All mappings; `layout` becomes a hash of where they are, but for the stack, which grows as it likes. */
static bool read_mappings(struct tracer *t, struct map_key *layout)
{
    char path[64], line[4096];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)t->pid);
    FILE *file = fopen(path, "re");
    vec_clear(&t->mapping);
    *layout = HASH_START;
    while (file && fgets(line, sizeof line, file)) {
        unsigned long start, end, offset;
        char rights[8];
        if (sscanf(line, "%lx-%lx %7s %lx", &start, &end, rights, &offset) != 4)
            continue;
        bool shared = rights[3] == 's' && strstr(line, "memfd:tourney");
        vec_push(&t->mapping, (struct seen_mapping){start, end, offset, shared, is_system(line), rights[1] == 'w'});
        if (strstr(line, "[stack]") || shared)
            continue;
        hash_stir(layout, start);
        hash_stir(layout, end);
        hash_stir(layout, (uint64_t)rights[0] | (uint64_t)rights[1] << 8 | (uint64_t)rights[2] << 16);
    }
    if (file)
        fclose(file);
    return t->mapping.n > 0;
}

static const struct seen_mapping *mapping_with(const struct tracer *t, uint64_t address)
{
    size_t low = 0, high = t->mapping.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->mapping.at[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->mapping.n && t->mapping.at[low].start <= address ? &t->mapping.at[low] : NULL;
}

static bool is_writable(const struct tracer *t, uint64_t address)
{
    const struct seen_mapping *mapping = mapping_with(t, address);
    return mapping && mapping->changeable;
}

/* Where the shared memory is seen, which is at several places, does not matter. */
static uint64_t location_at(const struct tracer *t, uint64_t address)
{
    for (size_t i = 0; i < t->mapping.n; i++) /* few are shared */
        if (t->mapping.at[i].shared && t->mapping.at[i].start <= address && address < t->mapping.at[i].end)
            return LOCATION_SHARED + t->mapping.at[i].offset + (address - t->mapping.at[i].start);
    return address;
}

/* What was done here is done there, too. */
static bool write_pages_back(struct tracer *t)
{
    bool written = true;
    for (size_t i = 0; i < t->pages; i++) {
        struct iovec here = {t->page[i].byte, PAGE}, there = {(void *)t->page[i].address, PAGE};
        if (t->page[i].changed)
            written &= process_vm_writev(t->pid, &here, 1, &there, 1, 0) == PAGE;
        t->page[i].changed = false;
    }
    return written;
}

static bool forget_pages(struct tracer *t)
{
    bool written = write_pages_back(t);
    t->pages = 0;
    map_release(&t->page_at);
    return written;
}

/* NULL: it is not there, as the part of the stack that was never used. */
static struct page_here *page_here(struct tracer *t, uint64_t number)
{
    uint32_t place = map_find(&t->page_at, map_key(number), 0);
    if (place)
        return &t->page[place - 1];
    if (t->pages == MOST_PAGES && !forget_pages(t))
        return NULL;
    struct page_here *page = &t->page[t->pages];
    page->address = number * PAGE;
    page->changed = false;
    if (!read_memory(t, page->address, page->byte, PAGE))
        return NULL;
    map_put(&t->page_at, map_key(number), (uint32_t)++t->pages);
    return page;
}

/* The bytes at a location, here; NULL: they are to be reached there only. */
static void *bytes_here(struct tracer *t, uint64_t location, uint64_t bytes, bool written)
{
    if (location >= LOCATION_SHARED)
        return t->shared + (location - LOCATION_SHARED);
    if (location % PAGE + bytes > PAGE)
        return NULL;
    struct page_here *page = page_here(t, location / PAGE);
    if (!page || (written && !is_writable(t, location)))
        return NULL;
    page->changed |= written;
    return page->byte + location % PAGE;
}

static bool touch_page(struct tracer *t, uint64_t page)
{
    if (map_find(&t->touched_at, map_key(page), 0))
        return true;
    vec_reserve(&t->touched, 1);
    struct touched_page *there = &t->touched.at[t->touched.n];
    const struct page_here *here = page_here(t, page);
    there->address = page * PAGE;
    if (here)
        memcpy(there->word, here->byte, PAGE);
    else
        memset(there->word, 0, PAGE); /* it will be there: the stack grows */
    t->touched.n++;
    map_put(&t->touched_at, map_key(page), (uint32_t)t->touched.n);
    return true;
}

static void touch_span(struct tracer *t, uint64_t location, uint64_t bytes)
{
    if (location >= LOCATION_SHARED || bytes == 0)
        return;
    for (uint64_t page = location / PAGE; page <= (location + bytes - 1) / PAGE; page++)
        touch_page(t, page);
}

static int compare_changed(const void *a, const void *b)
{
    uint64_t x = ((const struct changed_word *)a)->at, y = ((const struct changed_word *)b)->at;
    return x < y ? -1 : x > y;
}

static void note_changes(struct tracer *t, struct trace *trace)
{
    uint64_t now[PAGE / sizeof(uint64_t)];
    for (size_t i = 0; i < t->touched.n; i++) {
        const struct touched_page *page = &t->touched.at[i];
        if (!read_memory(t, page->address, now, PAGE))
            memset(now, 0, PAGE);
        for (size_t w = 0; w < PAGE / sizeof *now; w++)
            if (now[w] != page->word[w])
                vec_push(&trace->changed, (struct changed_word){page->address + w * 8, page->word[w], now[w]});
    }
    if (trace->changed.n)
        qsort(trace->changed.at, trace->changed.n, sizeof *trace->changed.at, compare_changed);
    vec_clear(&t->touched);
    map_release(&t->touched_at);
}

/* ---- stopping and letting go ---- */

/* One thread; false: it cannot be had. */
static bool stop_thread(pid_t thread)
{
    siginfo_t stop = {0};
    if (ptrace(PTRACE_SEIZE, thread, NULL, PTRACE_O_EXITKILL) < 0)
        return false;
    int waited = ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
    while (waited == 0 && (waited = waitid(P_PID, (id_t)thread, &stop, WSTOPPED | __WALL)) < 0 && errno == EINTR)
        waited = 0;
    if (waited == 0 && stop.si_pid == thread)
        return true;
    ptrace(PTRACE_DETACH, thread, NULL, NULL);
    return false;
}

static void let_others_go(struct tracer *t)
{
    for (size_t i = 0; i < t->others.n; i++)
        ptrace(PTRACE_DETACH, t->others.at[i], NULL, NULL);
    vec_clear(&t->others);
}

/*
 * Threads of the MPI library stand still meanwhile: what one of them wrote beside what is done here would be lost.  What they
 * have to do with the rank is nothing that it waits for, else it is let go where it does.
 */
static bool stop_others(struct tracer *t)
{
    char path[64];
    bool stopped = true;
    snprintf(path, sizeof path, "/proc/%d/task", (int)t->pid);
    DIR *threads = opendir(path);
    for (const struct dirent *entry; threads && stopped && (entry = readdir(threads));) {
        pid_t thread = (pid_t)atoi(entry->d_name);
        if (thread <= 0 || thread == t->pid)
            continue;
        stopped = stop_thread(thread);
        if (stopped)
            vec_push(&t->others, thread);
    }
    if (threads)
        closedir(threads);
    return threads && stopped;
}

/* ---- one step ---- */

static bool decode_at(struct tracer *t, uint64_t address, uint32_t *number)
{
    uint8_t code[LONGEST];
    struct map *known = &t->known[t->rank];
    if (map_get(known, map_key(address), number))
        return true;
    const struct seen_mapping *mapping = mapping_with(t, address);
    size_t bytes = mapping && mapping->end - address < LONGEST ? mapping->end - address : LONGEST;
    if (!mapping || mapping->changeable || !read_memory(t, address, code, bytes))
        return false;
    vec_push(&t->instruction, instruction_decode(t->disassembler, code, bytes, address));
    vec_push(&t->execution, execution_make(t->executor, code, address, &vec_last(&t->instruction)));
    if (vec_last(&t->instruction).flags & INSTRUCTION_SEES_EXCEPTIONS && !mapping->system)
        vec_last(&t->instruction).flags |= INSTRUCTION_UNKNOWN;
    *number = (uint32_t)t->instruction.n - 1;
    map_put(known, map_key(address), *number);
    return true;
}

static uint64_t address_of(const struct memory_operand *memory, const struct machine *m)
{
    uint64_t address = (uint64_t)memory->offset;
    if (memory->base != NO_REGISTER)
        address += m->general[memory->base];
    if (memory->index != NO_REGISTER)
        address += m->general[memory->index] * memory->scale;
    return address + (memory->fs ? m->fs : 0) + (memory->gs ? m->gs : 0);
}

/* What a system call has to do with the memory of the process: one span that it looks at, and one that it writes. */
struct call_effect {
    bool known;
    int arguments; /* that count */
    uint64_t reads_at, reads, writes_at, writes;
};

/* The string at an address, with its end. */
static uint64_t string_bytes(const struct tracer *t, uint64_t at)
{
    uint64_t n = 0;
    char c = 1;
    while (n < PAGE && c && read_memory(t, at + n, &c, 1))
        n++;
    return n;
}

/* What is written to files is not looked at: others keep account of that (world/kernel_watch.h). */
static struct call_effect effect_of(const struct tracer *t, const struct machine *m)
{
    switch (m->general[RAX]) {
    case SYS_write:
    case SYS_munmap:
    case SYS_madvise:
    case SYS_lseek:
    case SYS_tgkill:
        return (struct call_effect){true, 3, 0, 0, 0, 0};
    case SYS_writev:
        return (struct call_effect){true, 3, m->general[RSI], m->general[RDX] * sizeof(struct iovec), 0, 0};
    case SYS_brk:
    case SYS_close:
    case SYS_getpid:
    case SYS_gettid:
    case SYS_getppid:
    case SYS_sched_yield:
        return (struct call_effect){true, 1, 0, 0, 0, 0};
    case SYS_unshare: /* is there another thread? */
        return (struct call_effect){m->general[RDI] == CLONE_THREAD, 1, 0, 0, 0, 0};
    case SYS_futex:
        return (struct call_effect){(m->general[RSI] & FUTEX_CMD_MASK) == FUTEX_WAKE, 3, 0, 0, 0, 0};
    case SYS_mmap:
    case SYS_mprotect:
        return (struct call_effect){!(m->general[RDX] & PROT_EXEC), 6, 0, 0, 0, 0};
    case SYS_openat:
        return (struct call_effect){true, 4, m->general[RSI], string_bytes(t, m->general[RSI]), 0, 0};
    case SYS_read:
    case SYS_getdents64:
        return (struct call_effect){true, 3, 0, 0, m->general[RSI], m->general[RDX]};
    case SYS_fstat:
        return (struct call_effect){true, 2, 0, 0, m->general[RSI], 144};
    case SYS_newfstatat:
        return (struct call_effect){true, 4, m->general[RSI], string_bytes(t, m->general[RSI]), m->general[RDX], 144};
    case SYS_ioctl:
        return (struct call_effect){m->general[RSI] == TCGETS, 3, 0, 0, m->general[RDX], 60};
    case SYS_clock_gettime:
    case SYS_gettimeofday:
        return (struct call_effect){
            true, 2, 0, 0, m->general[RAX] == SYS_gettimeofday ? m->general[RDI] : m->general[RSI], 16};
    case SYS_rt_sigprocmask:
        return (struct call_effect){
            true, 4, m->general[RSI], m->general[RSI] ? 8 : 0, m->general[RDX], m->general[RDX] ? 8 : 0};
    case SYS_rt_sigaction:
        return (struct call_effect){
            true, 4, m->general[RSI], m->general[RSI] ? 32 : 0, m->general[RDX], m->general[RDX] ? 32 : 0};
    case SYS_prctl:
        return (struct call_effect){m->general[RDI] == PR_GET_TID_ADDRESS, 2, 0, 0, m->general[RSI], 8};
    case SYS_getitimer:
        return (struct call_effect){true, 2, 0, 0, m->general[RSI], 32};
    case SYS_setitimer:
        return (struct call_effect){
            true, 3, m->general[RSI], m->general[RSI] ? 32 : 0, m->general[RDX], m->general[RDX] ? 32 : 0};
    default:
        return (struct call_effect){0};
    }
}

static bool is_dozing(const struct tracer *t, const struct machine *m)
{
    return m->general[RAX] == SYS_futex && (m->general[RSI] & FUTEX_CMD_MASK) == FUTEX_WAIT &&
           location_at(t, m->general[RDI]) == LOCATION_SHARED + t->doze;
}

static void put_step(struct trace *trace, uint64_t word)
{
    vec_push(&trace->step, (uint32_t)trace->stream.n);
    vec_push(&trace->stream, word);
}

/* A span of memory, as location and length. */
static void put_span(const struct tracer *t, struct trace *trace, uint64_t at, uint64_t bytes)
{
    vec_push(&trace->stream, bytes ? location_at(t, at) : 0);
    vec_push(&trace->stream, bytes);
}

static bool put_system_call(struct tracer *t, struct trace *trace, const struct machine *m)
{
    struct call_effect effect = effect_of(t, m);
    if (!effect.known) {
        LOG(flow, "system call %llu cannot be followed", (unsigned long long)m->general[RAX]);
        return false;
    }
    put_step(trace, step_word((uint32_t)effect.arguments, STEP_SYSTEM_CALL));
    put_span(t, trace, effect.writes_at, effect.writes);
    put_span(t, trace, effect.reads_at, effect.reads);
    touch_span(t, location_at(t, effect.writes_at), effect.writes);
    return true;
}

/* Functions that are known by name, and are entered by a jump through a slot.  False: this one is not to be followed. */
static bool enter_region(struct tracer *t, const struct instruction *in, struct trace *trace, const struct machine *m,
                         size_t first)
{
    for (int i = 0; i < in->memories && in->flags & INSTRUCTION_BY_VALUE; i++) {
        if (!in->memory[i].reads || in->memory[i].base == RSP)
            continue;
        enum named_call named = named_calls_at(&t->names[t->rank], address_of(&in->memory[i], m));
        if (named == NAMED_EXCEPTIONS)
            return false;
        if (named == NAMED_ERRNO)
            t->asks_for_errno = m->general[RSP] - (in->flags & INSTRUCTION_CALL ? 8 : 0);
        if (named == NAMED_QUIET && !t->region) {
            t->region = m->general[RSP] - (in->flags & INSTRUCTION_CALL ? 8 : 0);
            trace->stream.at[first] |= (uint64_t)STEP_REGION_BEGINS << 32;
        }
    }
    return true;
}

static bool put_instruction_step(struct tracer *t, struct trace *trace, uint32_t number, const struct machine *m)
{
    const struct instruction *in = &t->instruction.at[number];
    bool nothing = in->flags & INSTRUCTION_REPEATS && m->general[RCX] == 0;
    size_t first = trace->stream.n;
    put_step(trace, step_word(number, nothing ? STEP_NO_MEMORY : 0));
    for (int i = 0; i < in->memories && !nothing; i++) {
        uint64_t location = location_at(t, address_of(&in->memory[i], m));
        vec_push(&trace->stream, location);
        if (in->memory[i].writes)
            touch_span(t, location, in->memory[i].bytes);
    }
    return enter_region(t, in, trace, m, first);
}

/* Whether all registers that have changed are among those that were to. */
static bool is_as_described(const struct instruction *in, const uint64_t before[16], const uint64_t after[16])
{
    if (in->flags & (INSTRUCTION_SYSTEM_CALL | INSTRUCTION_REPEATS))
        return true;
    for (int r = 0; r < 16; r++) {
        bool told = r == RSP || before[r] == after[r];
        for (int i = 0; i < in->writes && !told; i++)
            told = in->write[i].at / 8 == r;
        for (int i = 0; i < in->addresses && !told; i++)
            told = in->address[i] == r && (r == RSI || r == RDI);
        if (!told)
            return false;
    }
    return true;
}

/* ---- there ---- */

enum go { GO_ON, GO_NO_FURTHER, GO_AWAY, GO_ENDED };

static const size_t general_place[16] = {
    offsetof(struct user_regs_struct, rax), offsetof(struct user_regs_struct, rcx),
    offsetof(struct user_regs_struct, rdx), offsetof(struct user_regs_struct, rbx),
    offsetof(struct user_regs_struct, rsp), offsetof(struct user_regs_struct, rbp),
    offsetof(struct user_regs_struct, rsi), offsetof(struct user_regs_struct, rdi),
    offsetof(struct user_regs_struct, r8),  offsetof(struct user_regs_struct, r9),
    offsetof(struct user_regs_struct, r10), offsetof(struct user_regs_struct, r11),
    offsetof(struct user_regs_struct, r12), offsetof(struct user_regs_struct, r13),
    offsetof(struct user_regs_struct, r14), offsetof(struct user_regs_struct, r15),
};

static const uint64_t status_flags = 0x8d5; /* carry, parity, adjust, zero, sign, overflow */

static bool take_registers(struct tracer *t)
{
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, t->pid, NULL, &regs) < 0)
        return false;
    for (int r = 0; r < 16; r++)
        memcpy(&t->machine.general[r], (const char *)&regs + general_place[r], 8);
    t->machine.flags = regs.eflags;
    t->machine.at = regs.rip;
    t->machine.fs = regs.fs_base;
    t->machine.gs = regs.gs_base;
    t->ahead = t->vectors = t->vectors_ahead = false;
    return true;
}

static bool take_vectors(struct tracer *t)
{
    struct user_fpregs_struct numbers;
    if (t->vectors)
        return true;
    if (ptrace(PTRACE_GETFPREGS, t->pid, NULL, &numbers) < 0)
        return false;
    memcpy(t->machine.vector, numbers.xmm_space, sizeof t->machine.vector);
    t->machine.rounding = numbers.mxcsr;
    t->vectors = true;
    return true;
}

static bool give_vectors(struct tracer *t)
{
    struct user_fpregs_struct numbers;
    if (!t->vectors_ahead)
        return true;
    t->vectors_ahead = false;
    if (ptrace(PTRACE_GETFPREGS, t->pid, NULL, &numbers) < 0)
        return false;
    memcpy(numbers.xmm_space, t->machine.vector, sizeof t->machine.vector);
    numbers.mxcsr = t->machine.rounding;
    return ptrace(PTRACE_SETFPREGS, t->pid, NULL, &numbers) == 0;
}

/* What was done here is as if it had been done there. */
static bool catch_up(struct tracer *t)
{
    struct user_regs_struct regs;
    if (!write_pages_back(t) || !give_vectors(t))
        return false;
    if (!t->ahead)
        return true;
    if (ptrace(PTRACE_GETREGS, t->pid, NULL, &regs) < 0)
        return false;
    for (int r = 0; r < 16; r++)
        memcpy((char *)&regs + general_place[r], &t->machine.general[r], 8);
    regs.eflags = (regs.eflags & ~status_flags) | (t->machine.flags & status_flags);
    regs.rip = t->machine.at;
    regs.orig_rax = (unsigned long long)-1;
    t->ahead = false;
    return ptrace(PTRACE_SETREGS, t->pid, NULL, &regs) == 0;
}

/* One instruction on. */
static enum go step_there(struct tracer *t, int *status)
{
    if (!catch_up(t) || ptrace(PTRACE_SINGLESTEP, t->pid, NULL, NULL) < 0)
        return GO_AWAY;
    pid_t got;
    while ((got = waitpid(t->pid, status, __WALL)) < 0 && errno == EINTR)
        ;
    if (got != t->pid || WIFEXITED(*status) || WIFSIGNALED(*status))
        return GO_ENDED;
    forget_pages(t);
    if (WSTOPSIG(*status) != SIGTRAP || *status >> 16 != 0 || !take_registers(t))
        return GO_AWAY;
    t->steps_there++;
    return GO_ON;
}

/* ---- here ---- */

static bool push_here(struct tracer *t, uint64_t value)
{
    uint64_t *top = bytes_here(t, location_at(t, t->machine.general[RSP] - 8), 8, true);
    if (!top)
        return false;
    memcpy(top, &value, 8);
    t->machine.general[RSP] -= 8;
    return true;
}

static bool read_here(struct tracer *t, uint64_t address, uint64_t *value)
{
    const void *at = bytes_here(t, location_at(t, address), 8, false);
    if (at)
        memcpy(value, at, 8);
    return at;
}

/* What a jump, call or push goes by. */
static bool value_here(struct tracer *t, const struct instruction *in, const struct execution *x, uint64_t *value)
{
    *value = x->reg == NO_REGISTER ? x->value : t->machine.general[x->reg];
    for (int i = 0; i < in->memories && x->by_memory; i++)
        if (in->memory[i].reads)
            return read_here(t, address_of(&in->memory[i], &t->machine), value);
    return true;
}

static bool run_stub(struct tracer *t, const struct instruction *in, const struct execution *x)
{
    struct machine *m = &t->machine;
    enum { ALL_MASKED = 0x1f80, DIRECTION = 0x400 };
    if (in->memories) {
        const struct memory_operand *memory = &in->memory[0];
        m->operand = bytes_here(t, location_at(t, address_of(memory, m)), memory->bytes, memory->writes);
        if (!m->operand)
            return false;
    }
    if (m->flags & DIRECTION || (x->vectors && (!take_vectors(t) || (m->rounding & ALL_MASKED) != ALL_MASKED)))
        return false;
    m->flags = (m->flags & status_flags) | 0x202;
    x->stub(m);
    t->vectors_ahead |= x->vectors;
    return true;
}

/* One round of movs or stos. */
static bool run_string(struct tracer *t, const struct instruction *in, const struct execution *x)
{
    struct machine *m = &t->machine;
    bool repeats = in->flags & INSTRUCTION_REPEATS, copies = x->kind == EXECUTION_COPY_STRING;
    if (m->flags & 0x400)
        return false;
    if (!repeats || m->general[RCX]) {
        const void *from = copies ? bytes_here(t, location_at(t, m->general[RSI]), x->bytes, false) : &m->general[RAX];
        void *to = from ? bytes_here(t, location_at(t, m->general[RDI]), x->bytes, true) : NULL;
        if (!to)
            return false;
        memmove(to, from, x->bytes);
        m->general[RDI] += x->bytes;
        m->general[RSI] += copies ? x->bytes : 0;
        m->general[RCX] -= repeats;
    }
    if (!repeats || !m->general[RCX])
        m->at += in->length;
    return true;
}

/* False: it is to be done there. */
static bool step_here(struct tracer *t, const struct instruction *in, const struct execution *x)
{
    struct machine *m = &t->machine;
    uint64_t next = m->at + in->length, value;
    switch ((enum execution_kind)x->kind) {
    case EXECUTION_THERE:
        return false;
    case EXECUTION_COPY_STRING:
    case EXECUTION_FILL_STRING:
        if (!run_string(t, in, x))
            return false;
        next = m->at;
        break;
    case EXECUTION_STUB:
        if (!run_stub(t, in, x))
            return false;
        break;
    case EXECUTION_JUMP:
        if (!value_here(t, in, x, &next))
            return false;
        break;
    case EXECUTION_JUMP_IF:
        next = execution_holds(x->condition, m->flags) ? x->value : next;
        break;
    case EXECUTION_CALL:
        if (!value_here(t, in, x, &value) || !push_here(t, next))
            return false;
        next = value;
        break;
    case EXECUTION_RETURN:
        if (!read_here(t, m->general[RSP], &next))
            return false;
        m->general[RSP] += 8;
        break;
    case EXECUTION_PUSH:
        if (!value_here(t, in, x, &value) || !push_here(t, value))
            return false;
        break;
    case EXECUTION_POP:
        if (!read_here(t, m->general[RSP], &value))
            return false;
        m->general[RSP] += 8;
        m->general[x->reg] = value;
        break;
    case EXECUTION_LEAVE:
        if (!read_here(t, m->general[RBP], &value))
            return false;
        m->general[RSP] = m->general[RBP] + 8;
        m->general[RBP] = value;
        break;
    case EXECUTION_ADDRESS:
        value = address_of(&in->computed, m);
        m->general[x->reg] = x->bytes == 8 ? value : (uint32_t)value;
        break;
    case EXECUTION_IDLE:
        break;
    }
    m->at = next;
    t->ahead = true;
    return true;
}

static enum go step(struct tracer *t, uint32_t number, int *status)
{
    if (step_here(t, &t->instruction.at[number], &t->execution.at[number]))
        return GO_ON;
    return step_there(t, status);
}

static void let_go(struct tracer *t, int status)
{
    int signal = WIFSTOPPED(status) && WSTOPSIG(status) != SIGTRAP && status >> 16 == 0 ? WSTOPSIG(status) : 0;
    let_others_go(t);
    ptrace(PTRACE_DETACH, t->pid, NULL, (void *)(long)signal);
}

/* ---- to where it sleeps ---- */

enum { RESTARTS = -512 }; /* ERESTARTSYS, which programs do not see: the kernel begins the call anew when it goes on */

static bool sleeps_there(const struct tracer *t, const struct user_regs_struct *regs)
{
    return regs->orig_rax == SYS_futex && (int64_t)regs->rax == RESTARTS && location_at(t, regs->rdi) == LOCATION_SHARED + t->doze;
}

static bool is_before_system_call(struct tracer *t)
{
    uint32_t number;
    return decode_at(t, t->machine.at, &number) && t->instruction.at[number].flags & INSTRUCTION_SYSTEM_CALL;
}

static bool is_about_to_sleep(struct tracer *t)
{
    return is_dozing(t, &t->machine) && is_before_system_call(t);
}

/* Another thread of the rank sleeps there, and this one waits for it. */
static bool is_about_to_wait_elsewhere(struct tracer *t)
{
    return t->machine.general[RAX] == SYS_futex && (t->machine.general[RSI] & FUTEX_CMD_MASK) == FUTEX_WAIT && is_before_system_call(t) &&
           !is_dozing(t, &t->machine);
}

/*
 * One that has told that it sleeps may still be on its way there.  If it were answered on the way it could go to sleep once more,
 * for what it has looked at before it was answered, and that would be taken for the end of what it does.
 */
static enum go come_to_sleep(struct tracer *t, int *status)
{
    enum { WAY = 100 * 1000 }; /* in steps; some fifty are usual */
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, t->pid, NULL, &regs) < 0)
        return GO_AWAY;
    if (sleeps_there(t, &regs))
        return GO_ON;
    if ((int64_t)regs.rax == RESTARTS || !take_registers(t)) /* it waits elsewhere */
        return GO_AWAY;
    enum go go = GO_ON;
    for (int steps = 0; go == GO_ON && !is_about_to_sleep(t); steps++)
        go = steps < WAY && !is_about_to_wait_elsewhere(t) ? step_there(t, status) : GO_AWAY;
    return go;
}

bool tracer_stop(struct tracer *t, int rank, pid_t pid, uint64_t doze)
{
    int status = 0;
    struct map_key layout;
    t->rank = rank;
    t->pid = pid;
    t->doze = doze;
    t->region = t->asks_for_errno = 0;
    t->ahead = t->vectors = t->vectors_ahead = t->gone = false;
    t->pages = 0;
    map_release(&t->page_at);
    if (!stop_thread(pid))
        return false;
    enum go go = stop_others(t) && read_mappings(t, &layout) ? come_to_sleep(t, &status) : GO_AWAY;
    if (go == GO_AWAY)
        let_go(t, status);
    t->gone = go == GO_ENDED;
    t->gone_status = status;
    return go != GO_AWAY;
}

/* ---- from there on ---- */

static bool give_up(struct trace *trace, const char *why)
{
    trace->whole = false;
    trace->why = why;
    return false;
}

static void leave_in_exit(struct trace *trace)
{
    trace->at_exit = true;
    put_step(trace, step_word(1, STEP_SYSTEM_CALL));
    for (int i = 0; i < 4; i++)
        vec_push(&trace->stream, 0);
}

/* Writes down the next instruction; false: the trace ends there. */
static bool note_next(struct tracer *t, struct trace *trace, const struct machine *m, uint32_t *number)
{
    if (m->at == t->names[t->rank].exit_at) { /* its argument counts; what is done then is of no account */
        leave_in_exit(trace);
        return false;
    }
    if (!decode_at(t, m->at, number))
        return give_up(trace, "code that cannot be read, or may change");
    const struct instruction *in = &t->instruction.at[*number];
    if (in->flags & INSTRUCTION_UNKNOWN) {
        uint8_t code[LONGEST] = {0};
        (void)!read_memory(t, m->at, code, LONGEST);
        LOG(flow, "instruction at %llx is not known: %02x %02x %02x %02x %02x %02x %02x %02x",
            (unsigned long long)m->at, code[0], code[1], code[2], code[3], code[4], code[5], code[6], code[7]);
        return give_up(trace, "an instruction that is not known");
    }
    if (in->flags & INSTRUCTION_SYSTEM_CALL) {
        if (m->general[RAX] == SYS_exit_group) {
            leave_in_exit(trace);
            return false;
        }
        return put_system_call(t, trace, m) || give_up(trace, "a system call that is not known");
    }
    if (t->asks_for_errno && m->general[RSP] > t->asks_for_errno) {
        t->asks_for_errno = 0;
        t->errno_at[t->rank] = m->general[RAX];
    }
    if (t->region && m->general[RSP] > t->region) {
        t->region = 0;
        if (trace->step.n)
            trace->stream.at[vec_last(&trace->step)] |= (uint64_t)STEP_REGION_ENDS << 32;
    }
    return put_instruction_step(t, trace, *number, m) || give_up(trace, "a look at floating-point exceptions");
}

/*
 * It is about to sleep, unless what it asks for is answered on the spot.  Then a step that is not written down ends the call in
 * which it would have slept, as at the beginning.
 */
static enum go pass_question(struct tracer *t, struct trace *trace, const struct question_asker *asker, int *status)
{
    switch (asker->answer(asker->data)) {
    case QUESTION_IS_CALL:
        return GO_NO_FURTHER;
    case QUESTION_IS_OPEN:
        return give_up(trace, "a question that is answered later"), GO_NO_FURTHER;
    case QUESTION_IS_ANSWERED:
        break;
    }
    return step_there(t, status);
}

/* One step, which is written down. */
static enum go go_one_step(struct tracer *t, struct trace *trace, int *status)
{
    uint64_t before[16];
    uint32_t number;
    if (!note_next(t, trace, &t->machine, &number))
        return GO_NO_FURTHER;
    memcpy(before, t->machine.general, sizeof before);
    t->steps++;
    enum go go = step(t, number, status);
    if (go != GO_ON || is_as_described(&t->instruction.at[number], before, t->machine.general))
        return go;
    LOG(flow, "an instruction before %llx does what was not expected", (unsigned long long)t->machine.at);
    return give_up(trace, "an instruction that is not known"), GO_NO_FURTHER;
}

/* Goes step by step; the first one only ends the system call in which it slept. */
static enum go go_on(struct tracer *t, struct trace *trace, const struct question_asker *asker, int *status)
{
    uint64_t first = t->steps;
    enum go go = step_there(t, status);
    while (go == GO_ON) {
        if (t->steps - first == t->most_steps) {
            trace->too_long = true;
            return give_up(trace, "too many steps"), GO_AWAY;
        }
        go = is_about_to_sleep(t) ? pass_question(t, trace, asker, status) : go_one_step(t, trace, status);
    }
    if (go == GO_NO_FURTHER)
        return GO_AWAY;
    LOG(flow, "status %x at %llx", (unsigned)*status, (unsigned long long)t->machine.at);
    give_up(trace, "a signal, or its end");
    return go;
}

void tracer_follow(struct tracer *t, struct trace *trace, const struct question_asker *asker, bool *ended, int *status)
{
    trace->whole = !t->gone;
    trace->why = "its end";
    *ended = t->gone;
    *status = t->gone_status;
    if (!t->gone) {
        named_calls_find(&t->names[t->rank], t->pid);
        *status = 0;
        *ended = go_on(t, trace, asker, status) == GO_ENDED;
    }
    if (*ended) {
        vec_clear(&t->others);
        return;
    }
    if (!catch_up(t))
        die("a rank that was followed step by step, process %d, cannot be given back what it has done", (int)t->pid);
    memcpy(trace->general, t->machine.general, sizeof trace->general);
    if (!take_vectors(t) || (trace->whole && !read_mappings(t, &trace->layout)))
        give_up(trace, "its registers or mappings cannot be read");
    trace->rounding = t->machine.rounding & ~0x3fu;
    note_changes(t, trace);
    let_go(t, *status);
}
