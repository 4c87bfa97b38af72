#include "world/kept_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/file_store.h"

char *kept_files_folder(const char *scratch)
{
    char *folder = xformat("%s/" FILE_BASE_FOLDER, scratch);
    if (mkdir(folder, 0700) < 0)
        die("cannot make a directory in %s: %s", scratch, strerror(errno));
    return folder;
}

static bool read_kept_record(const char *name, struct file_base_record *record)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    bool whole = fd >= 0 && read(fd, record, sizeof *record) == (ssize_t)sizeof *record && memchr(record->path, 0, sizeof record->path);
    if (fd >= 0)
        close(fd);
    return whole;
}

static bool copy_file(int from, int to)
{
    char bytes[1 << 16];
    ssize_t n;
    while ((n = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)n) != n)
            return false;
    return n == 0;
}

static void put_bytes_back(const char *kept, const struct file_base_record *record)
{
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, record->changed};
    int from = open(kept, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : open(record->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool done = to >= 0 && copy_file(from, to) && ftruncate(to, (off_t)record->size) == 0;
    if (done)
        futimens(to, times);
    else
        fprintf(stderr, "tourney: %s cannot be put back as it was: %s\n", record->path, strerror(errno));
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

static void put_back(const char *folder, const char *name)
{
    struct file_base_record record;
    struct stat now;
    char *path = xformat("%s/%s", folder, name), *kept = xformat("%s" FILE_BASE_SNAPSHOT, path);
    if (!strchr(name, '.') && read_kept_record(path, &record)) {
        bool ours = stat(record.path, &now) == 0 && now.st_mtim.tv_nsec == FILE_BASE_MARK;
        if (ours && record.existed)
            put_bytes_back(kept, &record);
        else if (ours)
            unlink(record.path);
    }
    free(path);
    free(kept);
}

void kept_files_put_back(const char *folder)
{
    DIR *all = opendir(folder);
    if (!all)
        return;
    for (struct dirent *one; (one = readdir(all));)
        put_back(folder, one->d_name);
    closedir(all);
}
