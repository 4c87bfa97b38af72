#include "window/file_pointer.h"

#include "base/die.h"
#include "base/hash.h"

static void send_position(rank_t to, int64_t at, struct keeper_mail *mail)
{
    struct keeper_letter letter = {.to = to, .tag = WINDOW_POINTER_ANSWER, .at = mail->text.n, .bytes = sizeof at};
    for (size_t i = 0; i < sizeof at; i++)
        vec_push(&mail->text, ((const char *)&at)[i]);
    vec_push(&mail->letter, letter);
}

/* Nobody is still in an earlier period when another one begins: collective calls that set the pointer are left when all have come. */
void file_pointer_take(struct file_pointer *pointer, rank_t from, const void *message, size_t bytes, struct keeper_mail *mail)
{
    const struct file_pointer_message *wish = message;
    if (bytes != sizeof *wish)
        BUG("rank %d wants something of a file pointer in %zu bytes", from, bytes);
    if (pointer->file != wish->file || pointer->period != wish->period) {
        pointer->file = wish->file;
        pointer->period = wish->period;
        pointer->at = wish->start;
    }
    send_position(from, pointer->at, mail);
    pointer->at += wish->by;
    pointer->moves += wish->by != 0;
}

void file_pointer_stir(const struct file_pointer *pointer, struct map_key *sum)
{
    hash_stir(sum, pointer->file);
    hash_stir(sum, pointer->period);
    hash_stir(sum, (uint64_t)pointer->at);
}
