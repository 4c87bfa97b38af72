/*
 * doctor -- what tourney finds on this machine: MPI libraries, its own, what the kernel lets it do; and what to do about it.
 *
 * Each line begins with "ok" or with what is lacking; exit code 1 if something is without which nothing works.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "command/command.h"
#include "library/library.h"
#include "options/arguments.h"
#include "world/image.h"
#include "world/machine_limits.h"
#include "world/preload.h"
#include "world/shim_folder.h"

static void tell_line(bool good, const char *subject, const char *text)
{
    printf("%-4s %-22s %s\n", good ? "ok" : "--", subject, text);
}

/* ---- MPI libraries ---- */

/* In a process of its own: libraries do things when they are loaded.  Never returns. */
static _Noreturn void say_what_library_it_is(const char *file)
{
    char version[8192] = "";
    int length = 0, (*ask)(char *, int *);
    void *library = dlopen(file, RTLD_LAZY);
    if (!library)
        _exit(1);
    *(void **)&ask = dlsym(library, "MPI_Get_library_version");
    Dl_info info = {0};
    if (!ask || ask(version, &length) != 0 || !dladdr((void *)ask, &info))
        _exit(1);
    version[strcspn(version, "\n,")] = 0;
    for (char *at = version; *at; at++)
        if (*at == '\t')
            *at = ' ';
    printf("%s, %s", version, info.dli_fname);
    fflush(stdout);
    _exit(0);
}

/* What it says of itself, owned by the caller; NULL: it is not there. */
static char *describe_library(const char *file)
{
    int out[2];
    char text[4096];
    if (pipe(out) < 0)
        return NULL;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        say_what_library_it_is(file);
    }
    close(out[1]);
    size_t n = 0;
    ssize_t got;
    while (n < sizeof text - 1 && (got = read(out[0], text + n, sizeof text - 1 - n)) > 0)
        n += (size_t)got;
    close(out[0]);
    text[n] = 0;
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return n ? xstrdup(text) : NULL;
}

static bool has_shim(const char *folder, const char *name)
{
    char *path = xformat("%s/libtourney-%s.so", folder, name), *clock = xformat("%s/libtourney-%s-clock.so", folder, name);
    bool has = access(path, R_OK) == 0 && access(clock, R_OK) == 0;
    free(path);
    free(clock);
    return has;
}

/* Whether programs that use it can be run.  The standard's interface is for those who have it; nobody need know that they have it not. */
static bool tell_library(const struct mpi_library *library, const char *folder)
{
    char *found = NULL;
    for (int i = 0; !found && library->file[i]; i++)
        found = describe_library(library->file[i]);
    bool shim = has_shim(folder, library->name);
    if (!found && !library->symbol)
        return false;
    char *text = xformat("%s%s", found ? found : "not where the loader looks; programs may bring it all the same",
                         shim ? "" : "; tourney was built without a shim for it: make MPICC_...=");
    tell_line(found && shim, library->title, text);
    free(text);
    free(found);
    return shim;
}

/* Those that `tourney setup` has made; % is for a slash. */
static void tell_own_shims(void)
{
    char *folder = shim_folder_name();
    DIR *all = folder ? opendir(folder) : NULL;
    char *where = xformat("shims that are made for other libraries are kept in %s", folder ? folder : "no place: HOME is not set");
    tell_line(folder, "setup", where);
    free(where);
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        if (*entry->d_name != '%')
            continue;
        char *path = xstrdup(entry->d_name);
        for (char *at = path; *at; at++)
            *at = *at == '%' ? '/' : *at;
        bool there = access(path, R_OK) == 0;
        char *text = xformat("%s has a shim of its own%s", path, there ? "" : ", but is not there any more");
        tell_line(there, "setup", text);
        free(text);
        free(path);
    }
    if (all)
        closedir(all);
    free(folder);
}

static bool tell_libraries(const char *folder)
{
    bool some = false;
    tell_own_shims();
    for (int i = 0; mpi_libraries[i]; i++)
        some |= tell_library(mpi_libraries[i], folder);
    return some;
}

/* ---- the kernel ---- */

static bool tell_memory_files(void)
{
    int fd = memfd_create("tourney", MFD_CLOEXEC);
    tell_line(fd >= 0, "memfd", fd >= 0 ? "memory is shared with ranks" : "memfd_create is forbidden: nothing works without it");
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void tell_images(void)
{
    bool knows = image_knows_sparse_memory();
    tell_line(knows, "page maps",
              knows ? "states of ranks are compared, also of those with large and nearly empty memory"
                    : "before Linux 6.7: states of ranks with very large and nearly empty memory, as with sanitizers, are not merged");
}

static int read_setting(const char *path, int otherwise)
{
    FILE *file = fopen(path, "r");
    int number = otherwise;
    if (file && fscanf(file, "%d", &number) != 1)
        number = otherwise;
    if (file)
        fclose(file);
    return number;
}

/* Reading the memory of a child, as tourney reads that of ranks. */
static bool can_read_a_child(void)
{
    static const char here[] = "here";
    char there[sizeof here] = "";
    int hold[2];
    if (pipe(hold) < 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        close(hold[1]);
        char end;
        _exit(read(hold[0], &end, 1) < 0);
    }
    struct iovec to = {there, sizeof there}, from = {(void *)here, sizeof here};
    bool can = pid > 0 && process_vm_readv(pid, &to, 1, &from, 1, 0) == (ssize_t)sizeof here;
    close(hold[0]);
    close(hold[1]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return can;
}

static void tell_reading(void)
{
    int scope = read_setting("/proc/sys/kernel/yama/ptrace_scope", 0);
    bool can = can_read_a_child();
    char *text = can ? xformat("memory of ranks can be read (ptrace_scope %d)", scope)
                     : xformat("memory of ranks cannot be read: nothing is merged, and hangs have no stack (ptrace_scope "
                               "%d; in a container: --cap-add=SYS_PTRACE)", scope);
    tell_line(can, "ptrace", text);
    free(text);
}

static void tell_watching(void)
{
    bool watches = machine_watches_accesses();
    tell_line(watches, "single steps",
              watches ? "buffers that are used too early are seen access by access"
                      : "not on this machine: buffers that are written too early are seen by the sum of their bytes, "
                        "those that are read too early are not; --engine=paths is refused");
}

static void tell_shared_memory(void)
{
    struct statvfs disk;
    if (statvfs("/dev/shm", &disk) < 0) {
        tell_line(false, "/dev/shm", "is not there; jobs of tourney dist on one node need it");
        return;
    }
    uint64_t megabytes = (uint64_t)disk.f_bavail * disk.f_frsize >> 20;
    enum { ENOUGH = 256 };
    char *text = xformat("%" PRIu64 " MB free%s", megabytes,
                         megabytes < ENOUGH ? "; jobs of tourney dist may need more (in a container: --shm-size=1g)" : "");
    tell_line(megabytes >= ENOUGH, "/dev/shm", text);
    free(text);
}

int command_doctor(int argc, char **argv)
{
    struct arguments arguments = arguments_for(COMMAND_DOCTOR, argc, argv);
    struct utsname system;
    char *gate = preload_find();
    *strrchr(gate, '/') = 0;
    tell_line(true, "tourney", gate);
    bool works = tell_libraries(gate);
    if (uname(&system) == 0)
        tell_line(true, system.sysname, system.release);
    works &= tell_memory_files();
    tell_images();
    tell_reading();
    tell_watching();
    tell_shared_memory();
    free(gate);
    arguments_release(&arguments);
    return works ? 0 : 1;
}
