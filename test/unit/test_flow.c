/*
 * flow: sets of bytes, what instructions read and write, and that what is executed here comes out as on the machine itself, where a child is
 * stepped through the same instruction with the same registers.  And where one that is followed sleeps.
 */
#include <linux/futex.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "flow/byteset.h"
#include "flow/execute.h"
#include "flow/instruction.h"
#include "flow/tracer.h"

/* ---- sets ---- */

static void test_byteset(void **unused)
{
    (void)unused;
    struct byteset set = {0}, other = {0};
    byteset_add(&set, 4090, 20); /* over the end of a page */
    assert_true(byteset_has_any(&set, 4095, 1) && byteset_has_any(&set, 4096, 1) && byteset_has_any(&set, 0, 4091));
    assert_false(byteset_has_any(&set, 0, 4090) || byteset_has_any(&set, 4110, 100000));
    byteset_remove(&set, 4095, 2);
    assert_int_equal(byteset_count(&set), 18);
    assert_int_equal(byteset_next(&set, 4095, 9000), 4097);
    assert_int_equal(byteset_next(&set, 4110, 9000), 9000);
    byteset_add(&other, 4095, 1);
    assert_true(byteset_unite(&set, &other));
    assert_false(byteset_unite(&set, &other));
    byteset_copy(&other, &set);
    assert_int_equal(byteset_count(&other), 19);
    other.all = true;
    assert_true(byteset_has_any(&other, UINT64_C(1) << 50, 1));
    byteset_release(&set);
    byteset_release(&other);
}

/* ---- what is read and written ---- */

struct described {
    const char *code; /* in hexadecimal digits */
    const char *text; /* as said_of tells it */
};

static size_t bytes_of(const char *digits, uint8_t *code)
{
    size_t n = 0;
    unsigned byte;
    for (int used; sscanf(digits, "%2x%n", &byte, &used) == 1; digits += used)
        code[n++] = (uint8_t)byte;
    return n;
}

/* r: read, w: written, W: written as a whole, a: an address; registers by their place in the register file and length. */
static void said_of(const struct instruction *in, char *text)
{
    char *at = text;
    *at = 0;
    for (int i = 0; i < in->reads; i++)
        at += sprintf(at, "r%d+%d ", in->read[i].at, in->read[i].bytes);
    for (int i = 0; i < in->writes; i++)
        at += sprintf(at, "%c%d+%d ", in->write[i].all ? 'W' : 'w', in->write[i].at, in->write[i].bytes);
    for (int i = 0; i < in->addresses; i++)
        at += sprintf(at, "a%d ", in->address[i]);
    for (int i = 0; i < in->memories; i++)
        at += sprintf(at, "m%s%s+%d ", in->memory[i].reads ? "r" : "", !in->memory[i].writes ? "" : in->memory[i].all ? "W" : "w",
                      in->memory[i].bytes);
    if (in->flags & INSTRUCTION_UNKNOWN)
        at += sprintf(at, "unknown ");
    if (in->flags & INSTRUCTION_COPIES)
        at += sprintf(at, "copies ");
    if (in->flags & INSTRUCTION_BY_FLAGS)
        at += sprintf(at, "by-flags ");
    if (in->flags & INSTRUCTION_BY_VALUE)
        at += sprintf(at, "by-value ");
    if (in->flags & INSTRUCTION_SYSTEM_CALL)
        at += sprintf(at, "system ");
    if (at > text)
        at[-1] = 0;
}

