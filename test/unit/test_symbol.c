/*
 * Places: small programs are compiled in the ways users compile theirs, run,
 * and asked for return addresses of calls whose lines they know.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/symbol.h"
#include "symbols/variable.h"

static char folder[] = "/tmp/test_symbol.XXXXXX";

/*
 * Prints a name, the line and the return address of each call to note(), then
 * waits until its input ends.  #line plays a library's header.
 */
static const char target_c[] =
    "#include <dlfcn.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "__attribute__((noinline)) void note(const char *name, int line)\n"
    "{\n"
    "    printf(\"%s %d %p\\n\", name, line, __builtin_return_address(0));\n"
    "    fflush(stdout);\n"
    "}\n"
    "static inline __attribute__((always_inline)) void exchange(void)\n"
    "{\n"
    "    note(\"inlined\", __LINE__);\n"
    "    __asm__ volatile(\"\");\n"
    "}\n"
    "static __attribute__((noinline)) void halo(void)\n"
    "{\n"
    "    __asm__ volatile(\"\");\n"
    "    note(\"static\", __LINE__);\n"
    "    __asm__ volatile(\"\");\n"
    "}\n"
    "# 7 \"/usr/include/mpicxx.h\"\n"
    "static inline __attribute__((always_inline)) void MPI_wrapper(const char *name, int line)\n"
    "{\n"
    "    note(name, line);\n"
    "    __asm__ volatile(\"\");\n"
    "}\n"
    "# 30 \"target.c\"\n"
    "static int compare(const void *a, const void *b)\n"
    "{\n"
    "    static int once;\n"
    "    if (!once++)\n"
    "        printf(\"libc 0 %p\\n\", __builtin_return_address(0));\n"
    "    return *(const int *)a - *(const int *)b;\n"
    "}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int numbers[] = {3, 1, 2};\n"
    "    note(\"main\", __LINE__);\n"
    "    exchange();\n"
    "    halo();\n"
    "    MPI_wrapper(\"wrapped\", __LINE__);\n"
    "    qsort(numbers, 3, sizeof(int), compare);\n"
    "    printf(\"ready 0 0\\n\");\n"
    "    fflush(stdout);\n"
    "    while (getchar() == 'l') {\n"
    "        void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;\n"
    "        void (*call)(void (*)(const char *, int)) = library ? dlsym(library, \"call\") : NULL;\n"
    "        if (call)\n"
    "            call(note);\n"
    "        printf(\"ready 0 0\\n\");\n"
    "        fflush(stdout);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

static const char library_c[] = "void call(void (*note)(const char *, int))\n"
                                "{\n"
                                "    note(\"library\", __LINE__);\n"
                                "    __asm__ volatile(\"\");\n"
                                "}\n";

static const char many_c[] = "#include <stdio.h>\n"
                             "__attribute__((noinline)) void note(int n)\n"
                             "{\n"
                             "    printf(\"n%d 0 %p\\n\", n, __builtin_return_address(0));\n"
                             "}\n";

static const char target_f90[] = "program wave\n"
                                 "  implicit none\n"
                                 "  interface\n"
                                 "    subroutine note(name, line) bind(c)\n"
                                 "      use iso_c_binding\n"
                                 "      character(kind=c_char), intent(in) :: name(*)\n"
                                 "      integer(c_int), value :: line\n"
                                 "    end subroutine\n"
                                 "    subroutine finish() bind(c)\n"
                                 "    end subroutine\n"
                                 "  end interface\n"
                                 "  call note('program'//char(0), 12)\n"
                                 "  call step()\n"
                                 "  call finish()\n"
                                 "contains\n"
                                 "  subroutine step()\n"
                                 "    call note('contained'//char(0), 17)\n"
                                 "  end subroutine\n"
                                 "end program\n";

static const char note_c[] = "#include <stdio.h>\n"
                             "void note(const char *name, int line)\n"
                             "{\n"
                             "    printf(\"%s %d %p\\n\", name, line, __builtin_return_address(0));\n"
                             "}\n"
                             "void finish(void)\n"
                             "{\n"
                             "    printf(\"ready 0 0\\n\");\n"
                             "    fflush(stdout);\n"
                             "    getchar();\n"
                             "}\n";

