#include "world/call_path.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

/* Up to the end of a page at a time: what is behind may not be there. */
bool call_path_read(pid_t pid, uint64_t address, char *path)
{
    enum { PAGE = 4096 };
    for (size_t n = 0; n < PATH_MAX;) {
        size_t part = PAGE - (address + n) % PAGE;
        part = part < PATH_MAX - n ? part : PATH_MAX - n;
        struct iovec to = {path + n, part}, from = {(void *)(address + n), part};
        if (process_vm_readv(pid, &to, 1, &from, 1, 0) != (ssize_t)part)
            return false;
        if (memchr(path + n, '\0', part))
            return true;
        n += part;
    }
    return false;
}

void call_path_place(pid_t pid, int folder, const char *name, char path[CALL_PATH_ROOM])
{
    if (*name == '/')
        snprintf(path, CALL_PATH_ROOM, "%s", name);
    else if (folder == AT_FDCWD)
        snprintf(path, CALL_PATH_ROOM, "/proc/%d/cwd/%s", (int)pid, name);
    else
        snprintf(path, CALL_PATH_ROOM, "/proc/%d/fd/%d/%s", (int)pid, folder, name);
}