/* Registers: rax 0, rcx 8, rdx 16, rbx 24, rsp 32, rsi 48, rdi 56; flags 128; xmm0 1024, xmm1 1088. */
static const struct described described[] = {
    {"488907", "r0+8 a7 mW+8 copies"},                      /* mov [rdi], rax */
    {"8b4604", "W0+8 a6 mr+4 copies"},                      /* mov eax, [rsi+4]: all of rax */
    {"8a06", "W0+1 a6 mr+1 copies"},                        /* mov al, [rsi] */
    {"88e0", "r1+1 W0+1 copies"},                           /* mov al, ah */
    {"31c0", "W0+8 W128+1"},                                /* xor eax, eax: whatever it was */
    {"31c8", "r0+4 r8+4 w0+8 W128+1"},                      /* xor eax, ecx */
    {"0f44c1", "r0+4 r8+4 r128+1 w0+8"},                    /* cmove eax, ecx: it may stay */
    {"0f94c0", "r128+1 W0+1"},                              /* sete al */
    {"11c8", "r0+4 r8+4 r128+1 w0+8 W128+1"},               /* adc eax, ecx */
    {"7505", "by-flags"},                                   /* jne */
    {"c3", "a4 mr+8 by-value"},                             /* ret */
    {"ffe0", "r0+8 by-value"},                              /* jmp rax */
    {"48f7f9", "r8+8 r0+8 r16+8 r128+1 w8+8 W0+8 W16+8 w128+1 by-value"}, /* idiv rcx: it may fail */
    {"660f74c1", "r1024+16 r1088+16 r136+8 w1024+16"},      /* pcmpeqb xmm0, xmm1 */
    {"660fd7c0", "r1024+16 r136+8 W0+8"},                   /* pmovmskb eax, xmm0 */
    {"660fefc0", "W1024+16"},                               /* pxor xmm0, xmm0 */
    {"660f2ec1", "r1024+16 r1088+16 r136+8 W128+1"},        /* ucomisd xmm0, xmm1 */
    {"f20f5806", "r1024+16 r136+8 w1024+16 a6 mr+8"},       /* addsd xmm0, [rsi] */
    {"f20f1006", "W1024+16 a6 mr+8 copies"},                /* movsd xmm0, [rsi]: the rest is zero */
    {"f20f10c1", "r1024+16 r1088+16 r136+8 w1024+16"},      /* movsd xmm0, xmm1: the rest stays */
    {"f3a4", "a7 a6 a1 mW+1 mr+1 copies"},                  /* rep movsb */
    {"f3a6", "w128+1 a6 a7 a1 mr+1 mr+1 by-value"},         /* repe cmpsb: goes on by what it finds */
    {"f00fb10e", "r8+4 r0+4 w0+8 W128+1 a6 mrw+4"},         /* lock cmpxchg [rsi], ecx */
    {"0f05", "system"},                                     /* syscall */
    {"c4e27990040f", "unknown"},                            /* vpgatherdd: its addresses are in a vector */
    {"62f37d203f0700", "unknown"},                          /* of a kind that is not known */
};

static void test_descriptions(void **unused)
{
    (void)unused;
    struct disassembler *disassembler = disassembler_new();
    uint8_t code[16];
    char text[512];
    for (size_t i = 0; i < sizeof described / sizeof *described; i++) {
        size_t n = bytes_of(described[i].code, code);
        struct instruction in = instruction_decode(disassembler, code, n, 0x1000);
        said_of(&in, text);
        if (strcmp(text, described[i].text) != 0)
            print_error("%s\n", described[i].code);
        assert_string_equal(text, described[i].text);
    }
    disassembler_free(disassembler);
}

/* ---- executed here and there ---- */