static void put_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* In the folder, with a shell. */
__attribute__((format(printf, 1, 2))) static bool run(const char *format, ...)
{
    char command[1000];
    int n = snprintf(command, sizeof command, "cd %s && ", folder);
    va_list args;
    va_start(args, format);
    vsnprintf(command + n, sizeof command - (size_t)n, format, args);
    va_end(args);
    return system(command) == 0;
}

static bool have(const char *tool)
{
    return run("command -v %s >/dev/null 2>&1", tool);
}

struct target {
    pid_t pid;
    int in;
    FILE *out;
    int n;
    struct note {
        char name[20];
        int line;
        uint64_t address;
    } note[20];
};

static void hear(struct target *target)
{
    struct note note;
    while (fscanf(target->out, "%19s %d %" SCNx64, note.name, &note.line, &note.address) == 3) {
        if (strcmp(note.name, "ready") == 0)
            return;
        assert_in_range(target->n, 0, 19);
        target->note[target->n++] = note;
    }
    fail_msg("the target ended");
}

static void start(struct target *target, const char *name, const char *arg)
{
    int in[2], out[2];
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    *target = (struct target){.pid = fork()};
    if (target->pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        execl(path, path, arg, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    target->in = in[1];
    target->out = fdopen(out[0], "r");
    hear(target);
}

static void stop(struct target *target)
{
    close(target->in);
    fclose(target->out);
    assert_int_equal(waitpid(target->pid, NULL, 0), target->pid);
}

static const struct note *find(const struct target *target, const char *name)
{
    for (int i = 0; i < target->n; i++)
        if (strcmp(target->note[i].name, name) == 0)
            return &target->note[i];
    fail_msg("no note %s", name);
    return NULL;
}

static struct trace_place place_of(struct symbols *symbols, const struct target *target, const char *name)
{
    struct trace_place place = {.rank = 5};
    const struct note *note = find(target, name);
    assert_true(symbols_place(symbols, target->pid, note->address, &place));
    assert_int_equal(place.rank, 5);
    assert_int_equal(place.address, note->address);
    assert_non_null(place.module);
    return place;
}

static void assert_place(struct symbols *symbols, const struct target *target, const char *name, const char *file,
                         const char *function)
{
    char expected[200], text[200];
    struct trace_place place = place_of(symbols, target, name);
    snprintf(expected, sizeof expected, "%s:%d in %s", file, find(target, name)->line, function);
    assert_string_equal(trace_place_format(&place, text, sizeof text), expected);
}

static void assert_all_lines(const char *program)
{
    struct symbols *symbols = symbols_new();
    struct target target;
    char file[200];
    start(&target, program, NULL);
    for (int again = 0; again < 2; again++) {
        assert_place(symbols, &target, "main", "target.c", "main");
        assert_place(symbols, &target, "inlined", "target.c", "exchange");
        assert_place(symbols, &target, "static", "target.c", "halo");
        assert_place(symbols, &target, "wrapped", "target.c", "main");
    }
    snprintf(file, sizeof file, "%s/target.c", folder);
    assert_string_equal(place_of(symbols, &target, "main").file, file);
    stop(&target);
    symbols_free(symbols);
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const ways[] = {"-g",         "-O2 -g",          "-O3 -g1",      "-O2 -g -no-pie",
                                       "-O2 -gdwarf-4", "-O1 -g -gsplit-dwarf", "-O2 -g -gz", "-O2 -g -static"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!run("cc %s -o lines target.c -ldl 2>/dev/null", ways[i]))
            fail_msg("cannot compile with %s", ways[i]);
        assert_all_lines("lines");
    }
}

static void test_lines_of_clang(void **state)
{
    (void)state;
    if (!have("clang"))
        skip();
    assert_true(run("clang -O2 -g -o clang_lines target.c -ldl"));
    assert_all_lines("clang_lines");
}

static void test_relative_source(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct target target;
    char file[200];
    assert_true(run("mkdir -p sub && cd sub && cc -g -O1 -o ../relative ../target.c -ldl"));
    start(&target, "relative", NULL);
    snprintf(file, sizeof file, "%s/sub/../target.c", folder);
    assert_string_equal(place_of(symbols, &target, "static").file, file);
    stop(&target);
    symbols_free(symbols);
}

static void test_fortran(void **state)
{
    (void)state;
    struct target target;
    if (!have("gfortran"))
        skip();
    for (int optimised = 0; optimised < 2; optimised++) {
        struct symbols *symbols = symbols_new();
        assert_true(run("cc -c note.c && gfortran -O%d -fno-inline -g -o wave target.f90 note.o", 2 * optimised));
        start(&target, "wave", NULL);
        assert_place(symbols, &target, "program", "target.f90", "wave");
        if (!optimised) /* else its call is the last it does, and it is gone when that returns */
            assert_place(symbols, &target, "contained", "target.f90", "step");
        stop(&target);
        symbols_free(symbols);
    }
}

static void test_without_debug_information(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct target target;
    char text[200];
    assert_true(run("cc -O1 -o plain target.c -ldl && cp plain stripped && strip stripped"));
    start(&target, "plain", NULL);
    struct trace_place place = place_of(symbols, &target, "static");
    assert_memory_equal(place.function, "halo+0x", 7);
    assert_null(place.file);
    assert_int_equal(place.line, 0);
    trace_place_format(&place, text, sizeof text);
    assert_string_equal(strstr(text, " in "), " in plain");
    stop(&target);

    start(&target, "stripped", NULL);
    struct trace_place bare = place_of(symbols, &target, "static");
    assert_null(bare.function);
    assert_int_equal(bare.offset, place.offset);
    trace_place_format(&bare, text, sizeof text);
    assert_memory_equal(text, "0x", 2);
    assert_string_equal(strstr(text, " in "), " in stripped");
    stop(&target);
    symbols_free(symbols);
}

/* The offset is what other tools take. */
static void test_offset(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct target target;
    if (!have("addr2line"))
        skip();
    assert_true(run("cc -g -O1 -no-pie -o offset target.c -ldl"));
    start(&target, "offset", NULL);
    struct trace_place place = place_of(symbols, &target, "static");
    assert_true(run("addr2line -e offset 0x%" PRIx64 " | grep -q 'target.c:%d'", place.offset - 1, place.line));
    stop(&target);
    symbols_free(symbols);
}

static void test_debug_link(void **state)
{
    (void)state;
    if (!have("objcopy"))
        skip();
    assert_true(run("cc -O2 -g -Wl,--build-id -o linked target.c -ldl && objcopy --only-keep-debug linked linked.debug && "
                    "strip linked && objcopy --add-gnu-debuglink=linked.debug linked"));
    assert_all_lines("linked");
    /* A debug file of another build would tell lies. */
    assert_true(run("cc -O1 -g -Wl,--build-id -o other target.c -ldl && objcopy --only-keep-debug other linked.debug"));
    struct symbols *symbols = symbols_new();
    struct target target;
    start(&target, "linked", NULL);
    assert_null(place_of(symbols, &target, "static").file);
    stop(&target);
    symbols_free(symbols);
}

/* The C library's debug information, if it is installed, is found by build-id. */
static void test_system_library(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct target target;
    char text[200];
    assert_true(run("cc -g -o lines target.c -ldl"));
    start(&target, "lines", NULL);
    struct trace_place place = place_of(symbols, &target, "libc");
    trace_place_format(&place, text, sizeof text);
    if (place.line > 0)
        assert_non_null(strstr(text, ".c:"));
    else
        assert_non_null(strstr(text, "in libc"));
    stop(&target);
    symbols_free(symbols);
}

static void test_library_loaded_late(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct target target;
    char library[100];
    assert_true(run("cc -g -o lines target.c -ldl && cc -g -O1 -shared -fPIC -o libcall.so library.c"));
    snprintf(library, sizeof library, "%s/libcall.so", folder);
    start(&target, "lines", library);
    assert_place(symbols, &target, "main", "target.c", "main");
    assert_int_equal(write(target.in, "l", 1), 1);
    hear(&target);
    assert_place(symbols, &target, "library", "library.c", "call");
    stop(&target);
    symbols_free(symbols);
}

/* Can the file behind a mapping be opened when it has lost its name?  Needs a privilege. */
static bool sees_mapped_files(void)
{
    return geteuid() == 0;
}

static void test_program_deleted_or_replaced(void **state)
{
    (void)state;
    for (int replaced = 0; replaced < 2; replaced++) {
        struct symbols *symbols = symbols_new();
        struct target target;
        assert_true(run("cc -g -O1 -o gone target.c -ldl"));
        start(&target, "gone", NULL);
        assert_true(run(replaced ? "cc -g -O3 -DX -o new library.c -shared && mv new gone" : "rm gone"));
        assert_place(symbols, &target, "static", "target.c", "halo"); /* /proc/PID/exe still has it */
        stop(&target);
        symbols_free(symbols);
    }
}

static void test_library_replaced(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct target target;
    char library[100], text[200];
    assert_true(run("cc -g -o lines target.c -ldl && cc -g -O1 -shared -fPIC -o libgone.so library.c"));
    snprintf(library, sizeof library, "%s/libgone.so", folder);
    start(&target, "lines", library);
    assert_int_equal(write(target.in, "l", 1), 1);
    hear(&target);
    assert_true(run("(echo; echo; cat library.c) >moved.c && cc -g -shared -fPIC -o new.so moved.c && mv new.so libgone.so"));
    if (sees_mapped_files()) {
        assert_place(symbols, &target, "library", "library.c", "call");
    } else {
        struct trace_place place = place_of(symbols, &target, "library");
        assert_string_equal(strstr(trace_place_format(&place, text, sizeof text), " in "), " in libgone.so");
    }
    stop(&target);
    /* The next process has the new one. */
    start(&target, "lines", library);
    assert_int_equal(write(target.in, "l", 1), 1);
    hear(&target);
    assert_place(symbols, &target, "library", "moved.c", "call");
    /* Written over in place: what was read before is kept, nothing new is believed. */
    assert_true(run("sleep 0.01; echo more >>libgone.so"));
    assert_place(symbols, &target, "library", "moved.c", "call");
    struct trace_place place = {0};
    assert_true(symbols_place(symbols, target.pid, find(&target, "library")->address - 1, &place));
    assert_null(place.file);
    stop(&target);
    symbols_free(symbols);
}

static void test_process_gone(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct trace_place place = {0};
    struct target target;
    assert_true(run("cc -g -O2 -o lines target.c -ldl"));
    start(&target, "lines", NULL);
    assert_true(symbols_read(symbols, target.pid));
    kill(target.pid, SIGKILL);
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)target.pid, &info, WEXITED | WNOWAIT), 0);
    assert_place(symbols, &target, "main", "target.c", "main"); /* a zombie */
    stop(&target);
    assert_place(symbols, &target, "static", "target.c", "halo");
    assert_false(symbols_read(symbols, target.pid));
    symbols_forget(symbols, target.pid);
    symbols_forget(symbols, target.pid);
    assert_false(symbols_place(symbols, target.pid, target.note[0].address, &place));
    assert_null(place.module);
    assert_int_equal(place.address, target.note[0].address);
    symbols_free(symbols);
}

