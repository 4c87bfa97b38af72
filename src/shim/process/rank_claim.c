#include "shim/process/rank_claim.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call/causal.h"
#include "call/wire.h"

bool rank_was_started_by_tourney(void)
{
    const char *world = getenv(WIRE_ENV);
    int tourney;
    return world && sscanf(world, "/proc%*[/]%d/", &tourney) == 1 && tourney == (int)getppid();
}

static struct rank_claim *map_at(const char *path, uint64_t offset)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *claim = mmap(NULL, sizeof(struct rank_claim), PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    close(fd);
    return claim == MAP_FAILED ? NULL : claim;
}

struct rank_claim *rank_claim_map(void)
{
    const char *world = getenv(WIRE_ENV), *held = getenv(CAUSAL_ENV_CLAIM);
    char path[64];
    int channel;
    if (!world)
        return held ? map_at(held, 0) : NULL;
    if (sscanf(world, "%63[^:]:%d", path, &channel) != 2)
        return NULL;
    return map_at(path, wire_channel_offset(channel));
}

void rank_claim_unmap(struct rank_claim *claim)
{
    munmap(claim, sizeof *claim);
}

bool rank_claim_tell_refusal(const char *why)
{
    struct rank_claim *claim = rank_claim_map();
    if (!claim)
        return false;
    rank_claim_note_refusal(claim, why);
    rank_claim_unmap(claim);
    return true;
}