/* With registers at random but for rsi, which points to data; what divides, jumps or uses the stack is not run by a stub. */
static const char *const executed[] = {
    "4889c8",   "89c8",       "6689c8",     "88c8",       "88ec",       "480fbec1", "0fb6c9",     "4863d1",   "4801d8",
    "29d8",     "6601d8",     "00d8",       "11d8",       "19d8",       "21d8",     "09d8",       "31d8",     "39d8",
    "85d8",     "84db",       "48ffc0",     "fec8",       "f7d8",       "f6d1",     "48d3e0",     "d3f8",     "48c1e803",
    "c1c005",   "48d1d0",     "480fafc3",   "48f7e3",     "f7eb",       "6bc307",   "480fa3d8",   "480fabd8", "0fbcc3",
    "f3480fbcc3", "f3480fb8c3", "480fc8",   "480f4cc3",   "0f92c0",     "0f9fc4",   "4898",       "4899",     "99",
    "4887d8",   "0fc1d8",     "0fb1d8",     "480fa4d805", "488b06",     "488906",   "0306",       "48010e",   "f0480fc10e",
    "f00fb10e", "870e",       "0fb606",     "480fbf06",   "c70605000000", "f6060f", "483b06",     "480f4506", "660fefc1",
    "660f6fc1", "f30f6f06",   "f30f7f0e",   "660f74c1",   "660fd7c0",   "f20f58c1", "f20f5906",   "f20f5ec1", "f20f51c1",
    "f20f2ac0", "f2480f2ac3", "f20f2cc1",   "f20f1006",   "f20f110e",   "f20f10c1", "660f2ec1",   "0f57c1",   "660f14c1",
    "660f70c14e", "660f6e06", "66480f7ec0", "660fd40e",   "660fdac1",   "f30f5ac1", "f20f5ac1",   "660fc6c101", "f30fe6c1",
    "4189c8",   "4d01c1",     "450fb6c0",   "4c8906",     "66450fefc9", "f2450f58c1", "4883c410", "4889e0",   "4883e4f0",
    "39e0",     "4829e0",     "480f44c4",   "480fafe3",   "4881ec00010000", "48c1e404", "48f7dc", "488b26",   "488926",
};

enum { DATA = 256 };

struct stepped {
    pid_t child;
    uint8_t *code, *data; /* shared with the child, at the same addresses */
};

static void step_child(const struct stepped *there, const uint8_t *code, size_t n, struct machine *m)
{
    struct user_regs_struct regs;
    struct user_fpregs_struct numbers;
    int status;
    memcpy(there->code, code, n);
    assert_int_equal(ptrace(PTRACE_GETREGS, there->child, NULL, &regs), 0);
    assert_int_equal(ptrace(PTRACE_GETFPREGS, there->child, NULL, &numbers), 0);
    unsigned long long *const place[16] = {&regs.rax, &regs.rcx, &regs.rdx, &regs.rbx, &regs.rsp, &regs.rbp, &regs.rsi, &regs.rdi,
                                           &regs.r8,  &regs.r9,  &regs.r10, &regs.r11, &regs.r12, &regs.r13, &regs.r14, &regs.r15};
    for (int i = 0; i < 16; i++)
        *place[i] = m->general[i];
    regs.rip = (uintptr_t)there->code;
    regs.eflags = (regs.eflags & ~0x8d5ull) | (m->flags & 0x8d5);
    regs.orig_rax = (unsigned long long)-1;
    memcpy(numbers.xmm_space, m->vector, sizeof m->vector);
    numbers.mxcsr = m->rounding;
    assert_int_equal(ptrace(PTRACE_SETREGS, there->child, NULL, &regs), 0);
    assert_int_equal(ptrace(PTRACE_SETFPREGS, there->child, NULL, &numbers), 0);
    assert_int_equal(ptrace(PTRACE_SINGLESTEP, there->child, NULL, NULL), 0);
    assert_int_equal(waitpid(there->child, &status, 0), there->child);
    assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    assert_int_equal(ptrace(PTRACE_GETREGS, there->child, NULL, &regs), 0);
    assert_int_equal(ptrace(PTRACE_GETFPREGS, there->child, NULL, &numbers), 0);
    assert_int_equal(regs.rip, (uintptr_t)there->code + n);
    for (int i = 0; i < 16; i++)
        m->general[i] = *place[i];
    m->flags = regs.eflags;
    memcpy(m->vector, numbers.xmm_space, sizeof m->vector);
    m->rounding = numbers.mxcsr;
}

static uint64_t drawn;

static uint64_t draw(void)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return drawn >> 16 ^ drawn << 32;
}

static void draw_machine(struct machine *m, uint8_t *data)
{
    for (int i = 0; i < 16; i++)
        m->general[i] = draw() % 3 ? draw() : draw() % 64;
    m->general[RSI] = (uintptr_t)data;
    m->flags = (draw() & 0x8d5) | 0x202;
    m->rounding = 0x1f80;
    for (int i = 0; i < 16; i++) {
        double number[2] = {(double)(int)draw() / 77, (double)(int)draw() / 3};
        memcpy(m->vector[i], number, 16);
    }
    for (int i = 0; i < DATA; i++)
        data[i] = (uint8_t)draw();
}