static void test_nowhere(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct trace_place place = {0};
    char text[100];
    const uint64_t nowhere[] = {0, 1, 4096, UINT64_MAX, (uintptr_t)&place};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        assert_false(symbols_place(symbols, getpid(), nowhere[i], &place));
        assert_int_equal(place.address, nowhere[i]);
        snprintf(text, sizeof text, "0x%" PRIx64, nowhere[i]);
        char got[100];
        assert_string_equal(trace_place_format(&place, got, sizeof got), text);
    }
    assert_true(symbols_place(symbols, getpid(), (uintptr_t)test_nowhere + 5, &place));
    symbols_free(symbols);
    symbols_free(NULL);
}

/* Garbage under the name of a program that runs no more must not end tourney. */
static void test_damaged_file(void **state)
{
    (void)state;
    assert_true(run("cc -g -O1 -o whole target.c -ldl"));
    char path[128];
    snprintf(path, sizeof path, "%s/whole", folder);
    int fd = open(path, O_RDONLY);
    struct stat status;
    fstat(fd, &status);
    char *bytes = malloc((size_t)status.st_size);
    assert_int_equal(read(fd, bytes, (size_t)status.st_size), status.st_size);
    close(fd);
    srand(7);
    for (int i = 0; i < 20; i++) {
        struct symbols *symbols = symbols_new();
        struct target target;
        start(&target, "whole", NULL);
        assert_true(symbols_read(symbols, target.pid));
        stop(&target);
        /* The same inode, so that it passes for the program. */
        fd = open(path, O_RDWR);
        for (int k = 0; k < 40 * i; k++) {
            char byte = (char)rand();
            off_t at = rand() % status.st_size;
            assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        }
        if (i % 5 == 4)
            assert_int_equal(ftruncate(fd, rand() % status.st_size), 0);
        place_of(symbols, &target, "static");
        place_of(symbols, &target, "inlined");
        symbols_free(symbols);
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, bytes, (size_t)status.st_size, 0), status.st_size);
        close(fd);
    }
    free(bytes);
}

