/*
 * What a helper says to tourney: frames, and parts of its rank's file in them.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dist/talk.h"
#include "fuzz.h"

enum { MOST = 1 << 15 /* a socket takes that at once */ };

void fuzz_one(const uint8_t *bytes, size_t size)
{
    int end[2];
    talk_buffer in = {0};
    struct talk_file file = {0};
    const struct talk_frame *frame;
    bool broken = false;
    size = size < MOST ? size : MOST;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) < 0 || send(end[1], bytes, size, 0) != (ssize_t)size)
        abort();
    close(end[1]);
    for (int status = 0; status == 0 && !broken;) {
        status = talk_fill(end[0], &in, TALK_MOST);
        while ((frame = talk_first(&in, TALK_MOST, &broken))) {
            talk_keep(&file, frame);
            talk_drop(&in);
        }
    }
    if (file.n > size)
        abort();
    close(end[0]);
    vec_release(&in);
    talk_forget(&file);
}