/* What an instruction leaves undefined need not be the same: some flags of shifts, multiplications and searches. */
static uint64_t flags_defined(const char *code)
{
    static const char *const vague[] = {"480fafc3", "48f7e3", "f7eb", "6bc307", "0fbcc3", "48d3e0", "d3f8", "48c1e803", "c1c005",
                                        "480fa3d8", "480fabd8", "480fa4d805", "f3480fbcc3", "48d1d0", "21d8", "09d8", "31d8",
                                        "85d8", "84db", "f6060f", "4883e4f0"};
    for (size_t i = 0; i < sizeof vague / sizeof *vague; i++)
        if (strcmp(code, vague[i]) == 0)
            return 0x1; /* at least the carry, which most of them define */
    return 0x8d5;
}

static bool is_search(const char *code)
{
    return strcmp(code, "0fbcc3") == 0;
}

static void compare_once(const struct stepped *there, const char *digits, const struct instruction *in, const struct execution *x)
{
    uint8_t code[16], before[DATA], after[DATA];
    size_t n = bytes_of(digits, code);
    struct machine here = {0}, other;
    draw_machine(&here, there->data);
    memcpy(before, there->data, DATA);
    other = here;
    step_child(there, code, n, &other);
    memcpy(after, there->data, DATA);
    memcpy(there->data, before, DATA);
    here.operand = in->memories ? there->data : NULL;
    x->stub(&here);
    if (memcmp(here.general, other.general, sizeof here.general) != 0 || memcmp(there->data, after, DATA) != 0 ||
        (x->vectors && memcmp(here.vector, other.vector, sizeof here.vector) != 0))
        print_error("%s\n", digits);
    assert_memory_equal(there->data, after, DATA);
    assert_memory_equal(here.general, other.general, sizeof here.general);
    if (!is_search(digits))
        assert_int_equal(here.flags & flags_defined(digits), other.flags & flags_defined(digits));
    if (x->vectors) {
        assert_memory_equal(here.vector, other.vector, sizeof here.vector);
        assert_int_equal(here.rounding, other.rounding);
    }
}

static void test_executions(void **unused)
{
    (void)unused;
    struct disassembler *disassembler = disassembler_new();
    struct executor *executor = executor_new();
    struct stepped there = {.code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
                            .data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    int status;
    if ((there.child = fork()) == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(1);
    }
    assert_int_equal(waitpid(there.child, &status, 0), there.child);
    for (size_t i = 0; i < sizeof executed / sizeof *executed; i++) {
        uint8_t code[16];
        size_t n = bytes_of(executed[i], code);
        struct instruction in = instruction_decode(disassembler, code, n, (uintptr_t)there.code);
        struct execution x = execution_make(executor, code, (uintptr_t)there.code, &in);
        if (x.kind != EXECUTION_STUB || in.length != n)
            print_error("%s is not executed here\n", executed[i]);
        assert_int_equal(x.kind, EXECUTION_STUB);
        for (int k = 0; k < 20; k++)
            compare_once(&there, executed[i], &in, &x);
    }
    kill(there.child, SIGKILL);
    waitpid(there.child, &status, 0);
    munmap(there.code, 4096);
    munmap(there.data, 4096);
    executor_free(executor);
    disassembler_free(disassembler);
}

/* What is left to the process itself: it may fail, or has an effect beyond registers and memory. */
static void test_left_there(void **unused)
{
    (void)unused;
    static const char *const left[] = {"48f7f9", "0f05", "0fa2", "0f31", "0fae16", "0fc70e", "f4", "cd03", "c5f858c1", "d9c0", "0f77"};
    struct disassembler *disassembler = disassembler_new();
    struct executor *executor = executor_new();
    uint8_t code[16];
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        size_t n = bytes_of(left[i], code);
        struct instruction in = instruction_decode(disassembler, code, n, 0x1000);
        if (execution_make(executor, code, 0x1000, &in).kind != EXECUTION_THERE)
            print_error("%s\n", left[i]);
        assert_int_equal(execution_make(executor, code, 0x1000, &in).kind, EXECUTION_THERE);
    }
    executor_free(executor);
    disassembler_free(disassembler);
}

