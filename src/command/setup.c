/*
 * setup -- makes a shim for an MPI library that is elsewhere, with its compiler, into the user's own folder.
 *
 * The shim that came with tourney was compiled with another mpi.h of the same family.  It mostly serves, but what that mpi.h did not
 * know is refused; a family that was not there at all has no shim.  The sources of shims and the Makefile are installed
 * with tourney, so this is what its own build does.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "base/words.h"
#include "command/command.h"
#include "library/library.h"
#include "library/shim_place.h"
#include "options/arguments.h"
#include "world/janitor.h"
#include "world/preload.h"
#include "world/program.h"
#include "world/shim_folder.h"

#define MARK "TOURNEY_SETUP" /* of all processes that are started here, with the number of this one */

/* As it is installed, or as it was built. */
static char *find_sources(void)
{
    static const char *const places[] = {"../share/tourney/source", ".."};
    char *own = preload_own_folder();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = xformat("%s/%s", own, places[i]), *table = xformat("%s/src/call/calls.table", path);
        bool there = access(table, R_OK) == 0;
        free(table);
        if (there) {
            free(own);
            return path;
        }
        free(path);
    }
    die("the sources of shims are not installed; they are in tourney's source: make MPICC_MPICH=... or MPICC_OPENMPI=...");
}

/* Its exit code; what it says goes to a file. */
static int run_silently(char *const *command, const char *log)
{
    int status = 0;
    pid_t pid = fork();
    if (pid < 0)
        die("cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        execvp(command[0], command);
        fprintf(stderr, "%s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The last lines that a command said, for the user. */
static _Noreturn void die_with_log(const char *what, const char *log)
{
    enum { END = 2000 };
    static char text[END + 1];
    FILE *file = fopen(log, "r");
    size_t n = 0;
    if (file && (fseek(file, -END, SEEK_END) == 0 || fseek(file, 0, SEEK_SET) == 0))
        n = fread(text, 1, END, file);
    if (file)
        fclose(file);
    while (n > 0 && text[n - 1] == '\n')
        n--;
    text[n] = 0;
    die("%s%s%s", what, n ? ":\n" : "", text);
}

static void write_probe(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, "#include <mpi.h>\nint main(int argc, char **argv) { return MPI_Init(&argc, &argv); }\n") < 0 ||
        fclose(file) != 0)
        die("%s: %s", path, strerror(errno));
}

/* Compiles a program that says by its needs which library the compiler is for. */
static char *make_probe(const char *compiler, const char *scratch, const char *log)
{
    char *source = xformat("%s/probe.c", scratch), *program = xformat("%s/probe", scratch);
    write_probe(source);
    char **words = words_split(compiler, NULL);
    if (!words || !words[0])
        die("--mpicc '%s' is no command", compiler);
    VEC(char *) command = {0};
    for (char **word = words; *word; word++)
        vec_push(&command, *word);
    vec_push(&command, source);
    vec_push(&command, (char *)"-o");
    vec_push(&command, program);
    vec_push(&command, NULL);
    if (run_silently(command.at, log) != 0)
        die_with_log(xformat("'%s' compiles no MPI program", compiler), log);
    vec_release(&command);
    words_free(words);
    free(source);
    return program;
}

static void make_folders(const char *path)
{
    char *part = xstrdup(path);
    for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(part, 0777);
        *slash = '/';
    }
    if (mkdir(part, 0777) < 0 && errno != EEXIST)
        die("cannot make %s: %s", part, strerror(errno));
    free(part);
}

