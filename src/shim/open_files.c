#include "shim/open_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One that may not be opened again stays shared. */
static void own(int fd, const struct stat *kind, void *unused)
{
    (void)unused;
    off_t at;
    if (!(S_ISREG(kind->st_mode) || S_ISDIR(kind->st_mode)) || (at = lseek(fd, 0, SEEK_CUR)) < 0)
        return;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int anew = open(path, (fcntl(fd, F_GETFL) & ~O_TMPFILE) | O_CLOEXEC | (S_ISDIR(kind->st_mode) ? O_DIRECTORY : 0));
    if (anew < 0)
        return;
    lseek(anew, at, SEEK_SET);
    dup3(anew, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
    close(anew);
}

/* Without opendir, which allocates; one that is opened while the folder is read is shut again before its turn. */
void open_files_each(void (*see)(int, const struct stat *, void *), void *data)
{
    _Alignas(struct dirent64) char entries[2048];
    int kept = errno, folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat kind;
    ssize_t size;
    while (folder >= 0 && (size = getdents64(folder, entries, sizeof entries)) > 0)
        for (ssize_t i = 0; i < size;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + i);
            int fd = entry->d_name[0] == '.' ? folder : atoi(entry->d_name);
            if (fd != folder && fstat(fd, &kind) == 0)
                see(fd, &kind, data);
            i += entry->d_reclen;
        }
    if (folder >= 0)
        close(folder);
    errno = kept;
}

void open_files_own(void)
{
    open_files_each(own, NULL);
}
