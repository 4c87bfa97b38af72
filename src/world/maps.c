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

/* One line of the text of all mappings: from where to where, and all that is said of it behind that. */
struct map_line {
    uint64_t start, end;
    char rest[512];
};

/*
 * Memory without a file that lies side by side and may be used for the same is one mapping or several, as the kernel likes: of those that were
 * there before a process was copied, and those that came later, it makes no single one.
 */
static bool goes_on(const struct map_line *line, const struct map_line *next)
{
    char mode[5], end = 0;
    unsigned long inode;
    return line->end == next->start && strcmp(line->rest, next->rest) == 0 &&
           sscanf(line->rest, " %4s %*x %*s %lu %c", mode, &inode, &end) == 2 && inode == 0;
}

static void stir_map_line(struct map_key *sum, const struct map_line *line)
{
    if (!line->end)
        return;
    hash_stir(sum, line->start);
    hash_stir(sum, line->end);
    hash_stir(sum, hash_bytes(1, line->rest, strlen(line->rest)));
}

/* False: it is of no account. */
static bool read_map_line(const char *text, struct map_line *line)
{
    int length = 0;
    if (strstr(text, "[stack]") || strstr(text, ours) ||
        sscanf(text, "%" SCNx64 "-%" SCNx64 "%n", &line->start, &line->end, &length) < 2)
        return false;
    snprintf(line->rest, sizeof line->rest, "%s", text + length);
    return true;
}

int maps_sum(pid_t pid, struct map_key *sum)
{
    int fd = open_maps(pid);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    struct map_line line = {0}, next;
    char text[512];
    if (!file)
        return -1;
    *sum = HASH_START;
    while (fgets(text, sizeof text, file)) {
        if (!read_map_line(text, &next))
            continue;
        if (goes_on(&line, &next)) {
            line.end = next.end;
            continue;
        }
        stir_map_line(sum, &line);
        line = next;
    }
    stir_map_line(sum, &line);
    int result = ferror(file) ? -1 : 0;
    fclose(file);
    return result;
}

void maps_release(struct maps *maps)
{
    vec_release(&maps->of);
}
