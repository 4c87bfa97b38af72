#include "result/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"

static const char name[] = "result.json";
static const char part[] = "result.json.part";
static const char journal[] = "journal";
static const char report[] = "report.html";
static const char trees_name[] = "tree.json";

struct content {
    VEC(char) text;
};

/* -1 with errno. */
static int read_file(int dir, const char *file, struct content *content)
{
    int fd = openat(dir, file, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0) {
        vec_reserve(&content->text, 65536);
        n = read(fd, content->text.at + content->text.n, 65536);
        content->text.n += n > 0 ? (size_t)n : 0;
    }
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return n < 0 ? -1 : 0;
}

static bool holds_result(int dir)
{
    struct content content = {0};
    bool does = read_file(dir, name, &content) == 0 && result_is_one(content.text.at, content.text.n);
    vec_release(&content.text);
    return does;
}

static bool is_empty_dir(int fd)
{
    DIR *dir = fdopendir(openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!dir)
        return false;
    int entries = 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                   strcmp(entry->d_name, part) != 0;
    closedir(dir);
    return entries == 0;
}

/* A tourney that was killed has helpers that hold the lock until they have cleaned up, for a moment. */
static bool lock_dir(int fd)
{
    enum { TRIES = 20 };
    for (int i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return false;
}

static struct result_dir open_locked(const char *path)
{
    struct result_dir dir = {xstrdup(path), open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), NULL};
    if (dir.fd < 0 && errno == ENOTDIR)
        die("%s exists and is not a directory; choose another one for the result with -o", path);
    if (dir.fd < 0)
        die("cannot use the directory %s for the result: %s", path, strerror(errno));
    if (!lock_dir(dir.fd))
        die("%s is in use by another tourney; choose another directory with -o", path);
    dir.lost = xcalloc(1, sizeof *dir.lost);
    return dir;
}

struct run_name {
    char text[32];
};

static struct run_name run_name(uint32_t finding, bool clean)
{
    struct run_name name;
    snprintf(name.text, sizeof name.text, "run-%" PRIu32 "%s.json", finding, clean ? "-clean" : "");
    return name;
}

bool dir_has_run(const struct result_dir *dir, uint32_t finding)
{
    return faccessat(dir->fd, run_name(finding, false).text, F_OK, 0) == 0;
}

/* Of an earlier result. */
static void drop_reports(const struct result_dir *dir)
{
    unlinkat(dir->fd, report, 0);
    unlinkat(dir->fd, trees_name, 0);
    DIR *entries = fdopendir(openat(dir->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!entries)
        return;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        uint32_t finding;
        if (sscanf(entry->d_name, "run-%" SCNu32, &finding) != 1)
            continue;
        if (strcmp(entry->d_name, run_name(finding, false).text) == 0 ||
            strcmp(entry->d_name, run_name(finding, true).text) == 0)
            unlinkat(dir->fd, entry->d_name, 0);
    }
    closedir(entries);
}

struct result_dir dir_take(const char *path)
{
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
        die("cannot make the directory %s for the result: %s", path, strerror(errno));
    struct result_dir dir = open_locked(path);
    if (!holds_result(dir.fd) && !is_empty_dir(dir.fd))
        die("%s exists and is not a result of tourney; choose another directory with -o", path);
    dir_drop_journal(&dir); /* of another search */
    drop_reports(&dir);
    return dir;
}

struct result_dir dir_go_on(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || !holds_result(fd))
        die("%s is no result of tourney, so there is no search to go on with", path);
    close(fd);
    return open_locked(path);
}

bool dir_has_journal(const struct result_dir *dir)
{
    return faccessat(dir->fd, journal, F_OK, 0) == 0;
}

bool dir_can_go_on(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool can = fd >= 0 && faccessat(fd, journal, F_OK, 0) == 0;
    if (fd >= 0)
        close(fd);
    return can;
}

void dir_drop_journal(const struct result_dir *dir)
{
    unlinkat(dir->fd, journal, 0);
}

static int write_and_sync(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        text += n;
        left -= (size_t)n;
    }
    return fsync(fd);
}

/* A file that could not be written is noted, and forgotten when it can. */
static void note_lost(const struct result_dir *dir, const char *file, int error)
{
    struct lost_files *lost = dir->lost;
    for (size_t i = 0; i < lost->name.n; i++)
        if (strcmp(lost->name.at[i], file) == 0) {
            free(lost->name.at[i]);
            lost->name.at[i] = vec_pop(&lost->name);
            break;
        }
    if (error) {
        vec_push(&lost->name, xstrdup(file));
        lost->error = error;
    }
}

