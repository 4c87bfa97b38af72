#include "shim/open_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call/kernel_filter.h"

/* One that may not be opened again stays shared. */
static void own(int fd)
{
    struct stat kind;
    off_t at;
    if (fstat(fd, &kind) < 0 || !S_ISREG(kind.st_mode) || (at = lseek(fd, 0, SEEK_CUR)) < 0)
        return;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int anew = (int)syscall(SYS_openat, AT_FDCWD, path, (fcntl(fd, F_GETFL) & ~O_TMPFILE) | O_CLOEXEC, 0, 0, KERNEL_FILTER_OURS);
    if (anew < 0)
        return;
    lseek(anew, at, SEEK_SET);
    syscall(SYS_dup3, anew, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0, 0, 0, KERNEL_FILTER_OURS);
    close(anew);
}

/* Without opendir, which allocates; one that is opened while the folder is read is shut again before its turn. */
void open_files_own(void)
{
    _Alignas(struct dirent64) char entries[2048];
    int kept = errno, folder = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, KERNEL_FILTER_OURS);
    ssize_t size;
    while (folder >= 0 && (size = getdents64(folder, entries, sizeof entries)) > 0)
        for (ssize_t i = 0; i < size;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + i);
            if (entry->d_name[0] != '.')
                own(atoi(entry->d_name));
            i += entry->d_reclen;
        }
    if (folder >= 0)
        close(folder);
    errno = kept;
}
