#include "world/program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/machine.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/mem.h"
#include "library/library.h"

static bool is_program_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

/* As execvp looks for it. */
static char *search_path(const char *name)
{
    if (strchr(name, '/'))
        return xstrdup(name);
    const char *path = getenv("PATH");
    for (const char *dir = path ? path : "/usr/bin:/bin"; *dir;) {
        size_t length = strcspn(dir, ":");
        char *full = xformat("%.*s/%s", (int)(length ? length : 1), length ? dir : ".", name);
        if (is_program_file(full) && access(full, X_OK) == 0)
            return full;
        free(full);
        dir += length + (dir[length] == ':');
    }
    if (is_program_file(name))
        die("%s: not found in PATH; for the one in this directory write ./%s", name, name);
    die("%s: no such program", name);
}

/* A name, or how it begins. */
struct wanted_symbol {
    const char *name;
    bool is_beginning;
};

static bool is_wanted_symbol(const char *name, struct wanted_symbol wanted)
{
    return wanted.is_beginning ? strncmp(name, wanted.name, strlen(wanted.name)) == 0 : strcmp(name, wanted.name) == 0;
}

static bool defines(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct wanted_symbol wanted)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && is_wanted_symbol(name, wanted))
            return true;
    }
    return false;
}

static bool is_defined_anywhere(Elf *elf, uint32_t type, struct wanted_symbol wanted)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == type && defines(elf, section, &header, wanted))
            return true;
    }
    return false;
}

static bool exports(Elf *elf, const char *name)
{
    return is_defined_anywhere(elf, SHT_DYNSYM, (struct wanted_symbol){name, false});
}

/* Calls that the program resolved when it was linked cannot be taken over. */
static bool contains_mpi(Elf *elf)
{
    return is_defined_anywhere(elf, SHT_SYMTAB, (struct wanted_symbol){"PMPI_Init", false}) || exports(elf, "PMPI_Init");
}

static bool has_interpreter(Elf *elf)
{
    size_t n = 0;
    elf_getphdrnum(elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(elf, i, &segment) && segment.p_type == PT_INTERP)
            return true;
    }
    return false;
}

static void check_elf(const char *path, Elf *elf, void *unused)
{
    (void)unused;
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header) || header.e_machine != MACHINE_OF_ELF)
        die("%s: not a program for this machine (" MACHINE_NAME ")", path);
    if (contains_mpi(elf))
        die("%s: MPI is linked statically; link it with the shared MPI library (without -static)", path);
    if (!has_interpreter(elf))
        die("%s: linked statically; tourney needs a dynamically linked program (without -static)", path);
}

static void check_file(const char *path)
{
    struct stat s;
    if (stat(path, &s) < 0)
        die("%s: %s", path, errno == ENOENT ? "no such program" : strerror(errno));
    if (S_ISDIR(s.st_mode))
        die("%s: a directory, not a program", path);
    if (access(path, X_OK) < 0)
        die("%s: not executable (chmod +x?)", path);
    if (s.st_mode & (S_ISUID | S_ISGID))
        die("%s: set-user-id programs do not load tourney's library", path);
}

/* Runs `check`, if there is one, on a file that is an ELF object.  False: it is not (a script, say). */
static bool with_elf(const char *path, void (*check)(const char *, Elf *, void *), void *data)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    bool is_elf = elf && elf_kind(elf) == ELF_K_ELF;
    if (is_elf && check)
        check(path, elf, data);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return is_elf;
}

char *program_find(const char *name)
{
    char *path = search_path(name);
    check_file(path);
    with_elf(path, check_elf, NULL);
    return path;
}

static const char *needed_library(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *const *beginning)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Dyn entry;
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
        const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header->sh_link, entry.d_un.d_val) : NULL;
        for (const char *const *it = beginning; name && *it; it++)
            if (strncmp(name, *it, strlen(*it)) == 0)
                return name;
    }
    return NULL;
}

static void tell_thread_sanitizer(const char *path, Elf *elf, void *found)
{
    static const char *const of_gcc_and_clang[] = {"libtsan.so", "libclang_rt.tsan", NULL};
    GElf_Shdr header;
    if (exports(elf, "__tsan_init"))
        die("%s: the library of -fsanitize=thread is a part of it and does not run under tourney: compile it with gcc", path);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        bool dynamic = gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC;
        const char *name = dynamic ? needed_library(elf, section, &header, of_gcc_and_clang) : NULL;
        if (name)
            *(char **)found = xstrdup(name);
    }
}

char *program_thread_sanitizer(const char *path)
{
    char *name = NULL;
    with_elf(path, tell_thread_sanitizer, &name);
    return name;
}

static bool has_one_of(const char *line, const char *const *name)
{
    while (*name && !strstr(line, *name))
        name++;
    return *name;
}