char *dir_lost(const struct result_dir *dir)
{
    char *text = NULL;
    for (size_t i = 0; i < dir->lost->name.n; i++) {
        char *more = xformat("%s%s%s", text ? text : "", text ? ", " : "", dir->lost->name.at[i]);
        free(text);
        text = more;
    }
    char *all = text ? xformat("%s: %s", text, strerror(dir->lost->error)) : NULL;
    free(text);
    return all;
}

bool dir_drop_trees(const struct result_dir *dir)
{
    if (unlinkat(dir->fd, trees_name, 0) < 0)
        return false;
    note_lost(dir, trees_name, ENOSPC);
    return true;
}

/* Takes the text. */
static int replace(const struct result_dir *dir, const char *file, char *text)
{
    bool free_place = unlinkat(dir->fd, part, 0) == 0 || errno == ENOENT; /* of a tourney that was killed; no link is followed */
    int fd = free_place ? openat(dir->fd, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    int status = fd < 0 ? -1 : write_and_sync(fd, text);
    int error = errno;
    if (fd >= 0 && close(fd) < 0 && status == 0) {
        status = -1;
        error = errno;
    }
    if (status == 0 && renameat(dir->fd, part, dir->fd, file) < 0) {
        status = -1;
        error = errno;
    }
    if (status < 0 && fd >= 0)
        unlinkat(dir->fd, part, 0);
    free(text);
    note_lost(dir, file, status < 0 ? error : 0);
    errno = error;
    return status;
}

int dir_write(const struct result_dir *dir, const struct result *result)
{
    return replace(dir, name, result_print(result));
}

/* Of what was written earlier: it is not true any more, and its room may be what is missing. */
static bool gives_way(const struct result_dir *dir, const char *file)
{
    return unlinkat(dir->fd, file, 0) == 0;
}

int dir_write_run(const struct result_dir *dir, uint32_t finding, bool clean, const struct run_chart *execution)
{
    struct run_name file = run_name(finding, clean);
    int status = replace(dir, file.text, run_chart_print(execution));
    return status < 0 && gives_way(dir, file.text) ? replace(dir, file.text, run_chart_print(execution)) : status;
}

int dir_write_trees(const struct result_dir *dir, const decision_trees_t *trees)
{
    int status = replace(dir, trees_name, decision_trees_print(trees));
    return status < 0 && gives_way(dir, trees_name) ? replace(dir, trees_name, decision_trees_print(trees)) : status;
}

/* A file of the directory; false: it is not there, or cannot be read. */
static bool read_beside(const char *path, const char *file, struct content *content)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_there = fd >= 0 && read_file(fd, file, content) == 0;
    if (fd >= 0)
        close(fd);
    return is_there;
}

/* Says of which file it is; takes what is wrong with it. */
static char *name_file(const char *path, const char *file, char *wrong)
{
    char *why = xformat("%s/%s: %s", path, file, wrong);
    free(wrong);
    return why;
}

bool dir_read_run(const char *path, uint32_t finding, bool clean, struct run_chart *execution, char **why)
{
    struct content content = {0};
    struct run_name name = run_name(finding, clean);
    char *wrong = NULL;
    bool good = read_beside(path, name.text, &content) &&
                run_chart_parse(execution, content.text.at, content.text.n, &wrong) == 0;
    vec_release(&content.text);
    *why = wrong ? name_file(path, name.text, wrong) : NULL;
    return good;
}

bool dir_read_trees(const char *path, decision_trees_t *trees, char **why)
{
    struct content content = {0};
    char *wrong = NULL;
    bool good = read_beside(path, trees_name, &content) &&
                decision_trees_parse(trees, content.text.at, content.text.n, &wrong) == 0;
    vec_release(&content.text);
    *why = wrong ? name_file(path, trees_name, wrong) : NULL;
    return good;
}

struct result dir_read(const char *path)
{
    struct content content = {0};
    struct result result;
    char *why;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || read_file(fd, name, &content) < 0)
        die("%s: no result of tourney: %s", path, strerror(errno));
    if (result_parse(&result, content.text.at, content.text.n, &why) < 0)
        die("%s/%s: %s", path, name, why);
    vec_release(&content.text);
    close(fd);
    return result;
}

static char *path_in_dir(const char *path, const char *file)
{
    return xformat("%s/%s", path, file);
}

char *dir_result_path(const char *path)
{
    return path_in_dir(path, name);
}

char *dir_report_path(const char *path)
{
    return path_in_dir(path, report);
}

void dir_release(struct result_dir *dir)
{
    free(dir->path);
    for (size_t i = 0; i < dir->lost->name.n; i++)
        free(dir->lost->name.at[i]);
    vec_release(&dir->lost->name);
    free(dir->lost);
    close(dir->fd);
}