/* ---- to where it sleeps, and on ---- */

static struct doze {
    _Atomic uint32_t turn;       /* answers given; where the child sleeps */
    _Atomic uint32_t on_the_way; /* it has looked at `turn`, and takes its time before it sleeps */
} *doze;

/* What the child has come to, in memory of its own. */
static volatile uint64_t was_answered, was_answered_again;

static void sleep_for_turn(uint32_t turn, long milliseconds)
{
    const struct timespec delay = {.tv_nsec = milliseconds * 1000 * 1000};
    while (atomic_load(&doze->turn) == turn) {
        atomic_store(&doze->on_the_way, 1);
        if (milliseconds)
            nanosleep(&delay, NULL);
        syscall(SYS_futex, &doze->turn, FUTEX_WAIT, turn, NULL, NULL, 0);
    }
}

static void sleep_and_note(void)
{
    sleep_for_turn(0, 200);
    was_answered = 1;
    sleep_for_turn(1, 0);
    was_answered_again = 1;
    sleep_for_turn(2, 0);
    _exit(0);
}

static enum question answer_first_question(void *data)
{
    enum question answer = *(enum question *)data;
    *(enum question *)data = QUESTION_IS_CALL;
    if (answer == QUESTION_IS_ANSWERED)
        atomic_store(&doze->turn, 2);
    return answer;
}

static bool has_changed(const struct trace *trace, const volatile uint64_t *word)
{
    for (size_t i = 0; i < trace->changed.n; i++)
        if (trace->changed.at[i].at == (uintptr_t)word)
            return true;
    return false;
}

/* A child that is stopped before it sleeps, is answered and followed; `question`: what becomes of its next one. */
static struct trace follow_late_sleeper(enum question question)
{
    int fd = memfd_create("tourney", MFD_CLOEXEC), status;
    bool ended;
    assert_true(fd >= 0 && ftruncate(fd, 4096) == 0);
    doze = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(doze, MAP_FAILED);
    close(fd);
    pid_t child = fork();
    if (child == 0)
        sleep_and_note();
    struct tracer *tracer = tracer_new(1, 1000 * 1000, doze);
    struct trace trace = {0};
    struct question_asker asker = {answer_first_question, &question};
    while (!atomic_load(&doze->on_the_way))
        sched_yield();
    assert_true(tracer_stop(tracer, 0, child, offsetof(struct doze, turn)));
    atomic_store(&doze->turn, 1);
    tracer_follow(tracer, &trace, &asker, &ended, &status);
    assert_false(ended);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    tracer_free(tracer);
    munmap(doze, 4096);
    return trace;
}

/* Who has looked whether it is answered, and then is, tries to sleep once more: that is not where it sleeps. */
static void test_stopped_before_sleep(void **unused)
{
    (void)unused;
    struct trace trace = follow_late_sleeper(QUESTION_IS_CALL);
    assert_true(trace.whole);
    assert_true(has_changed(&trace, &was_answered));
    assert_false(has_changed(&trace, &was_answered_again));
    trace_release(&trace);
}

static void test_questions_on_the_way(void **unused)
{
    (void)unused;
    struct trace trace = follow_late_sleeper(QUESTION_IS_ANSWERED);
    assert_true(trace.whole);
    assert_true(has_changed(&trace, &was_answered) && has_changed(&trace, &was_answered_again));
    trace_release(&trace);
    trace = follow_late_sleeper(QUESTION_IS_OPEN);
    assert_false(trace.whole);
    trace_release(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_byteset),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_executions),
        cmocka_unit_test(test_left_there),
        cmocka_unit_test(test_stopped_before_sleep),
        cmocka_unit_test(test_questions_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
