#include "shim/stage.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call/causal.h"
#include "call/wire.h"

static struct stage *map_at(const char *path, uint64_t offset)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *stage = mmap(NULL, sizeof(struct stage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    close(fd);
    return stage == MAP_FAILED ? NULL : stage;
}

struct stage *stage_map(void)
{
    const char *world = getenv(WIRE_ENV), *held = getenv(CAUSAL_ENV_STAGE);
    char path[64];
    int channel;
    if (!world)
        return held ? map_at(held, 0) : NULL;
    if (sscanf(world, "%63[^:]:%d", path, &channel) != 2)
        return NULL;
    return map_at(path, wire_channel_offset(channel));
}

void stage_unmap(struct stage *stage)
{
    munmap(stage, sizeof *stage);
}
