#include "world/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/hash.h"

static const char ours[] = "/memfd:tourney (deleted)";

/*
 * Since Linux 6.11 single mappings can be asked for, which spares the kernel to write, and us to
 * read, the names of a hundred libraries.  This is PROCMAP_QUERY of <linux/fs.h>, which may be older.
 */
struct query {
    uint64_t size, flags, address;
    uint64_t start, end, is, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
};
#define QUERY _IOWR('f', 17, struct query)
enum { WRITABLE = 2, SHARED = 8, THIS_OR_NEXT = 16 };

static int query_map(int fd, struct query *query, uint64_t address)
{
    *query = (struct query){.size = sizeof *query, .flags = WRITABLE | THIS_OR_NEXT, .address = address};
    return ioctl(fd, QUERY, query);
}

static bool is_own_mapping(int fd, uint64_t address)
{
    char name[sizeof ours];
    struct query query = {.size = sizeof query,
                          .flags = WRITABLE | THIS_OR_NEXT,
                          .address = address,
                          .name = (uintptr_t)name,
                          .name_size = sizeof name};
    return ioctl(fd, QUERY, &query) == 0 && strcmp(name, ours) == 0; /* a longer name does not fit: an error */
}

static int read_by_query(struct maps *maps, int fd)
{
    struct query query;
    for (uint64_t at = 0; query_map(fd, &query, at) == 0; at = query.end) {
        if (!(query.is & SHARED))
            vec_push(&maps->of, (struct mapping){query.start, query.end, query.inode != 0});
        else if (!is_own_mapping(fd, query.start))
            return -1;
    }
    return errno == ENOENT ? 0 : -1;
}

static int open_maps(pid_t pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

int maps_read_text(struct maps *maps, pid_t pid)
{
    int fd = open_maps(pid), result = -1;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char line[512], name[128];
    vec_clear(&maps->of);
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file)) {
        struct mapping m;
        char mode[5];
        unsigned long inode;
        *name = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*s %lu %127[^\n]", &m.start, &m.end, mode, &inode, name) < 4)
            continue; /* the rest of a long name */
        m.file = inode != 0;
        if (mode[1] != 'w')
            continue;
        if (mode[3] == 'p')
            vec_push(&maps->of, m);
        else if (strcmp(name, ours) != 0)
            goto out;
    }
    result = ferror(file) || maps->of.n == 0 ? -1 : 0;
out:
    fclose(file);
    return result;
}

int maps_read(struct maps *maps, pid_t pid)
{
    int fd = open_maps(pid);
    vec_clear(&maps->of);
    if (fd < 0)
        return -1;
    int result = read_by_query(maps, fd);
    bool unknown = errno == ENOTTY;
    close(fd);
    return result < 0 && unknown ? maps_read_text(maps, pid) : result;
}

int maps_sum(pid_t pid, struct map_key *sum)
{
    int fd = open_maps(pid);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    char line[512];
    if (!file)
        return -1;
    *sum = HASH_START;
    while (fgets(line, sizeof line, file))
        if (!strstr(line, "[stack]") && !strstr(line, ours))
            hash_stir(sum, hash_bytes(1, line, strlen(line)));
    int result = ferror(file) ? -1 : 0;
    fclose(file);
    return result;
}

void maps_release(struct maps *maps)
{
    vec_release(&maps->of);
}
