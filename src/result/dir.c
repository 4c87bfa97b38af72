#include "result/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"

static const char name[] = "result.json";
static const char part[] = "result.json.part";
static const char journal[] = "journal";

struct content {
    VEC(char) text;
};

/* -1 with errno. */
static int read_file(int dir, struct content *content)
{
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
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
    bool does = read_file(dir, &content) == 0 && result_is_one(content.text.at, content.text.n);
    vec_release(&content.text);
    return does;
}

static bool is_empty(int fd)
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
static bool lock(int fd)
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
    struct result_dir dir = {xstrdup(path), open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (dir.fd < 0 && errno == ENOTDIR)
        die("%s exists and is not a directory; choose another one for the result with -o", path);
    if (dir.fd < 0)
        die("cannot use the directory %s for the result: %s", path, strerror(errno));
    if (!lock(dir.fd))
        die("%s is in use by another tourney; choose another directory with -o", path);
    return dir;
}

struct result_dir dir_take(const char *path)
{
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
        die("cannot make the directory %s for the result: %s", path, strerror(errno));
    struct result_dir dir = open_locked(path);
    if (!holds_result(dir.fd) && !is_empty(dir.fd))
        die("%s exists and is not a result of tourney; choose another directory with -o", path);
    dir_drop_journal(&dir); /* of another search */
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

void dir_drop_journal(const struct result_dir *dir)
{
    unlinkat(dir->fd, journal, 0);
}

static int write_all(int fd, const char *text)
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

int dir_write(const struct result_dir *dir, const struct result *result)
{
    char *text = result_print(result);
    int fd = openat(dir->fd, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int status = fd < 0 ? -1 : write_all(fd, text);
    int error = errno;
    if (fd >= 0 && close(fd) < 0 && status == 0) {
        status = -1;
        error = errno;
    }
    if (status == 0 && renameat(dir->fd, part, dir->fd, name) < 0) {
        status = -1;
        error = errno;
    }
    if (status < 0 && fd >= 0)
        unlinkat(dir->fd, part, 0);
    free(text);
    errno = error;
    return status;
}

struct result dir_read(const char *path)
{
    struct content content = {0};
    struct result result;
    char *why;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || read_file(fd, &content) < 0)
        die("%s: no result of tourney: %s", path, strerror(errno));
    if (result_parse(&result, content.text.at, content.text.n, &why) < 0)
        die("%s/%s: %s", path, name, why);
    vec_release(&content.text);
    close(fd);
    return result;
}

void dir_release(struct result_dir *dir)
{
    free(dir->path);
    close(dir->fd);
}