static void expect_line(struct symbols *symbols, const char *path, int line, const char *function)
{
    struct trace_place place = {0};
    assert_true(symbols_file_place(symbols, path, (uint64_t)line - 1, &place));
    assert_string_equal(place.file, path);
    assert_int_equal(place.line, line);
    if (function)
        assert_string_equal(place.function, function);
    else
        assert_null(place.function);
}

/* The bytes of a script stand for its lines. */
static void test_script(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct trace_place place = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/script", folder);
    FILE *file = fopen(path, "w");
    fputs("import mpi\n"                     /* 1 */
          "class Halo:\n"                    /* 2 */
          "    def exchange(self,\n"         /* 3 */
          "                 left):\n"        /* 4 */
          "\n"                               /* 5 */
          "# aside\n"                        /* 6 */
          "        if left:\n"               /* 7 */
          "            mpi.send(left)\n"     /* 8 */
          "        mpi.recv()\n"             /* 9 */
          "    mpi.init()\n"                 /* 10 */
          "async  def main():\n"             /* 11 */
          "\tdef inner(): mpi.send()\n"      /* 12 */
          "\tmpi.recv()\n"                   /* 13 */
          "main()", file);                   /* 14 */
    fclose(file);
    expect_line(symbols, path, 1, NULL);
    expect_line(symbols, path, 8, "exchange");
    expect_line(symbols, path, 9, "exchange");
    expect_line(symbols, path, 10, NULL);
    expect_line(symbols, path, 13, "main");
    expect_line(symbols, path, 14, NULL);
    assert_true(symbols_file_place(symbols, path, 14, &place));
    assert_null(place.file);
    symbols_free(symbols);
}