static void tell_family(const char *path, Elf *elf, void *family)
{
    (void)path;
    for (int i = 0; mpi_libraries[i]; i++)
        if (mpi_libraries[i]->symbol && exports(elf, "PMPI_Init") && exports(elf, mpi_libraries[i]->symbol))
            *(const char **)family = mpi_libraries[i]->name;
}

static void tell_maker(const char *path, Elf *elf, void *maker)
{
    (void)path;
    for (int i = 0; mpi_libraries[i]; i++)
        if (mpi_libraries[i]->inner &&
            is_defined_anywhere(elf, SHT_DYNSYM, (struct wanted_symbol){mpi_libraries[i]->inner, true}))
            *(const struct mpi_library **)maker = mpi_libraries[i];
}

const struct mpi_library *program_mpi_maker(const char *file)
{
    const struct mpi_library *maker = NULL;
    with_elf(file, tell_maker, &maker);
    return maker;
}

/* A line is "NAME => PATH (ADDRESS)". */
static bool file_in(const char *line, char path[PATH_MAX])
{
    const char *arrow = strstr(line, "=> ");
    size_t length = arrow ? strcspn(arrow + 3, "(\n") : 0;
    while (length > 0 && arrow[3 + length - 1] == ' ')
        length--;
    if (length == 0 || length >= PATH_MAX)
        return false;
    snprintf(path, PATH_MAX, "%.*s", (int)length, arrow + 3);
    return true;
}

static const char *family_in(const char *line)
{
    const char *family = NULL;
    char path[PATH_MAX];
    if (file_in(line, path) && mpi_library_may_be(path))
        with_elf(path, tell_family, &family);
    return family;
}

static const char *mpi_in(const char *line)
{
    for (int i = 0; mpi_libraries[i]; i++)
        if (has_one_of(line, mpi_libraries[i]->file))
            return mpi_libraries[i]->name;
    const char *family = family_in(line);
    for (int i = 0; !family && mpi_libraries[i]; i++)
        if (has_one_of(line, mpi_libraries[i]->any_version))
            family = "other";
    return family;
}

static _Noreturn void trace_loading(const char *path, int out)
{
    dup2(out, 1);
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    unsetenv("LD_PRELOAD");
    execl(path, path, (char *)NULL);
    _exit(127);
}

/* All that comes, with a zero behind it; owned by the caller.  Ranks end whenever they like, and their SIGCHLD interrupts a read that waits. */
static char *read_to_end(int fd)
{
    enum { AT_ONCE = 4096 };
    VEC(char) text = {0};
    ssize_t n;
    do {
        vec_reserve(&text, AT_ONCE);
        n = read(fd, text.at + text.n, AT_ONCE);
        text.n += n > 0 ? (size_t)n : 0;
    } while (n > 0 || (n < 0 && errno == EINTR));
    vec_push(&text, 0);
    return text.at;
}

/* The loader says what it would load, libraries of libraries too, without running the program.  Owned by the caller; NULL: it cannot be asked. */
static char *lines_of_loader(const char *path)
{
    int out[2];
    if (!with_elf(path, NULL, NULL) || pipe2(out, O_CLOEXEC) < 0)
        return NULL;
    pid_t pid = fork();
    if (pid == 0)
        trace_loading(path, out[1]);
    close(out[1]);
    char *lines = read_to_end(out[0]);
    close(out[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return lines;
}

static const char *find_mpi(const char *path, char file[PATH_MAX])
{
    const char *found = NULL;
    char *lines = lines_of_loader(path), *rest = lines;
    *file = 0;
    for (char *line; !found && rest && (line = strsep(&rest, "\n"));) {
        found = mpi_in(line);
        if (found && !file_in(line, file))
            *file = 0;
    }
    free(lines);
    return found;
}

const char *program_mpi(const char *path)
{
    char file[PATH_MAX];
    return find_mpi(path, file);
}

char *program_mpi_file(const char *path)
{
    char file[PATH_MAX];
    return find_mpi(path, file) && *file ? xstrdup(file) : NULL;
}

char *program_digest(const char *path)
{
    enum { PART = 1 << 16 };
    uint64_t sums[2] = {0x243f6a8885a308d3, 0x13198a2e03707344};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *part = xmalloc(PART), *digest = NULL;
    ssize_t n = -1;
    while (fd >= 0 && (n = read(fd, part, PART)) > 0)
        for (int i = 0; i < 2; i++)
            sums[i] = hash_bytes(sums[i], part, (size_t)n);
    if (n == 0)
        digest = xformat("%016" PRIx64 "%016" PRIx64, sums[0], sums[1]);
    if (fd >= 0)
        close(fd);
    free(part);
    return digest;
}

bool program_lacks_mpi(const char *name)
{
    char *path = program_find(name);
    bool none = !program_mpi(path);
    if (none)
        fprintf(stderr, "tourney: %s: no rank called MPI_Init; is it an MPI program?\n", name);
    free(path);
    return none;
}
