#include "verification/launcher_choice.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "library/library.h"
#include "world/program.h"

/* DIR/NAME, owned by the caller, if it can be started; else NULL. */
static char *startable(const char *dir, size_t length, const char *name)
{
    struct stat file;
    char *full = xformat("%.*s/%s", (int)length, dir, name);
    if (stat(full, &file) == 0 && S_ISREG(file.st_mode) && access(full, X_OK) == 0)
        return full;
    free(full);
    return NULL;
}

static char *find_in_path(const char *name)
{
    const char *path = getenv("PATH");
    char *full = NULL;
    for (const char *dir = path ? path : "/usr/bin:/bin"; *dir && !full;) {
        size_t length = strcspn(dir, ":");
        full = startable(dir, length, name);
        dir += length + (dir[length] == ':');
    }
    return full;
}

/* The last one if there is none: its absence is told when it is started. */
static const char *first_in_path(const char *const *name)
{
    char *full = NULL;
    while (name[1] && !(full = find_in_path(*name)))
        name++;
    free(full);
    return *name;
}

/* Libraries are in "lib" or "lib/MACHINE" of a prefix, launchers in its "bin". */
static char *launcher_near(const char *file, const char *const *name)
{
    static const char *const ways[] = {"../bin", "../../bin"};
    const char *end = strrchr(file, '/');
    char *found = NULL;
    for (size_t i = 0; end && !found && i < sizeof ways / sizeof *ways; i++) {
        char *bin = xformat("%.*s/%s", (int)(end - file), file, ways[i]);
        for (const char *const *one = name; *one && !found; one++)
            found = startable(bin, strlen(bin), *one);
        free(bin);
    }
    return found;
}

/* That which came with a library knows it; that in PATH may be of another one.  Libraries may be links to elsewhere. */
static char *launcher_beside(const char *file, const char *const *name)
{
    char *resolved = realpath(file, NULL), *found = launcher_near(file, name);
    if (!found && resolved)
        found = launcher_near(resolved, name);
    free(resolved);
    return found;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* As short as users write it, if that is the same. */
static char *launcher_word(const struct mpi_library *library, const char *file)
{
    char *beside = file ? launcher_beside(file, library->launcher) : NULL;
    const char *usual = first_in_path(library->launcher);
    char *found = find_in_path(usual);
    char *word = beside && !(found && is_same_file(beside, found)) ? xformat("'%s'", beside) : xstrdup(usual);
    free(found);
    free(beside);
    return word;
}

/* A library of another version is started like the first. */
char *launcher_choose(const char *program)
{
    const char *mpi = program_mpi(program);
    if (!mpi)
        return NULL;
    char *file = program_mpi_file(program);
    const struct mpi_library *library = mpi_library_named(mpi);
    if (file && library && !library->launcher[0])
        library = program_mpi_maker(file);
    if (!library || !library->launcher[0])
        library = mpi_libraries[0];
    char *word = launcher_word(library, file);
    char *line = xformat("%s%s%s", word, library->launcher_words, geteuid() == 0 ? library->launcher_words_of_root : "");
    free(word);
    free(file);
    return line;
}