/* Thousands of places in one program. */
static void test_many(void **state)
{
    (void)state;
    char path[128];
    enum { N = 4000 };
    snprintf(path, sizeof path, "%s/many.c", folder);
    FILE *file = fopen(path, "w");
    fputs(many_c, file);
    for (int i = 0; i < N; i++)
        fprintf(file, "void f%d(int n)\n{\n    note(n);\n    __asm__ volatile(\"\");\n}\n", i);
    fprintf(file, "int main(void)\n{\n");
    for (int i = 0; i < N; i++)
        fprintf(file, "f%d(%d);\n", i, i);
    fprintf(file, "fflush(stdout);\ngetchar();\n}\n");
    fclose(file);
    assert_true(run("cc -g -O0 -o many many.c"));
    int in[2], out[2];
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    snprintf(path, sizeof path, "%s/many", folder);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    FILE *notes = fdopen(out[0], "r");
    struct symbols *symbols = symbols_new();
    struct timespec before, after;
    double spent = 0;
    for (int i = 0; i < N; i++) {
        int n;
        uint64_t address;
        struct trace_place place = {0};
        char name[20];
        assert_int_equal(fscanf(notes, " n%d %*d %" SCNx64, &n, &address), 2);
        clock_gettime(CLOCK_MONOTONIC, &before);
        assert_true(symbols_place(symbols, pid, address, &place));
        clock_gettime(CLOCK_MONOTONIC, &after);
        spent += (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
        snprintf(name, sizeof name, "f%d", n);
        assert_string_equal(place.function, name);
        assert_int_equal(place.line, 8 + 5 * n);
    }
    print_message("%d places, %.1f us each\n", N, spent / N * 1e6);
    fclose(notes);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(in[0]);
    close(in[1]);
    close(out[1]);
    symbols_free(symbols);
}

/* Files that are kept open stay with tourney. */
static void test_nothing_is_inherited(void **state)
{
    (void)state;
    struct symbols *symbols = symbols_new();
    struct target target;
    assert_true(run("cc -g -o lines target.c -ldl"));
    start(&target, "lines", NULL);
    assert_place(symbols, &target, "main", "target.c", "main");
    place_of(symbols, &target, "libc");
    for (int fd = 3; fd < 64; fd++) {
        char link[64], name[200];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(link, name, sizeof name - 1);
        name[n > 0 ? n : 0] = 0;
        if (strncmp(name, folder, strlen(folder)) == 0 || strstr(name, "libc") || strstr(name, ".debug"))
            assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    }
    stop(&target);
    symbols_free(symbols);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    signal(SIGPIPE, SIG_IGN);
    put_file("target.c", target_c);
    put_file("library.c", library_c);
    put_file("target.f90", target_f90);
    put_file("note.c", note_c);
    return 0;
}

static int counter_of_test[4];

/* By the code of this very program, which is mapped somewhere else than its file says. */
static void test_variable(void **state)
{
    char path[512], *name;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    uint64_t code = (uintptr_t)test_variable, offset = 0;

    (void)state;
    assert_true(n > 0);
    path[n] = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    for (char line[1024]; fgets(line, sizeof line, maps);) {
        uint64_t start, end, from;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &from) == 3 && start <= code && code < end)
            offset = code - start + from;
    }
    fclose(maps);
    struct mapped_code there = {path, offset, code};
    name = variable_name(&there, (uintptr_t)counter_of_test);
    assert_string_equal(name, "counter_of_test");
    free(name);
    name = variable_name(&there, (uintptr_t)&counter_of_test[2]);
    assert_string_equal(name, "counter_of_test+0x8");
    free(name);
    assert_null(variable_name(&there, (uintptr_t)&there));
    assert_null(variable_name(&(struct mapped_code){"/not/there", offset, code}, (uintptr_t)counter_of_test));
    assert_null(variable_name(&(struct mapped_code){"/proc/self/maps", offset, code}, (uintptr_t)counter_of_test));
}

static int tear_down(void **state)
{
    (void)state;
    return run("rm -rf %s", folder) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lines_of_clang),
        cmocka_unit_test(test_relative_source),
        cmocka_unit_test(test_fortran),
        cmocka_unit_test(test_without_debug_information),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_debug_link),
        cmocka_unit_test(test_system_library),
        cmocka_unit_test(test_library_loaded_late),
        cmocka_unit_test(test_program_deleted_or_replaced),
        cmocka_unit_test(test_library_replaced),
        cmocka_unit_test(test_process_gone),
        cmocka_unit_test(test_nowhere),
        cmocka_unit_test(test_damaged_file),
        cmocka_unit_test(test_script),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_nothing_is_inherited),
        cmocka_unit_test(test_variable),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
