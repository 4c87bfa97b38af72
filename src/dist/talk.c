#include "dist/talk.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bulk.h"

static int send_all(int fd, const void *data, size_t bytes)
{
    for (const char *at = data; bytes;) {
        ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int talk_send(int fd, enum talk_kind kind, const void *head, size_t head_bytes, const void *rest, size_t bytes)
{
    struct talk_frame frame = {kind, (uint32_t)(head_bytes + bytes)};
    if (send_all(fd, &frame, sizeof frame) < 0 || send_all(fd, head, head_bytes) < 0)
        return -1;
    return send_all(fd, rest, bytes);
}

int talk_fill(int fd, talk_buffer *buffer, size_t most)
{
    enum { MORE = 1 << 16 };
    size_t all = sizeof(struct talk_frame) + most;
    while (buffer->n < all) {
        size_t more = all - buffer->n < MORE ? all - buffer->n : MORE;
        vec_reserve(buffer, more);
        ssize_t n = recv(fd, buffer->at + buffer->n, more, MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return 0;
        if (n <= 0)
            return -1;
        buffer->n += (size_t)n;
        if ((size_t)n < more)
            return 0;
    }
    return 0;
}

const struct talk_frame *talk_first(const talk_buffer *buffer, size_t most, bool *broken)
{
    const struct talk_frame *frame = (const struct talk_frame *)buffer->at;
    *broken = false;
    if (buffer->n < sizeof *frame)
        return NULL;
    *broken = frame->bytes > most;
    return !*broken && buffer->n >= sizeof *frame + frame->bytes ? frame : NULL;
}

void talk_drop(talk_buffer *buffer)
{
    size_t size = sizeof(struct talk_frame) + ((const struct talk_frame *)buffer->at)->bytes;
    buffer->n -= size;
    memmove(buffer->at, buffer->at + size, buffer->n);
}

static void grow_talk_file(struct talk_file *file, size_t bytes)
{
    size_t cap = file->cap + file->cap / 2;
    if (bytes <= file->cap)
        return;
    cap = cap > bytes ? cap : bytes;
    file->at = bulk_grow(file->at, file->cap, cap);
    file->cap = cap;
}

void talk_keep(struct talk_file *file, const struct talk_frame *frame)
{
    struct talk_part part;
    if (frame->bytes <= sizeof part)
        return;
    memcpy(&part, frame + 1, sizeof part);
    size_t bytes = frame->bytes - sizeof part;
    if (part.offset > file->n)
        return;
    grow_talk_file(file, part.offset + bytes);
    if (part.offset + bytes > file->n)
        file->n = part.offset + bytes;
    memcpy(file->at + part.offset, (const char *)(frame + 1) + sizeof part, bytes);
}

void talk_forget(struct talk_file *file)
{
    bulk_free(file->at, file->cap);
    *file = (struct talk_file){0};
}
