#include "shim/process/open_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/system_call.h"

/* One that may not be opened again stays shared. */
static void own(int fd, const struct stat *kind, void *unused)
{
    (void)unused;
    off_t at;
    if (!(S_ISREG(kind->st_mode) || S_ISDIR(kind->st_mode)) ||
        (at = own_call(SYS_lseek, (long)fd, 0L, (long)SEEK_CUR)) < 0)
        return;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    long flags = (fcntl(fd, F_GETFL) & ~O_TMPFILE) | O_CLOEXEC | (S_ISDIR(kind->st_mode) ? O_DIRECTORY : 0);
    long anew = own_call(SYS_openat, (long)AT_FDCWD, path, flags, 0L);
    if (anew < 0)
        return;
    own_call(SYS_lseek, anew, (long)at, (long)SEEK_SET);
    own_call(SYS_dup3, anew, (long)fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? (long)O_CLOEXEC : 0L);
    own_call(SYS_close, anew);
}

/* Without opendir, which allocates; one that is opened while the folder is read is shut again before its turn. */
void open_files_each(void (*see)(int, const struct stat *, void *), void *data)
{
    _Alignas(struct dirent64) char entries[2048];
    int kept = errno;
    struct stat kind;
    long flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, size;
    long folder = own_call(SYS_openat, (long)AT_FDCWD, "/proc/self/fd", flags, 0L);
    while (folder >= 0 && (size = own_call(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long i = 0; i < size;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + i);
            int fd = entry->d_name[0] == '.' ? (int)folder : atoi(entry->d_name);
            if (fd != folder && fstat(fd, &kind) == 0)
                see(fd, &kind, data);
            i += entry->d_reclen;
        }
    if (folder >= 0)
        own_call(SYS_close, folder);
    errno = kept;
}

void open_files_own(void)
{
    open_files_each(own, NULL);
}
