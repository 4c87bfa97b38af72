#include "world/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

/* What the kernel says of one descriptor, in lines such as "flags: 0100000".  -1: it does not, or has too much to say. */
static int describe_descriptor(int folder, const char *name, struct map_key *sum)
{
    char text[4096];
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    if (n < 0 || n == sizeof text)
        return -1;
    *sum = (struct map_key){hash_bytes(1, text, (size_t)n), hash_bytes(2, text, (size_t)n)};
    hash_stir(sum, strtoull(name, NULL, 10));
    return 0;
}

static ssize_t read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n;
}

int files_count_reads(pid_t pid, uint64_t *reads)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    if (read_text(path, text, sizeof text) < 0)
        return -1;
    const char *count = strstr(text, "syscr: ");
    return count && sscanf(count, "syscr: %" SCNu64, reads) == 1 ? 0 : -1;
}

int files_sum(pid_t pid, struct map_key *sum)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/fdinfo", (int)pid);
    DIR *folder = opendir(path);
    int result = 0;
    if (!folder)
        return -1;
    *sum = (struct map_key){0};
    for (const struct dirent *entry; (entry = readdir(folder));) {
        struct map_key part;
        if (entry->d_name[0] == '.')
            continue;
        if ((result = describe_descriptor(dirfd(folder), entry->d_name, &part)) < 0)
            break;
        hash_add(sum, part);
    }
    closedir(folder);
    return result;
}