/* make -C SOURCES B=SCRATCH/build shims, with the compiler of one family and none for the others. */
static void build_shims(const char *compiler, const char *family, const char *scratch, const char *log)
{
    char *sources = find_sources();
    VEC(char *) command = {0};
    vec_push(&command, xstrdup("make"));
    vec_push(&command, xformat("-j%ld", sysconf(_SC_NPROCESSORS_ONLN)));
    vec_push(&command, xstrdup("-C"));
    vec_push(&command, sources);
    vec_push(&command, xformat("B=%s/build", scratch));
    for (int i = 0; mpi_libraries[i]; i++)
        vec_push(&command, xformat("MPICC_%s=%s", mpi_libraries[i]->name, strcmp(mpi_libraries[i]->name, family) ? "" : compiler));
    vec_push(&command, xstrdup("shims"));
    vec_push(&command, NULL);
    unsetenv("MAKEFLAGS");
    if (run_silently(command.at, log) != 0)
        die_with_log("the shim cannot be built, for which gcc, make and python3 are needed", log);
    for (size_t i = 0; i + 1 < command.n; i++)
        free(command.at[i]);
    vec_release(&command);
}

/* Appears when it is complete: a program may be running with the old one. */
static void copy_shim(const char *from, const char *to)
{
    enum { PART = 1 << 16 };
    char *part = xformat("%s.part", to), *bytes = xmalloc(PART);
    FILE *in = fopen(from, "r"), *out = fopen(part, "w");
    size_t n;
    while (in && out && (n = fread(bytes, 1, PART, in)) > 0)
        if (fwrite(bytes, 1, n, out) != n)
            break;
    bool complete = in && out && feof(in) && !ferror(out);
    if (in)
        fclose(in);
    if ((out && fclose(out) != 0) || !complete || rename(part, to) < 0)
        die("cannot write %s: %s", to, strerror(errno));
    free(bytes);
    free(part);
}

static void keep_shims(const char *scratch, const char *family, const char *place)
{
    static const char *const kinds[] = {"", "-clock"};
    make_folders(place);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *from = xformat("%s/build/lib/tourney/libtourney-%s%s.so", scratch, family, kinds[i]);
        char *to = xformat("%s/libtourney-%s%s.so", place, family, kinds[i]);
        copy_shim(from, to);
        free(from);
        free(to);
    }
}

/* A folder that is gone in the end, and compilers with it, whatever becomes of this process. */
static char *open_workshop(struct janitor *janitor)
{
    char *scratch = janitor_name_scratch("tourney-setup"), *number = xformat("%d", (int)getpid());
    char *mark = xformat("%s=%s", MARK, number);
    setenv(MARK, number, 1);
    janitor_start(janitor, mark, scratch, 0, NULL);
    if (mkdir(scratch, 0700) < 0)
        die("cannot make %s: %s", scratch, strerror(errno));
    free(mark);
    free(number);
    return scratch;
}

int command_setup(int argc, char **argv)
{
    struct arguments arguments = arguments_for(COMMAND_SETUP, argc, argv);
    const char *compiler = arguments.mpicc;
    if (!compiler)
        die("setup needs --mpicc COMPILER, that of the MPI library");
    char *folder = shim_folder_name();
    if (!folder)
        die("neither HOME nor XDG_DATA_HOME says where the shim is to be kept");
    struct janitor janitor;
    char *scratch = open_workshop(&janitor);
    char *log = xformat("%s/log", scratch), *probe = make_probe(compiler, scratch, log);
    const char *family = program_mpi(probe);
    char *file = program_mpi_file(probe), *library = file ? realpath(file, NULL) : NULL;
    if (!family || !library || !mpi_library_named(family))
        die("'%s' links programs with no MPI library that tourney knows; the loader must find it (LD_LIBRARY_PATH)", compiler);
    char place[PATH_MAX];
    if (!shim_place(place, sizeof place, folder, library))
        die("%s: the path is too long", library);
    fprintf(stderr, "tourney: building a shim for %s, %s\n", mpi_library_named(family)->title, library);
    build_shims(compiler, family, scratch, log);
    keep_shims(scratch, family, place);
    janitor_dismiss(&janitor, scratch);
    fprintf(stderr, "tourney: programs that use %s are run with the shim in %s\n", library, place);
    free(library);
    free(file);
    free(probe);
    free(log);
    free(scratch);
    free(folder);
    arguments_release(&arguments);
    return 0;
}
