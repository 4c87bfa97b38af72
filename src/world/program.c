#include "world/program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
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

static bool defines(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *wanted)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

/* Calls that the program resolved when it was linked cannot be taken over. */
static bool contains_mpi(Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
            defines(elf, section, &header, "PMPI_Init"))
            return true;
    }
    return false;
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

static void check_elf(const char *path, Elf *elf)
{
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
static bool with_elf(const char *path, void (*check)(const char *, Elf *))
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    bool is_elf = elf && elf_kind(elf) == ELF_K_ELF;
    if (is_elf && check)
        check(path, elf);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return is_elf;
}

char *program_find(const char *name)
{
    char *path = search_path(name);
    check_file(path);
    with_elf(path, check_elf);
    return path;
}

static bool has_one_of(const char *line, const char *const *name)
{
    while (*name && !strstr(line, *name))
        name++;
    return *name;
}

static const char *mpi_in(const char *line)
{
    for (int i = 0; mpi_libraries[i]; i++)
        if (has_one_of(line, mpi_libraries[i]->file))
            return mpi_libraries[i]->name;
    for (int i = 0; mpi_libraries[i]; i++)
        if (has_one_of(line, mpi_libraries[i]->any_version))
            return "other";
    return NULL;
}

static _Noreturn void trace_loading(const char *path, int out)
{
    dup2(out, 1);
    setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
    unsetenv("LD_PRELOAD");
    execl(path, path, (char *)NULL);
    _exit(127);
}

/* The loader says what it would load, libraries of libraries too, without running the program. */
const char *program_mpi(const char *path)
{
    int out[2];
    char line[4096];
    const char *found = NULL;
    if (!with_elf(path, NULL) || pipe2(out, O_CLOEXEC) < 0)
        return NULL;
    pid_t pid = fork();
    if (pid == 0)
        trace_loading(path, out[1]);
    close(out[1]);
    FILE *lines = fdopen(out[0], "r");
    while (pid > 0 && lines && !found && fgets(line, sizeof line, lines))
        found = mpi_in(line);
    if (lines)
        fclose(lines);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return found;
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
