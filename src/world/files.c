#include "world/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"

/* -1: the file was closed meanwhile, or is none that has a place. */
static long long place_in(int folder, const char *name)
{
    char text[64];
    long long place = -1;
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return sscanf(text, "pos: %lld", &place) == 1 ? place : -1;
}

int files_sum(pid_t pid, struct map_key *sum)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/fdinfo", (int)pid);
    DIR *folder = opendir(path);
    if (!folder)
        return -1;
    *sum = (struct map_key){0};
    for (const struct dirent *entry; (entry = readdir(folder));) {
        long long place = entry->d_name[0] == '.' ? 0 : place_in(dirfd(folder), entry->d_name);
        if (place <= 0)
            continue;
        struct map_key part = HASH_START;
        hash_stir(&part, strtoull(entry->d_name, NULL, 10));
        hash_stir(&part, (uint64_t)place);
        hash_add(sum, part);
    }
    closedir(folder);
    return 0;
}
