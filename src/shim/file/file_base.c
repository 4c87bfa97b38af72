#include "shim/file/file_base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/shim.h"

static bool name_of_base(char name[PATH_MAX], const char *path, const char *end)
{
    const char *folder = getenv(FILE_BASE_ENV);
    return folder && snprintf(name, PATH_MAX, "%s/%016llx%s", folder, (unsigned long long)file_sum_of_path(path), end) < PATH_MAX;
}

static bool read_base_record(const char *path, struct file_base_record *record)
{
    char name[PATH_MAX];
    int fd = name_of_base(name, path, "") ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    bool whole = fd >= 0 && read(fd, record, sizeof *record) == (ssize_t)sizeof *record;
    if (fd >= 0)
        close(fd);
    return whole;
}

static void write_base_record(const char *path, const struct file_base_record *record)
{
    char name[PATH_MAX];
    int fd = name_of_base(name, path, "") ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    if (write(fd, record, sizeof *record) != (ssize_t)sizeof *record)
        unlink(name); /* as if there were none */
    close(fd);
}

/* In pieces whose bytes tourney compares (world/kernel_effect.h); false: not all of it could be copied. */
static bool copy_bytes(int from, int to)
{
    enum { AT_A_TIME = 1 << 15 };
    char *bytes = shim_alloc(AT_A_TIME);
    ssize_t n;
    while ((n = read(from, bytes, AT_A_TIME)) > 0)
        if (write(to, bytes, (size_t)n) != n)
            break;
    free(bytes);
    return n == 0;
}

static bool keep_bytes(const char *path)
{
    char name[PATH_MAX];
    int from = open(path, O_RDONLY | O_CLOEXEC), to = -1;
    if (from >= 0 && name_of_base(name, path, FILE_BASE_SNAPSHOT))
        to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool kept = to >= 0 && copy_bytes(from, to);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return kept;
}

static bool is_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* What is on the disk is what it was before the search, or what MPI calls have made of it. */
static bool is_of_search(const struct file_base_record *record, bool there, const struct stat *now)
{
    if (!there)
        return !record->existed;
    return now->st_mtim.tv_nsec == FILE_BASE_MARK || (record->existed && is_time(&now->st_mtim, &record->changed));
}

bool file_base_keep(const char *path)
{
    struct file_base_record record = {0};
    struct stat now;
    bool known = read_base_record(path, &record), there = stat(path, &now) == 0;
    if (known && is_of_search(&record, there, &now))
        return false;
    if ((there && !S_ISREG(now.st_mode)) || (!there && errno != ENOENT))
        return false;
    record = (struct file_base_record){.existed = there, .size = there ? (uint64_t)now.st_size : 0};
    if (there)
        record.changed = now.st_mtim;
    snprintf(record.path, sizeof record.path, "%s", path);
    if (!there || keep_bytes(path))
        write_base_record(path, &record);
    return known;
}

void file_base_mark(const char *path)
{
    struct file_base_record record;
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = FILE_BASE_MARK}};
    times[1].tv_sec = time(NULL);
    if (read_base_record(path, &record))
        (void)utimensat(AT_FDCWD, path, times, 0); /* if it fails, it is taken for the program's own change: what is there counts */
}

bool file_base_find(const char *path, struct file_base_record *record)
{
    return read_base_record(path, record);
}

void file_base_read(const char *path, void *to, uint64_t at, uint64_t bytes)
{
    char name[PATH_MAX];
    int fd = name_of_base(name, path, FILE_BASE_SNAPSHOT) ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    uint64_t done = 0;
    ssize_t n = fd < 0 ? 0 : 1;
    while (done < bytes && n > 0) {
        n = pread(fd, (char *)to + done, bytes - done, (off_t)(at + done));
        done += n > 0 ? (uint64_t)n : 0;
    }
    memset((char *)to + done, 0, bytes - done);
    if (fd >= 0)
        close(fd);
}
